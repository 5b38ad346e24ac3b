// F16: every vector of date, entered into the browser's own field, which holds days and nothing else.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inSegments } from "./hands.mjs";
import { Bench, brief, cases, inTurns, Tally } from "./vectors.mjs";
import { textOf } from "./vectors-typed.mjs";

let bench;

before(async () => {
  bench = await Bench.start();
});

after(() => bench?.end());

const LIST = "one field holds one text, and no list";
const NO_SUCH_DAY = "no such day: the field is not complete";
const NEAREST = "no such month, day or year: the field goes to the nearest";
const NO_DATE = "not written as a date: the field stays empty";

/** What the field makes of the digits of a date that is none. */
const TYPED = {
  "2023-02-29": ["", NO_SUCH_DAY],
  "1900-02-29": ["", NO_SUCH_DAY],
  "2026-02-30": ["", NO_SUCH_DAY],
  "2026-04-31": ["", NO_SUCH_DAY],
  "2026-13-01": ["2026-12-01", NEAREST],
  "2026-00-10": ["2026-01-10", NEAREST],
  "2026-01-00": ["2026-01-01", NEAREST],
  "0000-01-01": ["0001-01-01", NEAREST],
};

const isShaped = (text) => /^\d{4}-\d\d-\d\d$/.test(text);

test("F8 every vector of date", async () => {
  const tally = new Tally();
  const passing = [];
  for (const { question, answers } of cases("date")) {
    const { control } = await bench.ask(question);
    await control.focus();
    await control.blur();
    for (const vector of inTurns(answers)) {
      const text = textOf(vector.given);
      if (text === undefined) {
        tally.add(LIST);
        continue;
      }
      const [holds, reason] = isShaped(text) ? (TYPED[text] ?? [text]) : text === "" || text === "10000-01-01" ? [text] : ["", NO_DATE];
      await enter(control, text);
      if (reason) tally.add(reason);
      // The nearest day is one that passes.
      const expected = reason === NEAREST ? { given: holds, written: holds } : vector;
      await bench.judge(control, { ...expected, holds }, brief(vector));
      if (expected.refused === undefined) passing.push({ question, vector: expected, enter: (field) => field.fill(holds) });
    }
  }
  assert.deepEqual(tally.counts, { [LIST]: 1, [NO_SUCH_DAY]: 4, [NEAREST]: 4, [NO_DATE]: 15 });
  await bench.send(passing);
  assert.equal(passing.length, 14);
  assert.deepEqual(bench.page.problems, []);
});

/** A date is typed digit by digit; what does not look like one can only be put there by a program, such as one that fills in forms. */
async function enter(field, text) {
  const put = (value) =>
    field.evaluate((element, value) => {
      element.value = value;
      element.dispatchEvent(new Event("input", { bubbles: true }));
    }, value);
  await put(isShaped(text) ? "" : text);
  if (!isShaped(text)) return;
  await field.focus();
  await bench.page.keyboard.type(inSegments(text));
  await field.blur();
}
