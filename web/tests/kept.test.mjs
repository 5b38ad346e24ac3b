// What this browser keeps while the hub is away: whose it is, how long it stays, and that the page does without if it must.

import assert from "node:assert/strict";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { COUNTED, KEPT, OFFLINE, QUESTION, back, endings, field, gated, keptIn, leave, seen, send } from "./away.mjs";
import { Browser, endSessions, logIn, loginLink } from "./browser.mjs";

let hub;
let browser;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
});

beforeEach(async () => {
  if (!hub.isUp) await hub.resume();
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

test("S1 what one person has not sent is never sent in the name of another", async () => {
  const rita = (await hub.give({ role: "answerer", name: "rita" })).secret;
  const paul = (await hub.give({ role: "answerer", name: "paul" })).secret;
  const id = await hub.ask(QUESTION);
  const { page, gate } = await gated(browser, hub, `/r/${id}`, { token: rita });
  await leave(page, gate);
  await send(page, "Rita’s word");
  await seen(page, KEPT);

  // Her session ends before it is sent, and Paul logs in with the same browser.
  await endSessions(hub, "rita");
  gate.open();
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  const pauls = await browser.tab(page, hub, (await loginLink(hub, paul)).slice(hub.origin.length));
  await logIn(pauls, hub);
  await pauls.getByRole("link", { name: QUESTION.message }).click();
  assert.equal(await field(pauls).inputValue(), "", "he does not see it");
  // Her tab is his now, too.
  await page.getByRole("link", { name: "Settings" }).click();
  await seen(page, "paul");
  assert.equal((await hub.outcome(id)).status, "pending");
  await page.close();

  await pauls.goto(await loginLink(hub, rita));
  await seen(pauls, "Log in as rita instead of paul?");
  await logIn(pauls, hub);
  await until("it is answered", async () => (await hub.outcome(id)).status === "answered");
  assert.equal((await hub.outcome(id)).answeredBy, "rita", "it waited for her");
  assert.deepEqual(pauls.problems, []);
});

test("S1 whoever logs out leaves nothing behind", async () => {
  const [typed, queued] = [await hub.ask(QUESTION), await hub.ask(QUESTION)];
  const { page, gate } = await gated(browser, hub, `/r/${typed}`);
  await field(page).fill("A secret draft");
  await until("the draft is kept", async () => (await keptIn(page)).drafts === 1);
  await page.goto(`${hub.origin}/r/${queued}`);
  await field(page).waitFor();
  await leave(page, gate);
  await send(page, "A secret answer");
  await seen(page, KEPT);
  await until("both are kept", async () => JSON.stringify(await keptIn(page)) === '{"drafts":2,"queue":1}');
  await page.getByRole("link", { name: "Settings" }).click();
  await seen(page, "Answers that are not sent yet would be lost.");
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  assert.deepEqual(await keptIn(page), { drafts: 0, queue: 0 });
  assert.equal(await page.getByText("secret").count(), 0);
  gate.open();
  await page.reload();
  await page.getByRole("heading", { name: "Log in" }).waitFor();
  assert.deepEqual([await hub.outcome(typed), await hub.outcome(queued)].map(({ status }) => status), ["pending", "pending"]);
  assert.deepEqual(page.problems, []);
});

test("a hub with another history gets a new document, and what was not sent gets its verdict (4409)", async () => {
  const known = await hub.ask(QUESTION);
  const page = await browser.open(hub, `/r/${known}`);
  await field(page).waitFor();
  await hub.stop("SIGTERM");
  const database = join(hub.folder, "askback.db");
  copyFileSync(database, `${database}.earlier`);
  await hub.resume();
  const forgotten = await hub.ask({ ...QUESTION, message: "What will be forgotten?" });
  await page.getByRole("link", { name: /What will be forgotten/ }).waitFor();
  await hub.stop("SIGKILL");
  await seen(page, OFFLINE);
  await send(page, "Ostro");
  await seen(page, KEPT);
  for (const newer of ["-wal", "-shm"]) rmSync(database + newer, { force: true });
  copyFileSync(`${database}.earlier`, database);
  await hub.resume();
  await back(page);
  await seen(page, COUNTED);
  assert.equal((await hub.outcome(known)).answers[0].response, "Ostro");
  assert.equal((await hub.call("GET", `/api/v1/requests/${forgotten}/request`)).status, 404, "the control: it is another history");
  await page.getByRole("link", { name: /What will be forgotten/ }).waitFor({ state: "detached" });
  assert.equal(await endings(hub, known), 1);
  assert.deepEqual(page.problems, []);
});

for (const [how, script] of Object.entries({
  "is not there": () => Object.defineProperty(window, "indexedDB", { value: undefined }),
  throws: () => (IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); }),
  fails: () => (IDBFactory.prototype.open = () => { const request = new EventTarget(); setTimeout(() => request.onerror?.(new Event("error"))); return request; }),
})) {
  test(`S7 where IndexedDB ${how}, a login lasts as long as its tab, and the page says so`, async () => {
    const id = await hub.ask(QUESTION);
    const page = await browser.window(hub);
    await page.addInitScript(script);
    await page.goto(await loginLink(hub, hub.person, { path: `/r/${id}` }));
    await logIn(page, hub, `/r/${id}`);
    await seen(page, /you are logged in in this tab only/);
    await send(page, "Levante");
    await seen(page, COUNTED);
    assert.equal((await hub.outcome(id)).answers[0].response, "Levante");
    await page.reload();
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    assert.deepEqual(page.problems, []);
  });
}
