// Rows of a context that are laid out as they come near move nothing: what is gone to is reached, and stays in view.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm, DESK, PHONE } from "./browser.mjs";
import { approvalOf, diffOf, scrollTo, staysInView } from "./deciding.mjs";

let stage;

before(async () => (stage = { hub: await Hub.start(), browser: await Browser.start() }));
after(async () => {
  await stage?.browser.end();
  await stage?.hub.end();
});

test("S5 digits and Tab bring a control into view where many rows are laid out on the way, and it stays there", async () => {
  for (const window of [DESK, PHONE]) {
    const { page, approve } = await approvalOf(stage, diffOf(3_000, 40), window);
    await page.getByRole("button", { name: /^Wrap lines of/ }).click();
    await page.keyboard.press("1");
    await staysInView(page, approve);
    await scrollTo(page, 0);
    await page.keyboard.press("Tab");
    await staysInView(page, page.getByRole("button", { name: "Reject" }));
    assert.deepEqual(page.problems, []);
  }
});

for (const [device, window] of [["desk", DESK], ["phone", PHONE]]) {
  test(`S5 on a ${device} End reaches the end at once, be it of few rows or of many`, async () => {
    for (const text of [diffOf(300), diffOf(3_000), diffOf(3_000, 40)]) {
      const { page, approve } = await approvalOf(stage, text, window);
      await page.keyboard.press("End");
      await calm(page);
      const left = await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight - window.scrollY);
      assert.ok(left < 2, `${left} pixels are below`);
      await staysInView(page, approve);
      assert.deepEqual(page.problems, []);
    }
  });

  test(`S5 on a ${device} rows that come near move nothing`, async () => {
    const { page } = await approvalOf(stage, diffOf(3_000, 40), window);
    const heightOf = () => page.evaluate(() => document.documentElement.scrollHeight);
    const expected = await heightOf();
    for (let y = 0; y < expected; y += 800) {
      await scrollTo(page, y);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    }
    const found = await heightOf();
    assert.ok(Math.abs(found - expected) < expected / 100, `${expected} pixels became ${found}`);
    assert.deepEqual(page.problems, []);
  });
}
