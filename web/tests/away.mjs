// A page whose hub goes away: how it is cut off, what it is sent meanwhile, and what its browser keeps.

import { calm } from "./browser.mjs";
import { Gate } from "./gate.mjs";

export const QUESTION = { room: "shop", type: "text", message: "What shall it be called?" };

export const OFFLINE = /The hub can’t be reached/;
export const KEPT = /Kept in this browser/;
export const COUNTED = "Your answer was accepted.";
export const LATE = "Too late: what you sent does not count.";

export const field = (page) => page.getByRole("textbox", { name: QUESTION.message });
export const seen = (page, text) => page.getByText(text).waitFor();

/** A page at an address whose connection can be cut. */
export async function gated(browser, hub, path, options) {
  const page = await browser.open(hub, "/", options);
  const gate = await Gate.before(page);
  await page.goto(hub.origin + path);
  await (path === "/" ? page.getByRole("heading", { name: "Waiting for you" }) : field(page)).waitFor();
  return { page, gate };
}

/** Cuts the connection of a page, which notices. */
export async function leave(page, gate) {
  await gate.shut();
  await seen(page, OFFLINE);
}

/** Comes back when the system says that there is a network again, not only at the next turn. */
export async function back(page) {
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await page.getByText(OFFLINE).waitFor({ state: "detached" });
}

/** Answers the question, once a press counts. */
export async function send(page, text) {
  await field(page).fill(text);
  await calm(page);
  await page.getByRole("button", { name: "Send answer" }).click();
}

/** How often something became of a request, by the hub's log. */
export async function endings(hub, id) {
  const { json } = await hub.call("GET", `/api/v1/audit?id=${id}&limit=200`);
  return json.items.filter(({ event }) => event !== "request.created").length;
}

/** How much this browser keeps, by what it is. */
export async function keptIn(page) {
  const [drafts, queue] = [await shelf(page, "drafts"), await shelf(page, "queue")];
  return { drafts: drafts.length, queue: queue.length };
}

/** Everything of one kind that this browser keeps. */
export function shelf(page, name) {
  return page.evaluate(
    (name) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open("askback");
        opening.onerror = reject;
        opening.onsuccess = () => {
          const reading = opening.result.transaction(name).objectStore(name).getAll();
          reading.onerror = reject;
          reading.onsuccess = () => {
            opening.result.close();
            resolve(reading.result);
          };
        };
      }),
    name,
  );
}
