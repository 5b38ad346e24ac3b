// F16: every vector of dropdown, typed into its field, and those that pass chosen from its list.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Bench } from "./vectors.mjs";
import { enterAll } from "./vectors-typed.mjs";

let bench;

before(async () => {
  bench = await Bench.start();
});

after(() => bench?.end());

test("F9 every vector of dropdown", async () => {
  const choose = async (field, { options }, value) => {
    const option = options.find((one) => one.value === value);
    const label = option?.label ?? value;
    await field.fill(label);
    // A description would stand behind it.
    await bench.page.getByRole("option", { name: new RegExp(`^${label}( Estados.*)?$`) }).click();
    assert.equal(await field.inputValue(), label);
  };
  const { counts, passed } = await enterAll(bench, "dropdown", [], choose);
  assert.deepEqual(counts, { "one field holds one text, and no list": 2 });
  assert.equal(passed, 9);
  assert.deepEqual(bench.page.problems, []);
});
