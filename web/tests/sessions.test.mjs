// Logging in and out in a real browser: by a link, in several tabs, over reloads and restarts, and after the session has ended.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { COUNTED, KEPT, OFFLINE, QUESTION, back, endings, field, gated, leave, seen, send } from "./away.mjs";
import { Browser, PHONE, endSessions, logIn, loginLink } from "./browser.mjs";

let hub;
let browser;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

const loggedIn = (page) => page.getByRole("heading", { name: "Waiting for you" }).waitFor();
const loggedOut = (page) => page.getByRole("heading", { name: "Log in", exact: true }).waitFor();

/** The link of a new person of this name, and their token. */
async function invite(name, body = {}) {
  const token = (await hub.give({ role: "answerer", name })).secret;
  return { token, link: await loginLink(hub, token, body) };
}

/** How many sessions a person has. */
async function sessions(name) {
  const { json } = await hub.call("GET", "/api/v1/tokens");
  return json.items.filter((token) => token.name === name && token.purpose === "session").length;
}

/** How many sockets of rooms are open. */
async function connections() {
  return Number(/^askback_room_connections (\d+)$/m.exec((await hub.call("GET", "/metrics")).text)[1]);
}

for (const [where, options] of Object.entries({ "at a desk": {}, "on a phone": PHONE })) {
  test(`S7 a link logs in ${where} once the person confirms it, and leaves no code behind`, async () => {
    const id = await hub.ask(QUESTION);
    const name = `ada ${where}`;
    const { link } = await invite(name, { path: `/r/${id}` });
    const page = await browser.window(hub, options);
    const sent = [];
    page.on("request", (request) => sent.push(request.url(), JSON.stringify(request.headers())));
    await page.goto(link);
    await seen(page, `Log in as ${name}?`);
    assert.equal(await sessions(name), 0, "opening a link redeems nothing");
    const code = new URL(link).hash.slice("#code=".length).split("&")[0];
    assert.ok(!sent.join().includes(code), "no address and no header has the code");
    await page.reload();
    await seen(page, `Log in as ${name}?`);
    await logIn(page, hub, `/r/${id}`);
    await send(page, "Mistral");
    await seen(page, COUNTED);
    assert.equal((await hub.outcome(id)).answeredBy, name);
    assert.deepEqual([await sessions(name), await page.context().cookies()], [1, []]);
    await page.goto(link);
    await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
    await page.getByRole("button", { name: "Back to the inbox" }).click();
    await loggedIn(page);
    assert.deepEqual(page.problems, []);
  });
}

test("S7 a login that is cancelled changes nothing", async () => {
  const { link } = await invite("bea");
  const page = await browser.window(hub);
  await page.goto(link);
  await page.getByRole("button", { name: "Cancel" }).click();
  await loggedOut(page);
  assert.equal(new URL(page.url()).hash, "", "the code is gone from the address");
  await page.goto(link);
  await logIn(page, hub);
  await loggedIn(page);
});

test("S7 a login that fails says whether the link can be used again", async () => {
  const { link } = await invite("kim");
  const page = await browser.window(hub);
  await page.route("**/api/v1/sessions", (route) => route.abort());
  await page.goto(link);
  await seen(page, "The link was not used up.");
  await page.unroute("**/api/v1/sessions");
  await page.getByRole("button", { name: "Try again" }).click();
  await seen(page, "Log in as kim?");
  // The hub redeems it, and its answer is lost.
  await page.route("**/api/v1/sessions", async (route) => (await route.fetch(), await route.abort()));
  await page.getByRole("button", { name: "Log in" }).click();
  await seen(page, /may have used the link up/);
  assert.equal(await sessions("kim"), 1);
  await page.context().close();
});

test("S7 a browser whose database never opens logs in for the tab", async () => {
  const { link } = await invite("lea");
  const page = await browser.window(hub);
  await page.addInitScript(() => (IDBFactory.prototype.open = () => new EventTarget()));
  await page.goto(link);
  await logIn(page, hub);
  await seen(page, /you are logged in in this tab only/);
  await page.context().close();
});

test("S7 a login link of elsewhere leads to no other place", async () => {
  const { link } = await invite("bob");
  for (const to of ["https://evil.example/", "//evil.example/", "/\\evil.example/", "javascript:alert(1)"]) {
    const page = await browser.window(hub);
    const { link } = await invite(`bob ${to.length}`);
    await page.goto(`${link}&to=${encodeURIComponent(to)}`);
    await logIn(page, hub);
    await page.context().close();
  }
  assert.ok(link.startsWith(`${hub.origin}/login#code=`));
});

