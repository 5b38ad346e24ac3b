// An approval of a context that is longer than the window, and where its parts are.

import assert from "node:assert/strict";
import { until } from "../../clients/typescript/live/hub.mjs";
import { calm, DESK } from "./browser.mjs";

export const scrollTo = (page, y) => page.evaluate((y) => window.scrollTo(0, y), y);

/** A diff of so many lines in some files, as an agent would show it. */
export function diffOf(lines, files = 1) {
  const changed = (file, index) => (index % 3 ? ` const unchanged${index} = read("${file}", ${index});` : `+const added${index} = write("${file}", ${index}, "and more than fits into a line of a phone");`);
  const each = Math.floor(lines / files);
  return Array.from({ length: files }, (_, file) => {
    const name = `src/part-${file}.ts`;
    const rows = Array.from({ length: each }, (_, index) => changed(name, index));
    const before = rows.filter((row) => row.startsWith(" ")).length;
    return [`--- a/${name}`, `+++ b/${name}`, `@@ -1,${before} +1,${each} @@`, ...rows].join("\n");
  }).join("\n");
}

/** An approval of a diff, with its buttons on the page. */
export async function approvalOf({ hub, browser }, text, window = DESK, question = {}) {
  const id = await hub.ask({ room: "shop", type: "approval", message: "Apply this patch?", context: [{ type: "diff", text }], ...question });
  const page = await browser.open(hub, `/r/${id}`, window);
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.waitFor();
  await calm(page);
  return { id, page, approve };
}

/** How much of an element is in the window. */
export const inView = (locator) =>
  locator.evaluate((element) => {
    const { top, bottom, height } = element.getBoundingClientRect();
    return Math.max(0, Math.min(bottom, window.innerHeight) - Math.max(top, 0)) / height;
  });

/** Waits until it is wholly in view, and sees that it stays there. */
export async function staysInView(page, locator) {
  await until("it is in view", async () => (await inView(locator)) === 1);
  await calm(page);
  assert.equal(await inView(locator), 1, "and stays there");
}
