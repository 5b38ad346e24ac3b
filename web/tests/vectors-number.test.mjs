// F16: every vector of number, entered into its field.

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

test("F6 every vector of number", async () => {
  const { counts, passed } = await enterAll(bench, "number", [{ given: "\t7\n", holds: "\t7", reason: ONE_LINE }]);
  assert.deepEqual(counts, { [ONE_LINE]: 1, "one field holds one text, and no list": 1 });
  assert.equal(passed, 61);
  assert.deepEqual(bench.page.problems, []);
});
