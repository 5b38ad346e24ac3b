// F16: every vector of a choice of one, pressed in its order.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CANT_BE } from "./pressing.mjs";
import { Bench } from "./vectors.mjs";
import { enterAll, OF_OTHER, ONE_LINE } from "./vectors-choice.mjs";

let bench;

before(async () => {
  bench = await Bench.start();
});

after(() => bench?.end());

test("F3, F11, F13 every vector of a choice of one", async () => {
  const { counts, passed } = await enterAll(bench, false);
  assert.deepEqual(counts, {
    [CANT_BE.offered]: 12,
    [CANT_BE.enabled]: 1,
    [CANT_BE.oneRadio]: 3,
    [OF_OTHER]: 1,
    [ONE_LINE]: 1,
  });
  assert.equal(passed, 28);
  assert.deepEqual(bench.page.problems, []);
});
