// F16: every vector of text, multiline and email, entered into its field.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Bench } from "./vectors.mjs";
import { enterAll } from "./vectors-typed.mjs";

let bench;

before(async () => {
  bench = await Bench.start();
});

after(() => bench?.end());

const ONE_LINE = "a field of one line turns line breaks into spaces, and has none at its end";
const LINE_FEEDS = "a field of lines has every line end as a line feed";

test("F1, F14 every vector of text", async () => {
  const { counts, passed } = await enterAll(bench, "text", [
    { given: "two\nlines", holds: "two lines", written: "two lines", reason: ONE_LINE },
    { given: "two\r\nlines", holds: "two lines", written: "two lines", reason: ONE_LINE },
  ]);
  assert.deepEqual(counts, { [ONE_LINE]: 2, "one field holds one text, and no list": 3 });
  assert.equal(passed, 19);
  assert.deepEqual(bench.page.problems, []);
});

test("F2 every vector of multiline", async () => {
  const { counts, passed } = await enterAll(bench, "multiline", [
    { given: "a\r\nb\rc\n\r\nd", holds: "a\nb\nc\n\nd", reason: LINE_FEEDS },
    { given: "x\r", holds: "x\n", reason: LINE_FEEDS },
    { given: "\n\r\n \t", holds: "\n\n \t", reason: LINE_FEEDS },
    { given: "a\r\nb\r", holds: "a\nb\n", reason: LINE_FEEDS },
  ]);
  assert.deepEqual(counts, { [LINE_FEEDS]: 4, "one field holds one text, and no list": 1 });
  assert.equal(passed, 8);
  assert.deepEqual(bench.page.problems, []);
});

test("F7 every vector of email", async () => {
  const { counts, passed } = await enterAll(bench, "email", [
    { given: " user@example.com\n", holds: " user@example.com", reason: ONE_LINE },
  ]);
  assert.deepEqual(counts, { [ONE_LINE]: 1, "one field holds one text, and no list": 1 });
  assert.equal(passed, 14);
  assert.deepEqual(bench.page.problems, []);
});
