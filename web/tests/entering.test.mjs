// What a question says before it is sent: what is wrong and what would pass, and what the person has not chosen themselves.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm, PHONE } from "./browser.mjs";

let hub, browser, page, phone;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
  page = await browser.open(hub);
  phone = await browser.open(hub, "/", PHONE);
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

/** Asks, opens it from the inbox, and gives its id. */
async function opened(question, window = page) {
  await window.getByRole("link", { name: /^Inbox/ }).click();
  const id = await hub.ask({ room: "demo", ...question });
  await window.getByRole("link", { name: new RegExp(`^${question.message.replace("?", "\\?")}`) }).click();
  await window.getByRole("group", { name: question.message }).or(window.getByLabel(question.message)).first().waitFor();
  return id;
}

/** What the control is described by to somebody who does not see it, hints and problems, in order. */
function description(control) {
  return control.evaluate((element) => {
    const ids = (element.getAttribute("aria-describedby") ?? "").split(/\s+/).filter(Boolean);
    return ids.map((id) => document.getElementById(id)?.textContent ?? `no ${id}`).filter(Boolean).join(" ");
  });
}

/** Whether a change of the text is said aloud, without the focus going there. */
function isAnnounced(text) {
  return text.evaluate((element) => element.closest("[aria-live=polite], [role=status]") !== null);
}

const send = (window = page) => window.getByRole("button", { name: "Send answer" });
const status = async (id) => (await hub.outcome(id)).status;

