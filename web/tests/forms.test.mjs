// Several questions in one request: how far one is, the review before they are sent, and the way back from it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm, PHONE } from "./browser.mjs";
import { Finger, hasFocus, Keys, Mouse, pointedWith, watchPointing } from "./hands.mjs";

const DEPLOY = JSON.parse(readFileSync(new URL("../../examples/deploy.json", import.meta.url), "utf8"));

let hub, browser;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

async function opened(request, options) {
  const id = await hub.ask({ room: "demo", ...request });
  const page = await browser.open(hub, `/r/${id}`, options);
  await page.getByRole("heading", { level: 1, name: request.title }).waitFor();
  return { id, page, outcome: hub.outcome(id, 30) };
}

const review = (page) => page.getByRole("button", { name: "Review", exact: true });
const send = (page) => page.getByRole("button", { name: "Send answers", exact: true });
const field = (page, name) => page.getByLabel(name).and(page.locator("input, textarea"));
const radio = (page, question, name) => page.getByRole("group", { name: question }).getByRole("radio", { name, exact: true });

/** How far one is, to somebody who sees it and to somebody who does not. */
async function isAt(page, done, count) {
  const bar = page.getByRole("progressbar", { name: `${done} of ${count} answered`, exact: true });
  await bar.waitFor();
  assert.deepEqual([await bar.getAttribute("value"), await bar.getAttribute("max")], [String(done), String(count)]);
  assert.equal(await review(page).isEnabled(), done === count);
}

/** Questions and answers of the review, in order. */
function reviewed(page) {
  const list = page.getByRole("heading", { name: "Your answers" }).locator("xpath=following-sibling::dl");
  return list.locator("dt, dd:not(:has(button))").allInnerTexts();
}

describe("a form of examples/deploy.json", () => {
  const answers = (outcome) => outcome.answers.map(({ id, response, selections, custom }) => [id, response, selections, custom]);
  const EXPECTED = [
    ["ok", "approve", [], null],
    ["region", "eu-north", ["eu-north"], "eu-north"],
    ["share", "0.15", [], null],
  ];

  for (const [name, Hand, options] of [["a mouse", Mouse, {}], ["a finger", Finger, PHONE]]) {
    test(`is filled in, reviewed, changed and sent with ${name}`, async () => {
      const { id, page, outcome } = await opened(DEPLOY, options);
      const hand = new Hand(page);
      // What it is about is there to look at first.
      await page.getByText("./deploy --env production").first().waitFor();
      await isAt(page, 0, 3);
      for (const number of [1, 2, 3]) await page.getByText(`Question ${number} of 3`, { exact: true }).waitFor();
      await hand.press(radio(page, "Deploy version 2.4 to production?", "Approve"));
      await isAt(page, 1, 3);
      // What is not answered yet is found again.
      await hand.press(page.getByRole("button", { name: "Go to what is missing" }));
      assert.equal(await hasFocus(radio(page, "Which region first?", "eu-west (Recommended)")), true);
      await hand.press(radio(page, "Which region first?", "Other (please specify)"));
      await isAt(page, 1, 3);
      await hand.write(page.getByRole("textbox", { name: "Other: your own answer" }), "eu-north");
      await isAt(page, 2, 3);
      await hand.write(field(page, "Share of traffic to start with?"), "0.1");
      await isAt(page, 3, 3);
      await hand.press(review(page));
      assert.equal(await hasFocus(page.getByRole("heading", { name: "Your answers" })), true);
      assert.deepEqual(await reviewed(page), [
        "Deploy version 2.4 to production?",
        "Approve",
        "Which region first?",
        "eu-north",
        "Share of traffic to start with?",
        "0.1",
      ]);
      // Back to one of them, which has kept what was entered.
      await hand.press(page.getByRole("button", { name: "Change the answer to: Share of traffic to start with?" }));
      const share = field(page, "Share of traffic to start with?");
      await page.waitForFunction((element) => element === document.activeElement, await share.elementHandle());
      assert.equal(await share.inputValue(), "0.1");
      await share.fill("0.15");
      await hand.press(review(page));
      assert.equal((await reviewed(page)).at(-1), "0.15");
      assert.equal((await hub.outcome(id)).status, "pending");
      await calm(page);
      await hand.press(send(page));
      await page.getByText("✔ Your answer was accepted.", { exact: true }).waitFor();
      const { status, answeredBy, surface, ...rest } = await outcome;
      assert.deepEqual({ status, answeredBy, surface }, { status: "answered", answeredBy: "user", surface: "page" });
      assert.deepEqual(answers(rest), EXPECTED);
      assert.deepEqual(page.problems, []);
    });
  }

  test("is filled in, reviewed and sent by keys alone", async () => {
    const { page, outcome } = await opened(DEPLOY);
    await watchPointing(page);
    await page.getByRole("heading", { level: 1, name: DEPLOY.title }).waitFor();
    const keys = new Keys(page);
    await keys.to(radio(page, "Deploy version 2.4 to production?", "Approve"));
    await keys.press("Space");
    await keys.to(radio(page, "Which region first?", "eu-west (Recommended)"));
    // The digits are of the question that has the focus.
    await keys.press("3");
    await keys.write("eu-north");
    await keys.to(field(page, "Share of traffic to start with?"));
    await keys.press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp");
    await isAt(page, 3, 3);
    await keys.press("Control+Enter");
    await page.getByRole("heading", { name: "Your answers" }).waitFor();
    await calm(page);
    await keys.press("Control+Enter");
    await page.getByText("✔ Your answer was accepted.", { exact: true }).waitFor();
    assert.deepEqual(answers(await outcome), EXPECTED);
    assert.deepEqual(await pointedWith(page), []);
    assert.deepEqual(page.problems, []);
  });

  test("F0 is declined as a whole by its rejected approval", async () => {
    const { page, outcome } = await opened(DEPLOY);
    await radio(page, "Deploy version 2.4 to production?", "Reject").check();
    await radio(page, "Which region first?", "us-east").check();
    await field(page, "Share of traffic to start with?").fill("0");
    await review(page).click();
    await calm(page);
    await send(page).click();
    await page.getByText("✘ You rejected this, and the agent was told.", { exact: true }).waitFor();
    assert.equal((await outcome).status, "declined");
    assert.deepEqual(page.problems, []);
  });

  test("what would send twice in a row stops at the review", async () => {
    const { id, page, outcome } = await opened(DEPLOY);
    await radio(page, "Deploy version 2.4 to production?", "Approve").check();
    await radio(page, "Which region first?", "us-east").check();
    await field(page, "Share of traffic to start with?").fill("0");
    await calm(page);
    // As fast as the page can draw, whatever else the machine does.
    await page.evaluate(async () => {
      for (let presses = 0; presses < 2; presses += 1) {
        document.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve));
      }
    });
    await page.getByRole("heading", { name: "Your answers" }).waitFor();
    await page.getByRole("alert").filter({ hasText: "Nothing was sent" }).waitFor();
    assert.equal((await hub.outcome(id)).status, "pending");
    await calm(page);
    await send(page).click();
    assert.equal((await outcome).status, "answered");
    assert.deepEqual(page.problems, []);
  });
});

