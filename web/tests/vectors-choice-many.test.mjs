// F16: every vector of a choice of many, pressed in its order.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CANT_BE } from "./pressing.mjs";
import { Bench } from "./vectors.mjs";
import { enterAll, OF_OTHER } from "./vectors-choice.mjs";

let bench;

before(async () => {
  bench = await Bench.start();
});

after(() => bench?.end());

test("F4, F11, F13 every vector of a choice of many", async () => {
  const { counts, passed } = await enterAll(bench, true);
  assert.deepEqual(counts, {
    [CANT_BE.offered]: 16,
    [CANT_BE.enabled]: 2,
    [CANT_BE.oneOther]: 4,
    [CANT_BE.once]: 3,
    [OF_OTHER]: 3,
  });
  assert.equal(passed, 50);
  assert.deepEqual(bench.page.problems, []);
});
