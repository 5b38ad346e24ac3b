// F16: every vector of approval, confirm and rating, which are pressed: what no button stands for can't be entered.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { calm } from "./browser.mjs";
import { STORIES } from "./kinds.mjs";
import { Bench, brief, cases } from "./vectors.mjs";
import { textOf } from "./vectors-typed.mjs";

let bench;

before(async () => {
  bench = await Bench.start();
});

after(() => bench?.end());

/**
 * Sends what there is something to press for, and says how many vectors there is nothing for. In a form, all of these kinds
 * are radios.
 */
async function pressAll(all, isPressable) {
  const passing = [];
  let unpressable = 0;
  for (const { question, answers } of all) {
    for (const vector of answers) {
      const text = textOf(vector.given);
      if (text !== undefined && isPressable(question, text)) {
        assert.equal(vector.refused, undefined, brief(vector));
        passing.push({ question, vector, enter: (group) => group.getByRole("radio").and(bench.page.locator(`[value="${text}"]`)).check() });
      } else {
        assert.notEqual(vector.refused, undefined, `${brief(vector)} passes, and can't be entered`);
        unpressable += 1;
      }
    }
  }
  await bench.send(passing);
  return { passed: passing.length, unpressable };
}

/** Answers a question that is alone by its own button, and gives what its asker has. */
async function decide(question, name) {
  const { id, control } = await bench.ask(question);
  const outcome = bench.hub.outcome(id, 30);
  assert.equal(await control.getByRole("button").count(), 2);
  await calm(bench.page);
  await control.getByRole("button", { name, exact: true }).click();
  const { status, response } = await outcome;
  return { status, response };
}

test("F16, W1 no kind is left out", () => {
  const read = (folder, pattern) => {
    const names = readdirSync(new URL(folder, import.meta.url)).filter((name) => pattern.test(name));
    return names.map((name) => readFileSync(new URL(folder + name, import.meta.url), "utf8"));
  };
  const kinds = read("../../vectors/", /\.json$/).map((text) => JSON.parse(text).kind).filter(Boolean).sort();
  const sources = read("./", /^vectors-/).join("");
  const entered = [...sources.matchAll(/(?:cases\(|enterAll\(bench, )"(\w+)"/g)].map(([, kind]) => kind);
  assert.deepEqual([...new Set(entered)].sort(), kinds);
  assert.deepEqual([...new Set(STORIES.map(({ question }) => question.type))].sort(), kinds);
  assert.equal(kinds.length, 10);
});

test("F0 every vector of approval: two words, whatever their labels are, and nothing else", async () => {
  const [plain, labelled] = cases("approval").map(({ question }) => question);
  assert.deepEqual(await decide(plain, "Reject"), { status: "declined", response: "reject" });
  assert.deepEqual(await decide(labelled, "Hold reject"), { status: "declined", response: "reject" });
  assert.deepEqual(await decide(plain, "Approve"), { status: "answered", response: "approve" });
  assert.deepEqual(await decide(labelled, "Ship it approve"), { status: "answered", response: "approve" });
  // In a form, one rejection would decline it all: those two are above.
  const isOther = ({ given }) => given !== "reject";
  const others = cases("approval").map(({ question, answers }) => ({ question, answers: answers.filter(isOther) }));
  assert.deepEqual(await pressAll(others, (_, text) => text === "approve"), { passed: 6, unpressable: 16 });
  assert.deepEqual(bench.page.problems, []);
});

test("F5 every vector of confirm: two words, and nothing else", async () => {
  const [{ question }] = cases("confirm");
  assert.deepEqual(await decide(question, "Yes"), { status: "answered", response: "yes" });
  assert.deepEqual(await decide(question, "No"), { status: "answered", response: "no" });
  assert.deepEqual(await pressAll(cases("confirm"), (_, text) => ["yes", "no"].includes(text)), { passed: 3, unpressable: 9 });
  assert.deepEqual(bench.page.problems, []);
});

test("F10 every vector of rating: the places of its scale, and nothing else", async () => {
  const scale = ({ min = 1, max = 5 }) => Array.from({ length: max - min + 1 }, (_, index) => String(min + index));
  for (const { question } of cases("rating")) {
    const { control } = await bench.ask(question);
    const values = await control.getByRole("radio").evaluateAll((radios) => radios.map((radio) => radio.value));
    assert.deepEqual(values, scale(question));
    const verdict = question.initial === undefined ? { refused: "answers" } : { written: question.initial };
    await control.getByRole("radio").first().focus();
    await control.getByRole("radio").first().blur();
    await bench.judge(control, verdict, "before anything is chosen");
  }
  assert.deepEqual(await pressAll(cases("rating"), (question, text) => scale(question).includes(text)), { passed: 11, unpressable: 23 });
  assert.deepEqual(bench.page.problems, []);
});
