// Finding a request again: search, filters and groups in the inbox and the history, short addresses, and the way back.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { Browser, DESK, PHONE } from "./browser.mjs";

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

const ask = (request) => hub.ask({ room: "shop", type: "confirm", ...request });
const cancel = (id) => hub.call("POST", `/api/v1/requests/${id}/cancel`, { body: {} });
const list = (within = page) => within.getByRole("region", { name: "Waiting for you" });
const names = (within) => within.locator("[data-row] .entry-name").allInnerTexts();
const shows = (expected, within = page) =>
  until(`the list shows ${expected}`, async () => (await names(list(within))).join() === expected.join());
const choose = (label, option, within = page) => within.getByRole("combobox", { name: label }).selectOption({ label: option });

/** Four requests of three agents in two rooms. */
async function four() {
  const ids = [
    await ask({ message: "Deploy the café?", from: "release-agent" }),
    await ask({ type: "approval", message: "Drop the table?", from: "claude-code" }),
    await ask({ type: "text", message: "Which name?", room: "api", from: "claude-code" }),
    await ask({ type: "dropdown", message: "Which country?", room: "api", options: ["France", "Ghana"] }),
  ];
  return ids;
}

test("W2 the inbox is searched by words, room, agent and kind, live, and says how much it shows", async () => {
  const ids = await four();
  await page.goto(hub.origin);
  const all = ["Deploy the café?", "Drop the table?", "Which name?", "Which country?"];
  await shows(all);
  await list().getByRole("button", { name: "Search and filter" }).click();
  const search = page.getByRole("searchbox", { name: "Search" });
  await until("the search has the focus", () => search.evaluate((field) => field === document.activeElement));
  await search.pressSequentially("which na");
  await shows(["Which name?"]);
  await page.getByRole("status").getByText("1 of 4", { exact: true }).or(page.getByText("1 of 4", { exact: true })).first().waitFor();
  await search.fill("CAFE release");
  await shows(["Deploy the café?"]);
  await search.fill("nothing like this");
  await page.getByText("No question here matches what you look for.").waitFor();
  await search.fill("");
  await choose("Room", "api");
  await shows(["Which name?", "Which country?"]);
  await choose("Kind", "Choice");
  await shows(["Which country?"]);
  await page.getByRole("button", { name: "Clear" }).click();
  await shows(all);
  await list().getByRole("button", { name: "Search and filter" }).click();
  await choose("Agent", 'bot (calls itself "claude-code")');
  await shows(["Drop the table?", "Which name?"]);
  // Still live: what matches appears, what does not is counted.
  const [matching, other] = [await ask({ message: "Again?", from: "claude-code" }), await ask({ message: "Not this", from: "x" })];
  await shows(["Drop the table?", "Again?", "Which name?"]);
  await page.getByText("3 of 6", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await Promise.all([matching, other].map(cancel));
  await shows(all);
  await Promise.all(ids.map(cancel));
  assert.deepEqual(page.problems, []);
});

test("n goes to what a search shows, and then to what it hides: nothing that waits is called nothing", async () => {
  const ids = await four();
  await page.goto(hub.origin);
  await list().getByRole("button", { name: "Search and filter" }).click();
  await choose("Room", "api");
  await shows(["Which name?", "Which country?"]);
  await page.getByRole("heading", { level: 1 }).focus();
  for (const at of [2, 3, 2]) {
    await page.keyboard.press("n");
    await page.waitForURL(`**/r/${ids[at]}`);
  }
  await cancel(ids[3]);
  await shows(["Which name?"]);
  await cancel(ids[2]);
  await shows([]);
  await page.getByRole("link", { name: "Next question" }).click();
  await page.waitForURL(`**/r/${ids[0]}`);
  await Promise.all(ids.slice(0, 2).map(cancel));
});

test("requests are grouped by agent, which is remembered", async () => {
  const ids = await four();
  const context = await browser.open(hub, "/");
  await list(context).getByRole("button", { name: "Search and filter" }).click();
  await context.getByRole("heading", { name: "shop 2" }).waitFor();
  await choose("Group by", "By agent", context);
  for (const name of ['bot (calls itself "release-agent") 1', 'bot (calls itself "claude-code") 2', "bot 1"]) {
    await context.getByRole("heading", { name, exact: true }).waitFor();
  }
  assert.match(await context.getByRole("link", { name: "Which name?" }).innerText(), /api/, "the row says the room");
  await context.reload();
  await context.getByRole("heading", { name: 'bot (calls itself "claude-code") 2' }).waitFor();
  await Promise.all(ids.map(cancel));
  assert.deepEqual(context.problems, []);
  await context.context().close();
});

test("what a search hides is not dismissed with the rest", async () => {
  const quiet = await Hub.configured('[server]\nattended_for = "10s"\n');
  try {
    const { secret } = await quiet.give({ role: "asker", name: "gone" });
    const [kept, shown] = [await quiet.ask({ room: "kept", type: "confirm", message: "Keep?" }, secret), await quiet.ask({ room: "gone", type: "confirm", message: "Drop?" }, secret)];
    await until("nobody waits", async () => (await quiet.call("GET", "/api/v1/requests/unattended")).json.items.length === 2, 20_000);
    const window = await browser.open(quiet);
    await window.getByText("2 questions that nobody is waiting for").first().waitFor();
    await list(window).getByRole("button", { name: "Search and filter" }).click();
    await choose("Room", "gone", window);
    await window.getByText("1 question that nobody is waiting for").first().waitFor();
    await window.getByRole("button", { name: "Dismiss them" }).click();
    await window.waitForTimeout(450);
    await window.getByRole("button", { name: "Dismiss 1", exact: true }).click();
    const statusOf = async (id) => (await quiet.call("GET", `/api/v1/requests/${id}`)).json.status;
    await until("one is gone", async () => (await statusOf(shown)) === "cancelled");
    assert.equal(await statusOf(kept), "pending");
    await window.context().close();
  } finally {
    await quiet.end();
  }
});

test("the history is searched, also for older requests than the document has", async () => {
  const old = await ask({ room: "attic", message: "The oldest of all?", from: "archivist" });
  await hub.answer(old, "yes");
  await hub.askMany("crowd", 210);
  await Promise.all((await pendingIds()).map((id) => hub.answer(id, "x")));
  const rejected = await ask({ type: "approval", message: "Rejected?" });
  await hub.answer(rejected, "reject");
  await page.goto(`${hub.origin}/history`);
  const main = page.locator(".history");
  await main.getByRole("button", { name: "Search and filter" }).click();
  await choose("Outcome", "Rejected");
  await until("one is left", async () => (await names(main)).join() === "Rejected?");
  await choose("Outcome", "All outcomes");
  await page.getByRole("searchbox", { name: "Search" }).fill("archivist");
  await page.getByText("Nothing here matches what you look for. Older ones may.").waitFor();
  await page.getByRole("button", { name: "Search older ones" }).click();
  await main.getByRole("link", { name: "The oldest of all?" }).waitFor();
  assert.deepEqual(page.problems, []);
});

async function pendingIds() {
  const pages = [];
  for (let cursor = ""; cursor !== null; ) {
    const { json } = await hub.call("GET", `/api/v1/requests?status=pending&limit=200${cursor && `&cursor=${cursor}`}`);
    pages.push(json.items.map(({ id }) => id));
    cursor = json.next;
  }
  return pages.flat();
}

test("/r/SHORTID leads to the request, pending or ended, and asks where several end so", async () => {
  const id = await ask({ message: "By its end?" });
  await page.goto(`${hub.origin}/r/${id.slice(-8)}`);
  await page.waitForURL(`${hub.origin}/r/${id}`);
  await page.getByRole("button", { name: "Yes" }).waitFor();
  await page.goto(`${hub.origin}/r/${id.slice(-8).toUpperCase()}`);
  await page.waitForURL(`${hub.origin}/r/${id}`);
  await hub.answer(id, "yes");
  await page.goto(`${hub.origin}/r/${id.slice(-8)}`);
  await page.waitForURL(`${hub.origin}/r/${id}`);
  const ids = ["0199a8b3-0000-7000-8000-00000000beef", "0199a8b3-0000-7000-8000-11111111beef"];
  for (const [index, id] of ids.entries()) {
    const body = { room: "shop", type: "confirm", message: `Number ${index}?` };
    assert.equal((await hub.call("POST", `/api/v1/requests?id=${id}`, { token: hub.asker, body })).status, 201);
  }
  await page.goto(`${hub.origin}/r/beef`);
  await page.getByRole("heading", { level: 1, name: "Several questions have an id that ends so" }).waitFor();
  await page.locator("#detail").getByRole("link", { name: "Number 1?" }).click();
  await page.waitForURL(`${hub.origin}/r/${ids[1]}`);
  await page.goto(`${hub.origin}/r/0000dead`);
  await page.getByRole("heading", { level: 1, name: "There is no such question" }).waitFor();
  await page.getByRole("link", { name: "Back to the inbox" }).click();
  await page.waitForURL(`${hub.origin}/`);
  await Promise.all(ids.map(cancel));
  assert.deepEqual(page.problems, []);
});

test("an unknown path is a page with a title and a way back", async () => {
  for (const path of ["/nowhere", "/history/", "/r/a/b"]) {
    const response = await page.goto(hub.origin + path);
    assert.equal(response.status(), 404, path);
    await page.getByRole("heading", { level: 1, name: "There is nothing here" }).waitFor();
    await until("the title says so", async () => (await page.title()).endsWith("There is nothing here"));
  }
  await page.getByRole("link", { name: "Back to the inbox" }).click();
  await page.waitForURL(`${hub.origin}/`);
  await page.getByRole("heading", { level: 1, name: "Waiting for you" }).waitFor();
  assert.equal((await hub.call("GET", "/nowhere")).json.status, 404, "a program gets a problem");
});

test("on a phone a way back leads to the list that one came from", async () => {
  const id = await ask({ message: "Back from here?" });
  const phone = await browser.open(hub, "/", PHONE);
  await phone.getByRole("link", { name: "Back from here?" }).click();
  await phone.waitForURL(`**/r/${id}`);
  await phone.getByRole("link", { name: "Back to: Inbox" }).click();
  await phone.waitForURL(`${hub.origin}/`);
  await hub.answer(id, "yes");
  await phone.getByRole("link", { name: "History" }).click();
  await phone.getByRole("link", { name: "Back from here?" }).click();
  await phone.getByRole("link", { name: "Back to: History" }).click();
  await phone.getByRole("heading", { level: 1, name: "History" }).waitFor();
  assert.deepEqual(phone.problems, []);
  const desk = await browser.open(hub, `/r/${id}`, DESK);
  await desk.getByRole("article").waitFor();
  assert.equal(await desk.getByRole("link", { name: "Back to: Inbox" }).count(), 0, "the inbox stands beside it");
});
