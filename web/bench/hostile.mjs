// The longest task of the page with each of the requests that would freeze it, in a real browser before a real hub: prints the table of
// docs/page.md. `ASKBACK_BIN` names the binary; arguments are words of the names of those to measure.

import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser } from "../tests/browser.mjs";
import { slowRequests } from "../tests/hostile-slow.mjs";

const DRAWN_MS = 120_000;
const POLL_MS = 100;
/** The least of so many: a machine that is busy with something else makes any task longer. */
const TRIES = 3;

const words = process.argv.slice(2);
const chosen = slowRequests.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
const hub = await Hub.start();
const browser = await Browser.start();
try {
  const page = await browser.open(hub, "/");
  console.log("| what there is to look at | longest task, processor time | all of it is there after |\n|---|---|---|");
  for (const { name, contexts } of chosen) {
    const id = await hub.ask({ room: "shop", type: "confirm", message: "Go on?", context: contexts });
    let [longest, whole] = [Infinity, Infinity];
    for (let count = 0; count < TRIES; count += 1) {
      // From a page of little: leaving a large one takes time, too.
      await page.goto(`${hub.origin}/settings`);
      const work = await browser.longestWork(page, async () => {
        const began = performance.now();
        await page.goto(`${hub.origin}/r/${id}`);
        await page.waitForFunction(() => document.querySelector("form.answer"), undefined, { polling: POLL_MS, timeout: DRAWN_MS });
        whole = Math.min(whole, performance.now() - began);
      });
      longest = Math.min(longest, work);
    }
    console.log(`| ${name} | ${longest.toFixed(0)} ms | ${(whole / 1000).toFixed(1)} s |`);
  }
} finally {
  await browser.end();
  await hub.end();
}