test("W1 a form with all ten kinds", async () => {
  const options = ["A", { value: "b", label: "Bee" }];
  const { page, outcome } = await opened({
    title: "Everything",
    questions: [
      { id: "approval", type: "approval", message: "Go ahead?", labels: ["Go", "Stop"] },
      { id: "text", type: "text", message: "A word?" },
      { id: "multiline", type: "multiline", message: "Some lines?" },
      { id: "choice", type: "choice", message: "Some of them?", options, multiSelect: true, other: true },
      { id: "confirm", type: "confirm", message: "Are you sure?" },
      { id: "number", type: "number", message: "How many?" },
      { id: "email", type: "email", message: "Whose address?" },
      { id: "date", type: "date", message: "On what day?" },
      { id: "dropdown", type: "dropdown", message: "One of these?", options },
      { id: "rating", type: "rating", message: "How good?" },
    ],
  });
  let done = 0;
  const oneMore = async () => isAt(page, (done += 1), 10);
  await isAt(page, 0, 10);
  await radio(page, "Go ahead?", "Go approve").check();
  await oneMore();
  await field(page, "A word?").fill(" word ");
  await oneMore();
  await field(page, "Some lines?").fill("one\ntwo");
  await oneMore();
  await page.getByRole("checkbox", { name: "Bee" }).check();
  await oneMore();
  await page.getByRole("checkbox", { name: "A", exact: true }).check();
  await radio(page, "Are you sure?", "No").check();
  await oneMore();
  await field(page, "How many?").fill("1e1");
  await oneMore();
  await field(page, "Whose address?").fill("a@b");
  await oneMore();
  await field(page, "On what day?").fill("2026-11-16");
  await oneMore();
  await page.getByRole("combobox", { name: "One of these?" }).fill("be");
  await page.getByRole("option", { name: "Bee" }).click();
  await oneMore();
  await radio(page, "How good?", "5 of 5").check();
  await oneMore();
  // One that no longer passes takes the way on away again.
  await field(page, "How many?").fill("ten");
  await isAt(page, 9, 10);
  await field(page, "How many?").fill("1e1");
  await review(page).click();
  const [, approved, , word, , lines, , chosen, , sure, , number, , address, , day, , place, , stars] = await reviewed(page);
  assert.deepEqual([approved, lines, chosen, sure, number, address, day, place, stars], [
    "Go (approve)",
    "one\ntwo",
    "b, A",
    "No",
    "10",
    "a@b",
    "2026-11-16",
    "Bee (b)",
    "5",
  ]);
  assert.equal(word.trim(), "word");
  await calm(page);
  await send(page).click();
  await page.getByText("✔ Your answer was accepted.", { exact: true }).waitFor();
  const { answers } = await outcome;
  assert.deepEqual(answers.map(({ id, response, selections }) => [id, response, selections]), [
    ["approval", "approve", []],
    ["text", " word ", []],
    ["multiline", "one\ntwo", []],
    ["choice", "b, A", ["b", "A"]],
    ["confirm", "no", []],
    ["number", "10", []],
    ["email", "a@b", []],
    ["date", "2026-11-16", []],
    ["dropdown", "b", ["b"]],
    ["rating", "5", []],
  ]);
  assert.deepEqual(page.problems, []);
});

test("L7 a form is asked back about as a whole", async () => {
  const { page, outcome } = await opened(DEPLOY);
  await page.getByText("Ask back, or decline").click();
  await page.getByRole("textbox", { name: "Your question, or why not" }).fill("Is it Friday?");
  await calm(page);
  await page.getByRole("button", { name: "Send this instead of an answer" }).click();
  const { status, reason, answers } = await outcome;
  assert.deepEqual({ status, reason, answers }, { status: "declined", reason: "Is it Friday?", answers: [] });
  assert.deepEqual(page.problems, []);
});
