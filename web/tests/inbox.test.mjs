// The inbox: what comes and goes by itself, who asks and waits, who sees it, and where else one is told.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm } from "./browser.mjs";

let hub;
let browser;
let page;
/** Asked first of all, by somebody who never waits. */
let left;

before(async () => {
  hub = await Hub.configured('[server]\nattended_for = "10s"\n');
  const { secret } = await hub.give({ role: "asker", name: "gone" });
  left = await hub.ask({ room: "attic", type: "confirm", message: "Is anybody there?" }, secret);
  browser = await Browser.start();
  page = await browser.open(hub);
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

const ask = (request) => hub.ask({ room: "shop", type: "confirm", ...request });
const row = (name, within = page) => within.getByRole("link", { name });
const gone = (name) => row(name).waitFor({ state: "detached" });

test("W2 S9 a question comes and goes by itself, under its room, with who asks, since when and until when", async () => {
  await page.goto(hub.origin);
  await row("Is anybody there?").waitFor();
  let loads = 0;
  page.on("framenavigated", () => (loads += 1));
  const id = await ask({ message: "Deploy?", from: "release-agent", timeout: 3600 });
  await row("Deploy?").waitFor();
  const text = await row("Deploy?").innerText();
  for (const part of [/Yes or no/, /bot \(calls itself "release-agent"\)/, /just now|seconds? ago/, /ends in (1 hour|59 minutes)/]) assert.match(text, part);
  await page.getByRole("heading", { name: "shop 1" }).waitFor();
  await page.getByRole("heading", { name: "attic 1" }).waitFor();
  const second = await ask({ questions: [{ type: "text", message: "a?" }, { type: "text", message: "b?" }], title: "Two things", type: undefined });
  await page.getByRole("heading", { name: "shop 2" }).waitFor();
  await row("Two things").getByText("2 questions").waitFor();
  await hub.answer(id, "yes");
  await gone("Deploy?");
  await hub.call("POST", `/api/v1/requests/${second}/cancel`, { body: {} });
  await gone("Two things");
  assert.equal(await page.getByRole("heading", { name: /^shop/ }).count(), 0, "a room without questions goes, too");
  assert.equal(loads, 0, "without a reload");
  assert.deepEqual(page.problems, []);
});

test("the title and the icon count what waits", async () => {
  const icon = () => page.evaluate(() => decodeURIComponent(document.querySelector('link[rel="icon"]').href));
  await until("one", async () => (await page.title()) === "(1) askback");
  assert.match(await icon(), />1<\/text>/);
  const id = await ask({ message: "Second?" });
  await until("two", async () => (await page.title()) === "(2) askback");
  assert.match(await icon(), />2<\/text>/);
  await row("Second?").click();
  await until("the title names what is open", async () => /^\(2\) /.test(await page.title()) && (await page.title()) !== "(2) askback");
  await hub.answer(id, "no");
  await until("one again", async () => (await page.title()).startsWith("(1) "));
});

test("a request opens at its own address; others are asked to log in first, and junk is said to be none", async () => {
  const id = await ask({ message: "At an address?" });
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("button", { name: "Yes" }).waitFor();
  const stranger = await browser.window(hub);
  await stranger.goto(`${hub.origin}/r/${id}`);
  await stranger.getByRole("heading", { name: "Log in" }).waitFor();
  assert.equal(await stranger.getByText("At an address?").count(), 0);
  for (const junk of ["nothing", "00000000-0000-0000-0000-000000000000", "%00", "%E0%A4%A", "<script>", "..%2f..%2fsettings", "x".repeat(150)]) {
    await page.goto(`${hub.origin}/r/${junk}`);
    await page.getByRole("heading", { name: "There is no such question" }).waitFor();
  }
  await page.getByRole("link", { name: "Back to the inbox" }).click();
  await page.waitForURL(`${hub.origin}/`);
  await hub.answer(id, "no");
  assert.deepEqual(page.problems, []);
});

test("S1 a person of one room sees that room alone", async () => {
  const { secret } = await hub.give({ role: "answerer", name: "rita", room: "shop" });
  const theirs = await ask({ message: "In the shop?" });
  const rita = await browser.open(hub, "/", { token: secret });
  await row("In the shop?", rita).waitFor();
  assert.equal(await rita.getByRole("listitem").filter({ hasText: "Is anybody there?" }).count(), 0);
  await rita.goto(`${hub.origin}/r/${left}`);
  await rita.getByRole("heading", { name: "There is no such question" }).waitFor();
  await rita.goto(`${hub.origin}/settings`);
  await rita.getByText("You see the room").waitFor();
  await hub.answer(theirs, "yes");
  assert.deepEqual(rita.problems, []);
});

test("S1 a session that is taken back ends at once", async () => {
  const token = await hub.give({ role: "answerer", name: "paul" });
  const paul = await browser.open(hub, "/", { token: token.secret });
  await row("Is anybody there?", paul).waitFor();
  await hub.revoke(token);
  await paul.getByRole("heading", { name: "Log in" }).waitFor();
  assert.equal(await paul.getByText("Is anybody there?").count(), 0);
});

test("light and dark are as the system has them", async () => {
  const brightness = async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    const colour = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    return colour.match(/\d+/g).slice(0, 3).map(Number).reduce((sum, one) => sum + one, 0);
  };
  assert.ok((await brightness("light")) > 600);
  assert.ok((await brightness("dark")) < 150);
  await page.emulateMedia({ colorScheme: null });
});

test("a question that comes while one looks elsewhere is notified, if one wants that, and a click opens it", async () => {
  const hidden = await browser.open(hub, "/", { permissions: ["notifications"] });
  await hidden.addInitScript(() => {
    window.notified = [];
    window.Notification = class extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title, options) {
        super();
        window.notified.push(Object.assign(this, { title, ...options }));
      }
      close() {
        this.isClosed = true;
      }
    };
    window.hide = (state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    };
  });
  const notified = () => hidden.evaluate(() => window.notified.map(({ title, body, tag }) => ({ title, body, tag })));
  await hidden.goto(`${hub.origin}/settings`);
  await hidden.evaluate(() => window.hide("hidden"));
  await ask({ message: "Not wanted?" });
  await row("Not wanted?", hidden).waitFor();
  assert.deepEqual(await notified(), [], "not unless it is switched on");
  await hidden.getByRole("checkbox", { name: /Tell me when a question comes/ }).check();
  await hidden.evaluate(() => window.hide("visible"));
  await ask({ message: "Seen anyway?" });
  await row("Seen anyway?", hidden).waitFor();
  assert.deepEqual(await notified(), [], "nor while one looks");
  await hidden.evaluate(() => window.hide("hidden"));
  const id = await ask({ message: "Wanted?", from: "agent\u202e7" });
  await until("it is notified", async () => (await notified()).length === 1);
  assert.deepEqual(await notified(), [{ title: 'Question from bot (calls itself "agent<U+202E>7") in shop', body: "Wanted?", tag: `/r/${id}` }]);
  await hidden.evaluate(() => window.notified[0].onclick(new Event("click")));
  await hidden.waitForURL(`**/r/${id}`);
  await hidden.getByRole("button", { name: "Yes" }).waitFor();
  assert.deepEqual(hidden.problems, []);
  await hidden.close();
});

