// Every kind of question in its variants, how it is answered by pointing and by keys alone, and what the asker then has.

const COUNTRIES = "Austria Belgium Croatia Denmark Estonia Finland Greece Hungary Iceland Latvia Norway Spain".split(" ");

const ACCEPTED = "✔ Your answer was accepted.";
const REJECTED = "✘ You rejected this, and the agent was told.";

const button = (page, name) => page.getByRole("button", { name, exact: true });
const radio = (page, name) => page.getByRole("radio", { name, exact: true });
const box = (page, name) => page.getByRole("checkbox", { name, exact: true });
const field = (page, name) => page.getByRole("textbox", { name, exact: true });
const send = (page) => button(page, "Send answer");

/** What an asker has of an answered question: the string of F, and the list beside it. */
const answered = (response, selections = [], custom = null) => ({ status: "answered", response, selections, custom, said: ACCEPTED });

export const STORIES = [
  {
    name: "F0 approval, approved",
    question: { type: "approval", message: "Delete the old logs?" },
    outcome: answered("approve"),
    point: async (hand, page) => hand.press(button(page, "Approve")),
    keys: async (keys, page) => {
      await keys.to(button(page, "Approve"));
      await keys.press("Enter");
    },
  },
  {
    name: "F0 approval, rejected",
    question: { type: "approval", message: "Drop the table?", labels: ["Drop it", "Keep it"] },
    outcome: { status: "declined", response: "reject", selections: [], custom: null, said: REJECTED },
    point: async (hand, page) => hand.press(button(page, "Keep it reject")),
    keys: async (keys) => keys.press("2", "Enter"),
  },
  {
    name: "F1 text",
    question: { type: "text", message: "What shall the branch be called?" },
    outcome: answered(" fix/ünïcode 🙂 "),
    point: async (hand, page) => {
      await hand.write(field(page, "What shall the branch be called?"), " fix/ünïcode 🙂 ");
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(field(page, "What shall the branch be called?"));
      await keys.write(" fix/ünïcode 🙂 ");
      await keys.press("Enter");
    },
  },
  {
    name: "F2 multiline",
    question: { type: "multiline", message: "What goes into the release notes?" },
    outcome: answered("Faster.\n\nSafer."),
    point: async (hand, page) => {
      await hand.write(field(page, "What goes into the release notes?"), "Faster.\n\nSafer.");
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(field(page, "What goes into the release notes?"));
      await keys.write("Faster.");
      await keys.press("Enter", "Enter");
      await keys.write("Safer.");
      await keys.press("Control+Enter");
    },
  },
  {
    name: "F3 choice of one",
    question: {
      type: "choice",
      message: "Which database?",
      options: ["PostgreSQL (Recommended)", { value: "lite", label: "SQLite", description: "one file" }, "MongoDB"],
    },
    outcome: answered("lite", ["lite"]),
    point: async (hand, page) => {
      await hand.press(radio(page, "MongoDB"));
      await hand.press(radio(page, "SQLite"));
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(radio(page, "PostgreSQL (Recommended)"));
      await keys.press("ArrowDown", "Enter");
    },
  },
  {
    name: "F4 choice of many, in the order of selection",
    question: { type: "choice", message: "Which features?", options: ["Dark mode", "Offline", "a, b"], multiSelect: true },
    outcome: answered("a, b, Dark mode", ["a, b", "Dark mode"]),
    point: async (hand, page) => {
      await hand.press(box(page, "Offline"));
      await hand.press(box(page, "a, b"));
      await hand.press(box(page, "Dark mode"));
      await hand.press(box(page, "Offline"));
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(box(page, "a, b"));
      await keys.press("Space", "Shift+Tab", "Shift+Tab", "Space", "Control+Enter");
    },
  },
  {
    name: "F4 choice of many, by digits",
    question: { type: "choice", message: "Which checks?", options: ["Lint", "Types", "Tests"], multiSelect: true },
    outcome: answered("Tests, Lint", ["Tests", "Lint"]),
    point: async (hand, page) => {
      await hand.press(box(page, "Tests"));
      await hand.press(box(page, "Lint"));
      await hand.press(send(page));
    },
    keys: async (keys) => keys.press("3", "2", "1", "2", "Enter"),
  },
  {
    name: "F13 choice of one, with a text of one's own",
    question: { type: "choice", message: "Which cache?", options: ["Memcached", "Other"], other: true },
    outcome: answered("Redis", ["Redis"], "Redis"),
    point: async (hand, page) => {
      await hand.press(radio(page, "Other (please specify)"));
      await hand.write(field(page, "Other: your own answer"), " Redis ");
      await hand.press(send(page));
    },
    // The asker's own "Other" gives way to the page's, so that this is the second.
    keys: async (keys) => {
      await keys.press("2");
      await keys.write(" Redis ");
      await keys.press("Enter");
    },
  },
  {
    name: "F13 choice of many, with Other's text where Other was selected",
    question: { type: "choice", message: "Which languages?", options: ["Rust", "Go"], multiSelect: true, other: true },
    outcome: answered("Zig, Rust", ["Zig", "Rust"], "Zig"),
    point: async (hand, page) => {
      await hand.press(box(page, "Other (please specify)"));
      await hand.write(field(page, "Other: your own answer"), "Zig");
      await hand.press(box(page, "Rust"));
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(box(page, "Other (please specify)"));
      await keys.press("Space");
      await keys.write("Zig");
      await keys.press("Shift+Tab", "Shift+Tab", "Shift+Tab", "Space", "Control+Enter");
    },
  },
  {
    name: "W1 choice of twelve options, by searching",
    question: { type: "choice", message: "Which country is it made in?", options: COUNTRIES },
    outcome: answered("Norway", ["Norway"]),
    point: async (hand, page) => {
      await hand.write(page.getByRole("searchbox", { name: "Search" }), "nor");
      await page.getByText("1 of 12", { exact: true }).waitFor();
      await hand.press(radio(page, "Norway"));
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(page.getByRole("searchbox", { name: "Search" }));
      await keys.write("nor");
      // Enter ends the search, and sends nothing.
      await keys.press("Enter");
      await page.getByText("1 of 12", { exact: true }).waitFor();
      await keys.to(radio(page, "Norway"));
      await keys.press("Space", "Enter");
    },
  },
  {
    name: "F5 confirm, yes",
    question: { type: "confirm", message: "Shall we?" },
    outcome: answered("yes"),
    point: async (hand, page) => hand.press(button(page, "Yes")),
    keys: async (keys) => keys.press("1", "Enter"),
  },
  {
    name: "F5 confirm, no, which is an answer",
    question: { type: "confirm", message: "Send it to everybody?" },
    outcome: answered("no"),
    point: async (hand, page) => hand.press(button(page, "No")),
    keys: async (keys, page) => {
      await keys.to(button(page, "No"));
      await keys.press("Space");
    },
  },
  {
    name: "F6 number, typed",
    question: { type: "number", message: "How much traffic?", min: 0, max: 1, step: 0.05 },
    outcome: answered("0.25"),
    point: async (hand, page) => {
      await hand.write(field(page, "How much traffic?"), " 0.250 ");
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(field(page, "How much traffic?"));
      await keys.write("2.5e-1");
      await keys.press("Enter");
    },
  },
  {
    name: "F6 number, by exact steps",
    question: { type: "number", message: "Which share?", min: 0, max: 1, step: 0.1 },
    outcome: answered("0.3"),
    point: async (hand, page) => {
      for (let steps = 0; steps < 5; steps += 1) await hand.press(button(page, "Increase"));
      await hand.press(button(page, "Decrease"));
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(field(page, "Which share?"));
      await keys.press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "ArrowDown", "Enter");
    },
  },
  {
    name: "F6 number, by buttons reached with Tab, or below zero without a minus",
    question: { type: "number", message: "How many degrees?", integer: true, max: 0 },
    outcome: answered("-7"),
    point: async (hand, page) => {
      await hand.write(field(page, "How many degrees?"), "7");
      await hand.press(button(page, "Change the sign"));
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(field(page, "How many degrees?"));
      await keys.write("-9");
      await keys.to(button(page, "Increase"));
      await keys.press("Space", "Enter", "Control+Enter");
    },
  },
  {
    name: "F7 email",
    question: { type: "email", message: "Whom shall it be sent to?", domain: "example.com" },
    outcome: answered("Ada@Example.com"),
    point: async (hand, page) => {
      await hand.write(field(page, "Whom shall it be sent to?"), "Ada@Example.com");
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(field(page, "Whom shall it be sent to?"));
      await keys.write("Ada@Example.com");
      await keys.press("Enter");
    },
  },
  {
    name: "F8 date",
    question: { type: "date", message: "When is the release?", min: "2026-01-01" },
    outcome: answered("2028-02-29"),
    point: async (hand, page) => {
      await hand.writeDate(page.getByLabel("When is the release?"), "2028-02-29");
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(page.getByLabel("When is the release?"));
      await keys.writeDate("2028-02-29");
      await keys.press("Control+Enter");
    },
  },
  {
    name: "F9 dropdown, searched",
    question: {
      type: "dropdown",
      message: "Which region?",
      options: ["eu-west", "eu-north", { value: "us-1", label: "United States", description: "Virginia" }, { value: "old", disabled: true }],
    },
    outcome: answered("us-1", ["us-1"]),
    point: async (hand, page) => {
      await hand.write(page.getByRole("combobox", { name: "Which region?" }), "virg");
      await hand.press(page.getByRole("option", { name: "United States" }));
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(page.getByRole("combobox", { name: "Which region?" }));
      await keys.write("u");
      // The last of those found; the first Enter takes it, the second sends it.
      await keys.press("ArrowUp", "Enter", "Enter");
    },
  },
  {
    name: "F10 rating by stars",
    question: { type: "rating", message: "How good was it?" },
    outcome: answered("4"),
    point: async (hand, page) => {
      await hand.press(radio(page, "4 of 5"));
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(radio(page, "1 of 5"));
      await keys.press("ArrowRight", "ArrowRight", "ArrowRight", "Enter");
    },
  },
  {
    name: "F10 rating by numbers",
    question: { type: "rating", message: "How likely is it?", min: 0, max: 10, style: "numbers", ends: { low: "never", high: "sure" } },
    outcome: answered("0"),
    point: async (hand, page) => {
      await hand.press(radio(page, "10 of 10"));
      await hand.press(radio(page, "0 of 10"));
      await hand.press(send(page));
    },
    keys: async (keys, page) => {
      await keys.to(radio(page, "0 of 10"));
      await keys.press("Space", "Control+Enter");
    },
  },
  {
    name: "F10 rating by faces",
    question: { type: "rating", message: "How do you feel?", min: -2, max: 2, style: "emoji" },
    outcome: answered("2"),
    point: async (hand, page) => {
      await hand.press(radio(page, "2 of 2"));
      await hand.press(send(page));
    },
    keys: async (keys) => keys.press("2", "Enter"),
  },
];