describe("W1 Send stays disabled until every rule passes, and what is wrong comes with what would pass", () => {
  /** Each with what breaks its rules, one text after the other, and at last one that passes. */
  const TYPED = [
    {
      question: { type: "text", message: "A short name?", maxLength: 5 },
      wrong: [
        ["  ", "The answer is blank. Expected: something to read."],
        ["sixsix", "6 characters are too many. Expected: at most 5 characters."],
      ],
      passes: "five5",
    },
    {
      question: { type: "multiline", message: "A few lines?", maxLength: 5 },
      wrong: [
        ["\n\n", "The answer is blank. Expected: something to read."],
        ["a\nb\nc\n", "6 characters are too many. Expected: at most 5 characters."],
      ],
      passes: "a\nb\nc",
    },
    {
      question: { type: "number", message: "A share?", min: 0, max: 1, step: 0.05 },
      wrong: [
        ["0.33", "0.33 is between two steps. Expected: a number from 0 to 1 in steps of 0.05."],
        ["1.05", "1.05 is too large. Expected: a number from 0 to 1 in steps of 0.05."],
        ["-1", "-1 is too small. Expected: a number from 0 to 1 in steps of 0.05."],
        ["half", '"half" is not a finite number written like -1, 0.5 or 1e3. Expected: a number from 0 to 1 in steps of 0.05.'],
      ],
      passes: "0.35",
    },
    {
      question: { type: "number", message: "A port?", integer: true },
      wrong: [["80.5", "80.5 is not whole. Expected: a whole number."]],
      passes: "80",
    },
    {
      question: { type: "email", message: "An address?", domain: "example.com" },
      wrong: [
        ["ada", '"ada" is not an email address. Expected: an address such as name@example.com.'],
        ["a@example.org", '"a@example.org" is at another domain (a subdomain is another, too). Expected: an address such as name@example.com.'],
      ],
      passes: "a@example.com",
    },
    {
      question: { type: "date", message: "A day?", min: "2026-01-01", max: "2026-12-31" },
      wrong: [
        ["2025-12-31", "2025-12-31 is too early. Expected: a day from 2026-01-01 to 2026-12-31."],
        ["2027-01-01", "2027-01-01 is too late. Expected: a day from 2026-01-01 to 2026-12-31."],
      ],
      passes: "2026-12-31",
    },
    {
      question: { type: "dropdown", message: "A place?", options: ["Here", { value: "T", label: "There" }, { value: "No", disabled: true }] },
      wrong: [
        ["Nowhere", '"Nowhere" is not an option. Expected: an option chosen from the list, by Enter or a click.'],
        ["There", "This is typed, but not chosen. Expected: an option chosen from the list, by Enter or a click."],
        ["No", '"No" is disabled. Expected: an option chosen from the list, by Enter or a click.'],
      ],
      passes: "Here",
    },
  ];

  for (const { question, wrong, passes } of TYPED) {
    test(question.type, async () => {
      const id = await opened(question);
      const field = page.getByLabel(question.message).and(page.locator("input, textarea"));
      assert.equal(await send().isDisabled(), true, "before anything is entered");
      assert.doesNotMatch(await description(field), /Expected:/, "nobody is told off for what they have not begun");
      for (const [text, problem] of wrong) {
        await field.fill(text);
        assert.equal(await send().isDisabled(), true, text);
        await field.blur();
        const said = page.getByText(problem, { exact: true });
        await said.waitFor();
        assert.equal(await isAnnounced(said), true);
        assert.ok((await description(field)).endsWith(problem), await description(field));
        assert.equal(await field.getAttribute("aria-invalid"), "true");
        // Neither does what else sends.
        await field.press("Control+Enter");
      }
      await field.fill(passes);
      assert.equal(await send().isEnabled(), true);
      assert.equal(await field.getAttribute("aria-invalid"), "false");
      assert.doesNotMatch(await description(field), /Expected:/);
      assert.equal(await status(id), "pending");
      assert.deepEqual(page.problems, []);
    });
  }

  /** What is chosen rather than typed: nothing is wrong with a wrong text, but something is not chosen yet. */
  const CHOSEN = [
    {
      question: { type: "choice", message: "One of these?", options: ["A", "B"] },
      problem: 'Nothing is chosen yet. Expected: exactly one.',
      choose: ["radio", "B"],
    },
    {
      question: { type: "choice", message: "Some of these?", options: ["A", "B"], multiSelect: true },
      problem: "Nothing is chosen yet. Expected: at least one.",
      choose: ["checkbox", "A"],
    },
    {
      question: { type: "rating", message: "How many stars?" },
      problem: "Nothing is chosen yet. Expected: a whole number from 1 to 5.",
      choose: ["radio", "3 of 5"],
    },
  ];

  for (const { question, problem, choose } of CHOSEN) {
    test(`${question.type}: ${question.message}`, async () => {
      const id = await opened(question);
      const [role, name] = choose;
      const group = page.getByRole("group", { name: question.message });
      assert.equal(await send().isDisabled(), true);
      assert.equal(await group.getByRole(role, { checked: true }).count(), 0);
      await group.getByRole(role).first().focus();
      await group.getByRole(role).first().blur();
      const said = page.getByText(problem, { exact: true });
      await said.waitFor();
      assert.equal(await isAnnounced(said), true);
      assert.ok((await description(group)).endsWith(problem));
      await group.getByRole(role, { name, exact: true }).check();
      assert.equal(await send().isEnabled(), true);
      assert.doesNotMatch(await description(group), /Expected:/);
      assert.equal(await status(id), "pending");
      assert.deepEqual(page.problems, []);
    });
  }

  test("F13 Other without its text does not pass, and says so where the text is missing", async () => {
    const id = await opened({ type: "choice", message: "Which of them?", options: ["A", "B"], other: true });
    await page.getByRole("radio", { name: "Other (please specify)" }).check();
    const field = page.getByRole("textbox", { name: "Other: your own answer" });
    assert.equal(await send().isDisabled(), true);
    await field.blur();
    await page.getByText("Other was selected without its text. Expected: a text of your own.", { exact: true }).waitFor();
    assert.match(await description(field), /Expected: a text of your own\.$/);
    await field.fill("C");
    assert.equal(await send().isEnabled(), true);
    assert.equal(await status(id), "pending");
    assert.deepEqual(page.problems, []);
  });

  test("F8 half a date is not complete, though the browser gives nothing for it", async () => {
    const id = await opened({ type: "date", message: "Which day then?" });
    const field = page.getByLabel("Which day then?");
    await field.click({ position: { x: 18, y: 18 } });
    await page.keyboard.type("02302026");
    await field.blur();
    await page.getByText("The date is not complete. Expected: a day, a month and a year.", { exact: true }).waitFor();
    assert.equal(await send().isDisabled(), true);
    assert.equal(await status(id), "pending");
    assert.deepEqual(page.problems, []);
  });

  test("F2 the count of characters is there from the start, and is said aloud near the limit", async () => {
    await opened({ type: "multiline", message: "Not too long?", maxLength: 20 });
    const field = page.getByRole("textbox", { name: "Not too long?" });
    assert.match(await description(field), /^0 of 20 characters/);
    await field.fill("🙂".repeat(17));
    assert.match(await description(field), /^17 of 20 characters/);
    assert.equal(await page.getByText("characters left").count(), 0);
    await field.fill("🙂".repeat(18));
    assert.equal(await isAnnounced(page.getByText("2 characters left", { exact: true })), true);
    await field.fill("🙂".repeat(21));
    assert.equal(await isAnnounced(page.getByText("1 character too many", { exact: true })), true);
    assert.deepEqual(page.problems, []);
  });
});