test("S7 tabs share a login, survive a reload, and log out together", async () => {
  const before = await connections();
  const { link } = await invite("cleo");
  const first = await browser.window(hub);
  await first.goto(hub.origin);
  await loggedOut(first);
  const second = await browser.tab(first, hub, link.slice(hub.origin.length));
  await logIn(second, hub);
  await loggedIn(second);
  await loggedIn(first);
  await first.reload();
  await loggedIn(first);
  const third = await browser.tab(first, hub, "/settings");
  await seen(third, "cleo");
  await third.getByRole("button", { name: "Log out" }).click();
  for (const page of [first, second, third]) await loggedOut(page);
  assert.equal(await sessions("cleo"), 0, "the hub has revoked it");
  await until("its sockets are closed", async () => (await connections()) <= before);
  for (const page of [first, second, third]) assert.deepEqual(page.problems, []);
});

test("S7 a second login replaces the first in every tab, and revokes it", async () => {
  const [dora, emil] = [await invite("dora"), await invite("emil")];
  const page = await browser.window(hub);
  await page.goto(dora.link);
  await logIn(page, hub);
  await loggedIn(page);
  const other = await browser.tab(page, hub, (await loginLink(hub, dora.token)).slice(hub.origin.length));
  await seen(other, "Log in as dora?");
  await logIn(other, hub);
  await loggedIn(page);
  assert.equal(await sessions("dora"), 1, "the same person has one session in one browser");
  await other.goto(emil.link);
  await seen(other, "Log in as emil instead of dora?");
  await logIn(other, hub);
  await page.getByRole("link", { name: "Settings" }).click();
  await seen(page, "emil");
  assert.deepEqual([await sessions("dora"), await sessions("emil")], [0, 1]);
});

test("S7 a login outlives a restart of the hub", async () => {
  const { link } = await invite("fay");
  const page = await browser.window(hub);
  await page.goto(link);
  await logIn(page, hub);
  await loggedIn(page);
  await hub.stop("SIGKILL");
  await seen(page, OFFLINE);
  await hub.resume();
  await back(page);
  const id = await hub.ask({ ...QUESTION, message: "After the restart?" });
  await page.getByRole("link", { name: "After the restart?" }).click();
  await page.reload();
  await page.getByRole("textbox", { name: "After the restart?" }).waitFor();
  assert.equal((await hub.outcome(id)).status, "pending");
});

test("S7 a revoked session is deleted, and what was answered meanwhile is sent after the next login, once", async () => {
  const { token } = await invite("gus");
  const id = await hub.ask(QUESTION);
  const { page, gate } = await gated(browser, hub, `/r/${id}`, { token });
  await leave(page, gate);
  await send(page, "Tramontana");
  await seen(page, KEPT);
  assert.equal(await endSessions(hub, "gus"), 1);
  gate.open();
  await loggedOut(page);
  await seen(page, "What you have entered is kept in this browser");
  const kept = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open("askback-session");
        opening.onsuccess = () => {
          const reading = opening.result.transaction("session").objectStore("session").getAll();
          reading.onsuccess = () => resolve(reading.result);
        };
      }),
  );
  assert.deepEqual(kept, [], "the secret is deleted");
  assert.equal((await hub.outcome(id)).status, "pending");
  // The link is opened in another tab, and the tab that waits goes on by itself. Either of them sends it.
  const other = await browser.tab(page, hub, (await loginLink(hub, token)).slice(hub.origin.length));
  await logIn(other, hub);
  await until("it is answered", async () => (await hub.outcome(id)).status === "answered");
  await page.getByText(/^Your answer was accepted\.$|^Answered by you/).first().waitFor();
  assert.equal((await hub.outcome(id)).answeredBy, "gus");
  assert.equal(await endings(hub, id), 1);
  assert.deepEqual(page.problems, []);
});

test("S7 an API call that is refused logs out, too", async () => {
  const { token } = await invite("hal");
  const page = await browser.open(hub, "/", { token });
  await loggedIn(page);
  // No socket tells: the hub says so in the answer to a call.
  await page.routeWebSocket(/\/sync\//, () => {});
  await page.reload();
  assert.equal(await endSessions(hub, "hal"), 1);
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Open the page without scripts" }).click();
  await loggedOut(page);
});

test("S7 the page without scripts has a session of its own", async () => {
  const id = await hub.ask({ ...QUESTION, message: "Without scripts?" });
  const { token } = await invite("ida");
  const page = await browser.open(hub, "/settings", { token });
  await page.getByRole("button", { name: "Open the page without scripts" }).click();
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(/\/plain\/[\w-]{22}\/$/);
  const [cookie, ...more] = await page.context().cookies(page.url());
  assert.deepEqual([cookie.name, cookie.path, cookie.httpOnly, cookie.sameSite, more.length], ["askback_plain", new URL(page.url()).pathname, true, "Strict", 0]);
  assert.deepEqual(await page.context().cookies(hub.origin), [], "no other path has it");
  await page.getByRole("link", { name: "Without scripts?" }).click();
  await page.getByRole("textbox").first().fill("Yes");
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("Answered by you").waitFor();
  assert.equal((await hub.outcome(id)).answeredBy, "ida");
  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByText("askback open --plain").waitFor();
  assert.deepEqual(page.problems, []);
});
