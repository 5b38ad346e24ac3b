// What is beyond the document: more requests than it shows, and requests larger than it carries.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm } from "./browser.mjs";

let hub;
let browser;
let page;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
  page = await browser.open(hub);
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

test("a request that is too large for the document is shown whole", async () => {
  const text = Array.from({ length: 9_000 }, (_, line) => `line ${line} of a very long text that somebody must see`).join("\n");
  const id = await hub.ask({ room: "shop", type: "confirm", message: "All of it?", context: [{ type: "code", text: `${text}\nthe very end` }] });
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("button", { name: "Yes" }).waitFor();
  await page.getByText("the very end").waitFor({ state: "attached" });
  const shown = await page.getByRole("article").evaluate((element) => element.textContent.match(/line \d+ of a very/g).length);
  assert.equal(shown, 9_000);
  await calm(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByText("Your answer was accepted.").waitFor();
  assert.deepEqual(page.problems, []);
});

test("older ones are in the history, page by page, and the newest 500 in the inbox", async () => {
  const ids = await hub.askMany("crowd", 520);
  await page.goto(hub.origin);
  await page.getByRole("heading", { name: "Waiting for you 500" }).waitFor();
  const rows = page.getByRole("region", { name: "Waiting for you" }).getByRole("listitem").getByRole("link");
  const paths = (links) => links.evaluateAll((all) => all.map((link) => link.pathname));
  await page.getByText("These are the newest. More are waiting: the history has all of them.").waitFor();
  await until("all rows are there", async () => (await rows.count()) === 500);
  const shown = new Set(await paths(rows));
  const beyond = ids.filter((id) => !shown.has(`/r/${id}`));
  assert.equal(beyond.length, 20);
  const [oldest] = beyond;
  await page.goto(`${hub.origin}/r/${oldest}`);
  await page.getByRole("article").getByRole("textbox").first().fill("oldest");
  await calm(page);
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Your answer was accepted.").waitFor();
  assert.equal((await hub.outcome(oldest)).response, "oldest", "also what is beyond can be answered");

  await page.goto(`${hub.origin}/history`);
  const older = page.getByRole("button", { name: "Show older ones" });
  const all = page.getByText("That is all.");
  await until("all are there", async () => {
    await older.or(all).waitFor();
    if (await all.isVisible()) return true;
    await older.click();
    return false;
  });
  const listed = (await paths(page.getByRole("main").getByRole("link"))).filter((path) => !shown.has(path));
  assert.equal(new Set(listed).size, listed.length, "each once");
  for (const id of beyond) assert.ok(listed.includes(`/r/${id}`), "what the inbox does not show is here");
  assert.deepEqual(page.problems, []);
});
