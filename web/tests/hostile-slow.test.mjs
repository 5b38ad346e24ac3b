// Requests that would freeze a page that drew everything at once: the page goes on answering, shows all of it, and then it can be decided.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser } from "./browser.mjs";
import { slowMarkdown, slowRequests } from "./hostile-slow.mjs";

/**
 * Processor time of one task of the page, in milliseconds. The promise is 50, and `web/bench/hostile.mjs` measures about half of that; this is
 * twice the promise because other programs slow a processor down, and still less than what a page without slices takes for a text of emphasis.
 * What bounds the work of each step is tested without a clock in `formatting.test.mjs`.
 */
const NOTICED_MS = 100;

/** It is the least of so many openings: a machine that is busy with something else makes any task longer, and a page that freezes does so each time. */
const OPENINGS = 3;

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
  await page.addInitScript(() => {
    const look = () => {
      const isLeft = document.querySelector(".still-drawing, .context[aria-busy='true']") !== null;
      if (isLeft && document.querySelector("form.answer")) globalThis.wasOfferedEarly = true;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
});
after(async () => {
  await browser?.end();
  await hub?.end();
});

/** Every Markdown text twice in one request, the one that once took 12.7 seconds fifty times, and what is drawn soon of everything else. */
const mixed = Object.values(slowMarkdown).flatMap((make) => Array.from({ length: 2 }, () => ({ type: "markdown", text: make() })));
const SOON = [
  "fifty texts of long runs of emphasis",
  "a diff of one line",
  "a diff of one file with a name without end",
  "a diff of hidden characters",
  "hidden characters line by line",
  "JSON that grows when indented",
];
const requests = [
  { name: "every Markdown text", contexts: mixed },
  ...slowRequests.filter(({ name }) => SOON.includes(name)),
];

/** The processor time of the longest task while a request is opened, until it can be answered. */
async function longestOf(id) {
  // From a page of little: leaving a large one takes time, too.
  await page.goto(`${hub.origin}/settings`);
  return browser.longestWork(page, async () => {
    await page.goto(`${hub.origin}/r/${id}`);
    await page.waitForFunction(() => document.querySelector("form.answer"), undefined, { polling: POLL_MS, timeout: DRAWN_MS });
  });
}

for (const { name, contexts } of requests) {
  test(`S3 ${name}: no task is noticed, and it can be answered once all of it is there`, async () => {
    const id = await hub.ask({ room: "shop", type: "confirm", message: "Go on?", context: contexts });
    let longest = Infinity;
    for (let opening = 0; opening < OPENINGS && longest >= NOTICED_MS; opening += 1) longest = Math.min(longest, await longestOf(id));
    assert.ok(longest < NOTICED_MS, `${longest} ms in one task`);
    assert.equal(await page.evaluate(() => globalThis.wasOfferedEarly), undefined);
    assert.equal(await page.locator(".context").count(), contexts.length);
    const letters = (text) => text.replace(/[^\p{L}\p{N}]/gu, "").length;
    const shown = await page.evaluate(() => [...document.querySelectorAll(".context-text")].map((place) => place.textContent.replace(/[^\p{L}\p{N}]/gu, "").length));
    for (const [index, { text }] of contexts.entries()) assert.ok(shown[index] >= letters(text), `context ${index} is whole`);
    assert.deepEqual(page.problems, []);
  });
}
