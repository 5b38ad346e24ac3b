// Claude Code in a terminal with the hook: the person may be there, or at the hub, or first the one and then the other.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Hub, pause, until } from "../../clients/typescript/live/hub.mjs";
import { approve, hooked, local, look, record } from "./support/hook.mjs";
import { Model, say, use } from "./support/model.mjs";
import { answer } from "./support/person.mjs";
import { Terminal } from "./support/terminal.mjs";

const QUESTION = "Which database?";
const options = ["SQLite", "PostgreSQL"].map((label) => ({ label, description: `That is ${label}` }));
const ASKING = ["AskUserQuestion", { questions: [{ question: QUESTION, header: "Database", multiSelect: false, options }] }];
const RUNNING = ["Bash", { command: "touch ran.txt", description: "Make a file" }];

/** What its own prompt for a command asks. */
const PROMPT = "Do you want to proceed?";

/** A model that calls one tool and then thanks, a terminal, and a hub of its own, at which somebody may be looking. */
async function story(call, { args, people }, tell) {
  const hub = await Hub.start();
  const person = people > 0 ? await look(hub) : null;
  // It is asked other things, too, such as what to call the conversation; then it has no tools.
  const script = (results, body) => (results.length > 0 || !body.tools?.length ? say("Thank you.") : use(...call));
  const model = await Model.start(script);
  const terminal = Terminal.start(model, { settings: hooked({ args }), env: local(hub) });
  try {
    await tell({ hub, model, terminal });
  } finally {
    await terminal.end();
    model.end();
    person?.leave();
    await hub.end();
  }
}

/** What its model has read of the result, if it has. */
const resultIn = (model) => model.asked.map(resultOf).find(Boolean);
const resultOf = ({ messages }) => messages.map(({ content }) => content).filter(Array.isArray).flat().find(({ type }) => type === "tool_result")?.content;
const read = (model) => until("the model reads the result", () => resultIn(model));

/** Presses a key until it has an effect: its prompts take none in their first moments. */
const pressing = (key, terminal, effect) =>
  until(`${key} has an effect`, async () => {
    terminal.press(key);
    await pause(500);
    return effect();
  });

describe("a person at Claude Code's terminal, and one at the hub", { concurrency: 2 }, () => {
  test("Q2 a question is answered on the hub, and never asked in the terminal", () =>
    story(ASKING, { people: 1 }, async ({ hub, model, terminal }) => {
      await record(hub, QUESTION);
      await terminal.shows("running PreToolUse hook");
      assert.ok(!terminal.screen.includes("PostgreSQL"));
      await answer(hub, QUESTION, "SQLite");
      assert.match(await read(model), /"Which database\?"="SQLite"/);
      await terminal.shows("Thank you.");
    }));

  test("L4 for nobody it waits a little, and then asks in the terminal", () =>
    story(ASKING, { people: 0, args: "--nobody 1s" }, async ({ hub, model, terminal }) => {
      await terminal.shows("Enter to select");
      assert.equal((await record(hub, QUESTION, "cancelled")).outcome.reason, "asked in Claude Code instead");
      assert.match(await pressing("Enter", terminal, () => resultIn(model)), /"Which database\?"="SQLite"/);
    }));

  test("L9 a question on the hub goes when the terminal is told to stop", () =>
    story(ASKING, { people: 1 }, async ({ hub, terminal }) => {
      await record(hub, QUESTION);
      await terminal.shows("running PreToolUse hook");
      await pressing("Escape", terminal, () => !terminal.screen.includes("running PreToolUse hook"));
      assert.equal((await record(hub, QUESTION, "cancelled")).outcome.reason, "Claude Code does not wait for it any more");
    }));

  test("L1, S5 a command is asked about in both, and approved on the hub", () =>
    story(RUNNING, { people: 1 }, async ({ hub, terminal }) => {
      await terminal.shows(PROMPT);
      assert.ok(!existsSync(join(terminal.project, "ran.txt")));
      await approve(hub, "touch ran.txt");
      await terminal.shows("Thank you.");
      assert.ok(existsSync(join(terminal.project, "ran.txt")));
      assert.ok(!terminal.screen.includes(PROMPT));
    }));

  test("L1, L9 a command is asked about in both, and refused in the terminal", () =>
    story(RUNNING, { people: 1 }, async ({ hub, terminal }) => {
      await record(hub, "touch ran.txt");
      await terminal.shows(PROMPT);
      await pressing("Escape", terminal, () => !terminal.screen.includes(PROMPT));
      assert.equal((await record(hub, "touch ran.txt", "cancelled")).outcome.reason, "Claude Code does not wait for it any more");
      assert.ok(!existsSync(join(terminal.project, "ran.txt")));
    }));
});
