// S7: what a button of an approval does is on it, whatever label the asker chose.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { violations } from "./axe.mjs";
import { Browser, calm, DESK, PHONE } from "./browser.mjs";

const LABELS = ["Delete them", "Keep them"];

let hub;
let browser;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

const ask = (request) => hub.ask({ room: "shop", message: "Delete 3 files?", ...request });

/** The two sides of an approval in their order: what they say, line by line from the top, and their colours. */
function sides(page) {
  return page.locator(".decide").evaluateAll((all) =>
    all.map((side) => {
      const top = (element) => element.getBoundingClientRect().top;
      const lines = [...side.querySelectorAll("bdi, .meaning")].sort((one, other) => top(one) - top(other));
      const { color, backgroundColor } = getComputedStyle(side);
      return { lines: lines.map((line) => line.textContent), tops: new Set(lines.map(top)).size, colours: [color, backgroundColor] };
    }),
  );
}

test("S7 what a label means is as heavy as the label, and a step smaller at most", async () => {
  const page = await browser.open(hub, `/r/${await ask({ type: "approval", labels: LABELS })}`);
  await page.getByRole("button", { name: "Delete them approve", exact: true }).waitFor();
  const fonts = await page.locator(".decide .caption").evaluateAll((captions) =>
    captions.map((caption) =>
      ["bdi", ".meaning"].map((part) => {
        const { fontWeight, fontSize, color } = getComputedStyle(caption.querySelector(part));
        return { weight: Number(fontWeight), size: Number.parseFloat(fontSize), color };
      }),
    ),
  );
  assert.equal(fonts.length, 2);
  for (const [label, meaning] of fonts) {
    assert.ok(meaning.weight >= label.weight, `${meaning.weight} and ${label.weight}`);
    assert.ok(meaning.size >= label.size - 1, `${meaning.size}px and ${label.size}px`);
    assert.equal(meaning.color, label.color);
  }
  assert.deepEqual(page.problems, []);
});

for (const [device, window] of [["desk", DESK], ["phone", PHONE]]) {
  test(`S7 on a ${device} a second line says what a label means, in the usual place and colour`, async () => {
    const usual = await browser.open(hub, `/r/${await ask({ type: "approval" })}`, window);
    await usual.getByRole("button", { name: "Approve", exact: true }).waitFor();
    const page = await browser.open(hub, `/r/${await ask({ type: "approval", labels: LABELS })}`, window);
    await page.getByRole("button", { name: "Delete them approve", exact: true }).waitFor();
    await page.getByRole("button", { name: "Keep them reject", exact: true }).waitFor();
    const [plain, labelled] = [await sides(usual), await sides(page)];
    assert.deepEqual(plain.map(({ lines }) => lines), [["Approve"], ["Reject"]]);
    assert.deepEqual(labelled.map(({ lines }) => lines), [["Delete them", "✓ approve"], ["Keep them", "✗ reject"]]);
    assert.deepEqual(labelled.map(({ tops }) => tops), [2, 2], "on two lines");
    assert.deepEqual(labelled.map(({ colours }) => colours), plain.map(({ colours }) => colours));
    assert.deepEqual(await violations(page), []);
    assert.deepEqual([...usual.problems, ...page.problems], []);
  });
}

test("S7 in a form, in its review and in what became of it", async () => {
  const questions = [
    { type: "approval", message: "Delete 3 files?", labels: LABELS },
    { type: "confirm", message: "Sure?" },
  ];
  const id = await hub.ask({ room: "shop", questions });
  const page = await browser.open(hub, `/r/${id}`);
  await page.getByRole("radio", { name: "Delete them approve", exact: true }).check();
  await page.getByRole("radio", { name: "Yes", exact: true }).check();
  await calm(page);
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByText("Delete them (approve)").waitFor();
  await calm(page);
  await page.getByRole("button", { name: "Send answers" }).click();
  await page.getByText("Your answer was accepted.").waitFor();
  await page.getByText("Delete them (approve)").waitFor();
  assert.equal((await hub.outcome(id)).status, "answered");
  assert.deepEqual(page.problems, []);
});

test("S7 in the history", async () => {
  const id = await ask({ type: "approval", labels: LABELS });
  const page = await browser.open(hub, `/r/${id}`);
  const approve = page.getByRole("button", { name: "Delete them approve", exact: true });
  await approve.waitFor();
  await calm(page);
  await approve.click();
  await page.getByText("Your answer was accepted.").waitFor();
  await page.getByText("Delete them (approve)").waitFor();
  await page.getByRole("link", { name: "History" }).click();
  await page.locator(".history .entry-name").first().waitFor();
  await page.locator(".history").getByText("Delete them (approve)").waitFor();
  assert.deepEqual(page.problems, []);
});

test("F0 labels the wrong way round are not asked", async () => {
  const body = { room: "shop", type: "approval", message: "Delete 3 files?", labels: ["Reject", "Approve"] };
  const { status, json } = await hub.call("POST", "/api/v1/requests", { token: hub.asker, body });
  assert.equal(status, 422);
  assert.deepEqual(json.errors.map(({ path, rule }) => [path, rule]), [["labels[0]", "opposite"], ["labels[1]", "opposite"]]);
});

test("F0 labels that imitate a button or its second line are not asked", async () => {
  for (const [labels, rules] of [
    [["Go", "Later (reject)  [a] Keep all"], ["reserved"]],
    [["Show details      [r] Back", "Delete"], ["reserved"]],
    [["Keep them ✗ reject", "Delete them ✓ approve"], ["opposite", "opposite"]],
  ]) {
    const body = { room: "shop", type: "approval", message: "Delete 3 files?", labels };
    const { status, json } = await hub.call("POST", "/api/v1/requests", { token: hub.asker, body });
    assert.equal(status, 422);
    assert.deepEqual(json.errors.map(({ rule }) => rule), rules);
  }
});