describe("L4 silence is never consent", () => {
  const FILLED = [
    [{ type: "text", message: "Initial text?", initial: "main" }, (field) => field.inputValue(), "main"],
    [{ type: "multiline", message: "Initial lines?", initial: "a\nb" }, (field) => field.inputValue(), "a\nb"],
    [{ type: "number", message: "Initial number?", initial: "3" }, (field) => field.inputValue(), "3"],
    [{ type: "email", message: "Initial address?", initial: "a@b" }, (field) => field.inputValue(), "a@b"],
    [{ type: "date", message: "Initial day?", initial: "2026-01-24" }, (field) => field.inputValue(), "2026-01-24"],
    [
      { type: "dropdown", message: "Initial place?", options: [{ value: "M", label: "Moon" }], initial: "M" },
      (field) => field.inputValue(),
      "Moon",
    ],
    [
      { type: "choice", message: "Initial choice?", options: ["A", "B"], initial: "B" },
      (group) => group.getByRole("radio", { checked: true }).evaluateAll((radios) => radios.map((radio) => radio.labels[0].textContent)),
      ["B"],
    ],
    [
      { type: "rating", message: "Initial stars?", initial: "4" },
      (group) => group.getByRole("radio", { checked: true }).evaluateAll((radios) => radios.map((radio) => radio.value)),
      ["4"],
    ],
  ];

  for (const [question, shown, expected] of FILLED) {
    test(`${question.type}: what the asker has filled in is shown, and never sent by itself`, async () => {
      const id = await opened(question);
      const group = page.getByRole("group", { name: question.message });
      const control = (await group.count()) > 0 ? group : page.getByLabel(question.message).and(page.locator("input, textarea"));
      assert.deepEqual(await shown(control), expected);
      assert.equal(await send().isEnabled(), true);
      // To go there and away again is no answer either.
      await control.locator("input:checked").or(control).first().focus();
      await page.keyboard.press("Tab");
      await page.getByRole("link", { name: /^Inbox/ }).click();
      await page.getByRole("heading", { name: "Waiting for you", level: 1 }).waitFor();
      assert.equal(await status(id), "pending");
      assert.deepEqual(page.problems, []);
    });
  }

  for (const [type, message, names] of [
    ["approval", "May I?", ["Approve", "Reject"]],
    ["confirm", "Do we?", ["Yes", "No"]],
  ]) {
    test(`${type}: nothing is chosen at first, alone or in a form`, async () => {
      const id = await opened({ type, message });
      const group = page.getByRole("group", { name: message });
      const buttons = group.getByRole("button");
      assert.deepEqual(await buttons.allTextContents(), names);
      for (const button of await buttons.all()) {
        assert.equal(await button.evaluate((element) => element === document.activeElement), false);
        assert.equal(await button.getAttribute("aria-pressed"), null);
      }
      // There is no button besides these two that a stray Enter could press.
      assert.equal(await send().count(), 0);
      assert.equal(await page.locator("button[type=submit]").count(), 0);
      await page.getByRole("link", { name: /^Inbox/ }).click();
      const questions = [{ type, message }, { type: "text", message: "Why?", initial: "so" }];
      const form = await hub.ask({ room: "demo", title: `Form with ${type}`, questions });
      await page.getByRole("link", { name: `Form with ${type}` }).click();
      assert.equal(await group.getByRole("radio").count(), 2);
      assert.equal(await group.getByRole("radio", { checked: true }).count(), 0);
      await page.getByText("1 of 2 answered", { exact: true }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Review" }).isDisabled(), true);
      assert.deepEqual([await status(id), await status(form)], ["pending", "pending"]);
      assert.deepEqual(page.problems, []);
    });
  }
});

describe("W1 a phone shows the keyboard for it", () => {
  const KEYBOARDS = [
    [{ type: "text", message: "Words?" }, { type: "text", inputmode: null, enterkeyhint: "send" }],
    // Enter is a new line there.
    [{ type: "multiline", message: "Lines?" }, { type: null, inputmode: null, enterkeyhint: null }],
    [{ type: "number", message: "Share?" }, { type: "text", inputmode: "decimal", enterkeyhint: "send" }],
    [{ type: "number", message: "Count?", integer: true }, { type: "text", inputmode: "numeric", enterkeyhint: "send" }],
    [{ type: "email", message: "To whom?" }, { type: "text", inputmode: "email", enterkeyhint: "send", autocapitalize: "off" }],
    [{ type: "date", message: "On which day?" }, { type: "date", inputmode: null, enterkeyhint: null }],
    [{ type: "dropdown", message: "In which place?", options: ["A"] }, { type: "text", enterkeyhint: "done", autocapitalize: "off" }],
  ];

  for (const [question, attributes] of KEYBOARDS) {
    test(`${question.type}${question.integer ? ", whole" : ""}`, async () => {
      await opened(question, phone);
      const field = phone.getByLabel(question.message).and(phone.locator("input, textarea"));
      for (const [name, value] of Object.entries(attributes)) assert.equal(await field.getAttribute(name), value, name);
      // A smaller text would make a phone zoom in on it.
      assert.ok((await field.evaluate((element) => parseFloat(getComputedStyle(element).fontSize))) >= 16);
      assert.deepEqual(phone.problems, []);
    });
  }

  test("a search and Other's text", async () => {
    const options = Array.from({ length: 10 }, (_, index) => `Option ${index}`);
    await opened({ type: "choice", message: "Which of ten?", options, other: true }, phone);
    const search = phone.getByRole("searchbox", { name: "Search" });
    assert.equal(await search.getAttribute("enterkeyhint"), "search");
    await phone.getByRole("radio", { name: "Other (please specify)" }).tap();
    const other = phone.getByRole("textbox", { name: "Other: your own answer" });
    assert.equal(await other.getAttribute("enterkeyhint"), "send");
    assert.deepEqual(phone.problems, []);
  });
});

describe("L7 instead of an answer", () => {
  test("a question back is a decline with the text as its reason", async () => {
    const id = await opened({ type: "choice", message: "Which region is it?", options: ["eu", "us"] });
    const outcome = hub.outcome(id, 30);
    await page.getByText("Ask back, or decline").click();
    await page.getByRole("textbox", { name: "Your question, or why not" }).fill("which region\ndo you mean?");
    await calm(page);
    await page.getByRole("button", { name: "Send this instead of an answer" }).click();
    await page.getByText("↩ You declined, and the agent was told.", { exact: true }).waitFor();
    const { status, response, reason, answeredBy, surface } = await outcome;
    assert.deepEqual(
      { status, response, reason, answeredBy, surface },
      { status: "declined", response: null, reason: "which region\ndo you mean?", answeredBy: "user", surface: "page" },
    );
    assert.deepEqual(page.problems, []);
  });

  test("so is one to an approval, which is not approved by it", async () => {
    const id = await opened({ type: "approval", message: "Restart it now?" });
    const outcome = hub.outcome(id, 30);
    await page.getByText("Ask back, or decline").click();
    await page.getByRole("textbox", { name: "Your question, or why not" }).fill("Which one?");
    await calm(page);
    await page.getByRole("button", { name: "Send this instead of an answer" }).click();
    const { status, reason } = await outcome;
    assert.deepEqual({ status, reason }, { status: "declined", reason: "Which one?" });
    assert.deepEqual(page.problems, []);
  });

  test("a decline needs no words, and takes nothing along that was entered", async () => {
    const id = await opened({ type: "text", message: "What is the password?" });
    const outcome = hub.outcome(id, 30);
    await page.getByRole("textbox", { name: "What is the password?" }).fill("hunter2");
    await page.getByText("Ask back, or decline").click();
    await calm(page);
    await page.getByRole("button", { name: "Decline without a text" }).click();
    await page.getByText("↩ You declined, and the agent was told.", { exact: true }).waitFor();
    const { status, response, reason, answers } = await outcome;
    assert.deepEqual({ status, response, reason, answers }, { status: "declined", response: null, reason: null, answers: [] });
    assert.deepEqual(page.problems, []);
  });
});