test("S9 no quotation mark in a claim ends the quotation", async () => {
  await page.goto(hub.origin);
  const id = await ask({ message: "Who?", from: "“a” „b‟ ＂c＂ «d» 〝e〞 ″f″ ❝g❞" });
  await row("Who?").waitFor();
  assert.match(await row("Who?").innerText(), /calls itself "'a' 'b' 'c' 'd' 'e' 'f' 'g'"/);
  await hub.answer(id, "yes");
  await gone("Who?");
});

test("L9 what nobody waits for says so, and is dismissed in one go", async () => {
  const unattended = async () => (await hub.call("GET", "/api/v1/requests/unattended")).json.items.map(({ id }) => id);
  await until("nobody waits", async () => (await unattended()).includes(left), 20_000);
  const awaited = await ask({ message: "Somebody waits for this?" });
  const waiting = hub.outcome(awaited, 60).catch(() => {});
  await page.goto(hub.origin);
  const badge = row("Is anybody there?").getByText("Nobody waits");
  await badge.waitFor();
  assert.equal(await row("Somebody waits for this?").getByText("Nobody waits").count(), 0);
  await row("Is anybody there?").click();
  await page.getByText("Nobody is waiting for the answer any more.").waitFor();
  const count = (await unattended()).length;
  const dismiss = page.getByRole("button", { name: "Dismiss them" });
  await dismiss.click();
  await page.getByRole("dialog").getByRole("button", { name: "Keep them" }).click();
  assert.equal((await unattended()).length, count, "who keeps them keeps them");
  await dismiss.click();
  await calm(page);
  await page.getByRole("dialog").getByRole("button", { name: `Dismiss ${count}`, exact: true }).click();
  await page.getByText(/Cancelled by you/).waitFor();
  await gone("Is anybody there?");
  assert.deepEqual(await unattended(), []);
  const statuses = (await hub.call("GET", `/api/v1/requests/${left}`)).json.status;
  assert.equal(statuses, "cancelled");
  await row("Somebody waits for this?").waitFor();
  await hub.answer(awaited, "yes");
  await waiting;
  assert.deepEqual(page.problems, []);
});
