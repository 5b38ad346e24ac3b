// Requests that would freeze a page that drew everything at once: the page goes on answering, shows all of it, and then it can be decided.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser } from "./browser.mjs";
import { slowMarkdown, slowRequests } from "./hostile-slow.mjs";

/**
 * Processor time of one task of the page that would be noticed, in milliseconds. What is measured is below 60
 * (`web/bench/hostile.mjs`); this only tells a freeze from a busy machine.
 */
const FROZEN_MS = 500;

/** How long a busy machine may take to draw very much, in milliseconds. */
const DRAWN_MS = 60_000;

/** How often the test looks, in milliseconds: rarely, since the page has other work. */
const POLL_MS = 100;

let hub;
let browser;
let page;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
  page = await browser.open(hub, "/");
});
after(async () => {
  await browser?.end();
  await hub?.end();
});

/** Every Markdown text twice in one request, the one that once took 12.7 seconds fifty times, and what is drawn soon of everything else. */
const mixed = Object.values(slowMarkdown).flatMap((make) => Array.from({ length: 2 }, () => ({ type: "markdown", text: make() })));
const SOON = ["fifty texts of long runs of emphasis", "a diff of one line", "a diff of hidden characters", "JSON that grows when indented"];
const requests = [
  { name: "every Markdown text", contexts: mixed },
  ...slowRequests.filter(({ name }) => SOON.includes(name)),
];

for (const { name, contexts } of requests) {
  test(`S3 ${name}: no task is a freeze, and it can be answered once all of it is there`, async () => {
    const id = await hub.ask({ room: "shop", type: "confirm", message: "Go on?", context: contexts });
    await page.addInitScript(() => {
      const look = () => {
        const isLeft = document.querySelector(".still-drawing, .context[aria-busy='true']") !== null;
        if (isLeft && document.querySelector("form.answer")) globalThis.wasOfferedEarly = true;
        requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });
    const longest = await browser.longestWork(page, async () => {
      await page.goto(`${hub.origin}/r/${id}`);
      await page.waitForFunction(() => document.querySelector("form.answer"), undefined, { polling: POLL_MS, timeout: DRAWN_MS });
    });
    assert.ok(longest < FROZEN_MS, `${longest} ms in one task`);
    assert.equal(await page.evaluate(() => globalThis.wasOfferedEarly), undefined);
    assert.equal(await page.locator(".context").count(), contexts.length);
    const letters = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").length;
    const shown = await page.evaluate(() => [...document.querySelectorAll(".context-text")].map((place) => place.textContent.replace(/[^\p{L}\p{N}]/gu, "").length));
    for (const [index, { text }] of contexts.entries()) assert.ok(shown[index] >= letters(text), `context ${index} is whole`);
    assert.deepEqual(page.problems, []);
  });
}
