// The audit log on the page: the newest first, with filters, and as a file.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { Browser } from "./browser.mjs";

let hub;
let browser;
let page;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
  page = await browser.open(hub, "/audit");
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

const ask = (request) => hub.ask({ room: "shop", type: "confirm", ...request });
const rows = () => page.locator(".event").evaluateAll((all) => all.map((row) => `${row.querySelector(".badge").textContent} ${row.querySelector("a").textContent}`));
const shows = (expected) => until(`it shows ${expected.join(" | ")}`, async () => (await rows()).join() === expected.join());
const look = () => page.getByRole("button", { name: "Look again" }).click();

async function saved(name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("L6 the audit log shows what happened, the newest first, and leads to the request", async () => {
  await page.getByText("Nothing in the audit log matches.").waitFor();
  const yes = await ask({ message: "Deploy?" });
  await hub.answer(yes, "yes");
  const no = await ask({ type: "approval", message: "Drop it?", room: "api" });
  await hub.answer(no, "reject");
  const asks = await ask({ type: "text", message: "=HYPERLINK(1)" });
  await hub.call("POST", `/api/v1/requests/${asks}/decline`, { body: { reason: 'Which "one"?' } });
  await look();
  await shows(["Declined =HYPERLINK(1)", "Asked =HYPERLINK(1)", "Rejected Drop it?", "Asked Drop it?", "Answered Deploy?", "Asked Deploy?"]);
  assert.match(await page.locator(".event").first().innerText(), /by user through the API in shop · No\. 6\s+Which "one"\?/);
  await page.getByText("That is all.").waitFor();
  await page.locator(".event").nth(4).getByRole("link").click();
  await page.waitForURL(`**/r/${yes}`);
  await page.getByRole("link", { name: "Back to: Audit log" }).click();
  await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
  assert.deepEqual(page.problems, []);
});

test("L6 it is filtered by room, actor, change, request and day", async () => {
  const field = (name) => page.getByRole("search").getByLabel(name, { exact: true });
  const all = ["Declined =HYPERLINK(1)", "Asked =HYPERLINK(1)", "Rejected Drop it?", "Asked Drop it?", "Answered Deploy?", "Asked Deploy?"];
  await shows(all);
  await field("Room").fill("api");
  await field("Room").press("Enter");
  await shows(["Rejected Drop it?", "Asked Drop it?"]);
  await field("Room").fill("");
  await field("Done by").fill("user");
  await field("Done by").press("Tab");
  await shows(["Declined =HYPERLINK(1)", "Rejected Drop it?", "Answered Deploy?"]);
  await page.getByRole("combobox", { name: "What happened" }).selectOption({ label: "Answered" });
  await shows(["Answered Deploy?"]);
  await field("Done by").fill("");
  await page.getByRole("combobox", { name: "What happened" }).selectOption({ label: "Anything" });
  await shows(all);
  const { json } = await hub.call("GET", "/api/v1/requests?room=api");
  await field("ID of a request").fill(json.items[0].id);
  await field("ID of a request").press("Enter");
  await shows(["Rejected Drop it?", "Asked Drop it?"]);
  await field("ID of a request").fill("no id");
  await field("ID of a request").press("Enter");
  await page.getByRole("status").filter({ hasText: /id/ }).waitFor();
  await field("ID of a request").fill("");
  await field("ID of a request").press("Tab");
  const day = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  await field("From").fill(day(2));
  await shows([]);
  await field("From").fill(day(-2));
  await shows(all);
  await field("To").fill(day(-2));
  await shows([]);
  await field("To").fill("");
  await shows(all);
  assert.deepEqual(page.problems, []);
});

test("L6 it is exported whole, as JSON Lines and as CSV in which no cell is a formula", async () => {
  const json = await saved("Export as JSON Lines");
  assert.equal(json.name, "askback-audit.jsonl");
  const events = json.text.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(events, (await hub.call("GET", "/api/v1/audit")).json.items);
  const csv = await saved("Export as CSV");
  assert.equal(csv.name, "askback-audit.csv");
  const lines = csv.text.split("\r\n");
  assert.equal(lines[0], '"number","at","event","by","surface","room","asker","id","title","answers","reason"');
  assert.equal(lines.length, events.length + 2, "one for each, the head, and the end of the last");
  assert.match(csv.text, /"'=HYPERLINK\(1\)"/);
  assert.match(csv.text, /"Which ""one""\?"\r\n$/);
  await page.getByText("6 events exported, the oldest first.").waitFor();
  assert.deepEqual(page.problems, []);
});

test("L6 no cell of CSV begins a formula, also where a line is split at other signs", async () => {
  const hostile = ["x;=HYPERLINK(1);y", "＝1+1", " =1+1", "x\t=1+1", "a\n+2", "\u202e=1+1", "\u200b@SUM(1)", "a;b, -c"];
  for (const message of hostile) await ask({ type: "multiline", message, room: "formulas" });
  await look();
  const { text } = await saved("Export as CSV");
  for (const cell of text.matchAll(/"((?:[^"]|"")*)"/g)) {
    for (const part of cell[1].split(/[;\t\r\n]/)) assert.doesNotMatch(part, /^[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠]/u);
  }
  assert.match(text, /"a;b, -c"/, "what begins no cell stays as it is");
});

test("S3 a long log is read from its end, and a filter looks further back by itself", async () => {
  await hub.askMany("crowd", 300);
  await look();
  await until("a page is there", async () => (await rows()).length >= 50);
  assert.ok((await rows()).length <= 200, "not all at once");
  assert.match((await rows())[0], /^Asked Question/);
  const before = (await rows()).length;
  await page.getByRole("button", { name: "Show older ones" }).click();
  await until("more are there", async () => (await rows()).length > before);
  await page.getByRole("search").getByLabel("Room", { exact: true }).fill("api");
  await page.getByRole("search").getByLabel("Room", { exact: true }).press("Enter");
  await shows(["Rejected Drop it?", "Asked Drop it?"]);
  assert.deepEqual(page.problems, []);
});

test("S1 a person of one room sees the log of that room alone", async () => {
  const { secret } = await hub.give({ role: "answerer", name: "rita", room: "api" });
  const rita = await browser.open(hub, "/audit", { token: secret });
  await rita.getByText("That is all.").waitFor();
  assert.equal(await rita.locator(".event").count(), 2);
  assert.deepEqual(rita.problems, []);
});
