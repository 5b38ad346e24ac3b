// Who may see a room and who may answer in it, to the last detail of how they say who they are.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as Y from "yjs";
import { Hub, each, pause, until } from "./hub.mjs";
import { FROM_THE_START, proposing, step1, update } from "./raw.mjs";

const question = (room) => ({ room, type: "text", message: "What shall it be called?" });

let hub;

before(async () => (hub = await Hub.start()));

after(() => hub.end());

const give = (token) => hub.give({ role: "answerer", name: "rita", ...token });

/** With which code a room is closed to somebody. */
const refused = (room, token, options) => hub.raw(room, token, options).ended();

test("nobody comes in without a token that counts", async () => {
  const expired = await give({ expiresAt: new Date(Date.now() + 300).toISOString() });
  assert.equal(await refused("shop", null), 4401);
  assert.equal(await refused("shop", "nonsense"), 4401);
  assert.equal(await refused("shop", null, { query: "?token=" }), 4401);
  assert.equal(await refused("@inbox", null), 4401);
  assert.equal(await refused("shop", null, { headers: { authorization: "Bearer nonsense" } }), 4401);
  assert.equal(await refused("shop", null, { headers: { authorization: `Basic ${hub.person}` } }), 4401);
  const revoked = await give({});
  await hub.revoke(revoked);
  assert.equal(await refused("shop", revoked.secret), 4401);
  await pause(400);
  assert.equal(await refused("shop", expired.secret), 4401);
  // A provider of y-websocket is told for good: it does not try again.
  const replica = hub.join("shop", "nonsense");
  assert.equal(await replica.refused(), 4401);
  assert.equal(replica.provider.shouldConnect, false);
  // The controls: each way to say it.
  for (const options of [{ query: `?token=${hub.person}` }, { query: "", headers: { authorization: `Bearer ${hub.person}` } }]) {
    const raw = await hub.raw("shop", null, options).opened();
    await raw.send(FROM_THE_START).hears("step2");
    const older = await hub.raw("shop", null, { ...options, base: hub.sync.replace("/sync", "/api/v1/sync") }).opened();
    await older.send(FROM_THE_START).hears("step2");
  }
});

test("who loses the token is cut off and told nothing more", async () => {
  const token = await give({});
  const [replica, witness] = [await hub.join("shop", token.secret).synced(), await hub.join("shop").synced()];
  await hub.revoke(token);
  const id = await hub.ask(question("shop"));
  await witness.sees(id);
  assert.equal(await replica.refused(), 4401);
  assert.equal(replica.find(id), undefined, "the control: the witness has seen it");
  replica.propose({ requestId: id, response: "late" });
  replica.provider.connect();
  await pause(300);
  assert.deepEqual([(await hub.outcome(id)).status, replica.verdicts], ["pending", []]);
});

test("a token that ends while somebody is in the room", async () => {
  const token = await give({ expiresAt: new Date(Date.now() + 1_200).toISOString() });
  const replica = await hub.join("shop", token.secret).synced();
  assert.equal(await replica.refused(), 4401);
});

test("what was sent before the token was revoked and not yet heard counts no more", async () => {
  const token = await give({ name: "mallory" });
  const id = await hub.ask(question("shop"));
  const raw = await hub.raw("shop", token.secret).opened();
  // More than a connection may say at once, so that the last of it is heard seconds later.
  const many = Array.from({ length: 2_000 }, (_, number) => [`k${number}`, { requestId: "x", response: "x" }]);
  raw.send(update(proposing([...many, ["last", { requestId: id, response: "too late" }]])));
  await raw.hears("verdict", (verdict) => verdict.key === "k900");
  await hub.revoke(token);
  const told = raw.heard.length;
  assert.equal(await raw.ended(3_000), 4401, "at once, and not when all of it was heard");
  const after = raw.heard.slice(told).length;
  assert.ok(after < 100, `${after} messages after it was revoked`);
  assert.equal((await hub.outcome(id)).status, "pending");
});

test("an asker sees its own room, and answers nothing there", async () => {
  const [bot, other] = await each(["shop bot", "another bot"], 1, (name) => hub.give({ role: "asker", name, room: "shop" }));
  assert.equal(await refused("shop", hub.asker), 4403, "an asker without a room");
  assert.equal(await refused("@inbox", hub.asker), 4403);
  assert.equal(await refused("other", bot.secret), 4403);
  const replica = await hub.join("shop", bot.secret).synced();
  const own = await hub.ask(question("shop"), bot.secret);
  const foreign = await hub.ask(question("shop"), other.secret);
  for (const id of [own, foreign]) await replica.sees(id);
  const decide = async (requestId, proposal) => (await replica.decide({ requestId, ...proposal })).code;
  for (const proposal of [{ response: "me" }, { responses: ["me"] }, { action: "decline" }, { response: 7 }]) {
    assert.equal(await decide(own, proposal), "forbidden");
    assert.equal(await decide(foreign, proposal), "forbidden");
  }
  const unknown = "01a1e3e8-dfc4-7143-a0bc-4158fb8350fa";
  assert.equal(await decide(unknown, { response: "me" }), "forbidden", "it learns nothing from it");
  assert.equal(await decide(foreign, { action: "cancel" }), "forbidden");
  for (const id of [own, foreign]) assert.equal(replica.find(id).status, "pending");
  const cancelled = await replica.decide({ requestId: own, action: "cancel", reason: "Moot." });
  assert.deepEqual([cancelled.success, cancelled.status], [true, "cancelled"], "what is its own it takes back");
  await replica.sees(own, "cancelled");
});

test("an answerer of one room is in that room alone", async () => {
  const [shop, other] = [await give({ room: "shop" }), await give({ room: "other" })];
  assert.equal(await refused("shop", other.secret), 4403);
  assert.equal(await refused("other", shop.secret), 4403);
  const here = await hub.ask(question("shop"));
  const there = await hub.ask(question("other"));
  const inbox = await hub.join("@inbox", shop.secret).synced();
  const all = await hub.join("@inbox").synced();
  for (const id of [here, there]) await all.sees(id);
  await inbox.sees(here);
  assert.ok(inbox.items.every((item) => item.room === "shop"), "an inbox shows what the token may see");
  assert.equal((await inbox.decide({ requestId: there, response: "x" })).code, "no-such-request");
  // Nor does one with a token for all rooms answer through the socket of another one.
  const beside = await hub.join("shop").synced();
  const wrong = await beside.decide({ requestId: there, response: "x" });
  assert.deepEqual(wrong, { key: wrong.key, requestId: there, success: false, code: "no-such-request", error: "Request not found" });
  assert.equal((await hub.outcome(there)).status, "pending");
  assert.equal((await all.decide({ requestId: there, response: "x" })).success, true, "the control");
});

/** The secret of a session, as the page gets it by a login link. */
async function session() {
  const { json } = await hub.call("POST", "/api/v1/login-links");
  const code = new URLSearchParams(new URL(json.url).hash.slice(1)).get("code");
  const headers = { origin: hub.origin };
  const created = await hub.call("POST", "/api/v1/sessions", { token: null, headers, body: { code, redeem: true } });
  return created.json.secret;
}

test("S7 a session is accepted from the hub's own page alone, as a subprotocol", async () => {
  const secret = await session();
  const protocols = ["askback.v1", `askback.bearer.${secret}`];
  const enter = (headers, offered = protocols, address = "shop") => hub.raw(address, null, { headers, protocols: offered });
  const status = async (...args) => {
    const raw = enter(...args);
    return until("it is refused", () => raw.status ?? raw.closed?.code);
  };
  const { origin } = hub;
  assert.equal(await status({}), 4403, "without an Origin");
  assert.equal(await status({ origin: "http://evil.example" }), 403);
  assert.equal(await status({ origin: "null" }), 403);
  assert.equal(await status({ origin: `${origin}.evil.example` }), 403);
  assert.equal(await status({ origin: origin.replace("127.0.0.1", "localhost") }), 4403, "another name is another origin");
  assert.equal(await status({ authorization: `Bearer ${hub.person}`, origin: "http://evil.example" }, []), 403, "a token or not");
  assert.equal(await status({ origin, host: "evil.example" }), 421);
  assert.equal(await status({ origin }, ["askback.v1", "askback.bearer.nonsense"]), 4401);
  assert.equal(await status({ origin, cookie: `askback_session=${secret}` }, []), 4401, "no cookie counts");
  assert.equal(await status({ origin }, [], `shop?token=${secret}`), 4401, "addresses are for the tokens of programs");
  const id = await hub.ask(question("shop"));
  const raw = await enter({ origin }).opened();
  assert.equal(raw.protocol, "askback.v1", "the secret is not repeated");
  await raw.send(FROM_THE_START).hears("step2");
  raw.send(update(proposing([["by browser", { requestId: id, response: "x" }]])));
  const verdict = await raw.hears("verdict");
  assert.deepEqual([verdict.success, verdict.outcome.answeredBy], [true, "user"]);
  const logout = await hub.call("POST", "/api/v1/logout", { token: secret, headers: { origin } });
  assert.equal(logout.status, 204);
  assert.equal(await raw.ended(), 4401);
});

test("a replica of another history is not mixed with this one", async () => {
  const shop = await hub.join("shop").synced();
  await hub.ask(question("shop"));
  await until("something is there", () => shop.items.length > 0);
  const copy = new Y.Doc();
  Y.applyUpdate(copy, shop.bytes);
  const other = hub.join("other", hub.person, { doc: copy });
  assert.equal(await other.refused(), 4409);
  // Of a room of the same name on another hub.
  const elsewhere = await Hub.start();
  try {
    const replica = elsewhere.join("shop", elsewhere.person, { doc: copy });
    assert.equal(await replica.refused(), 4409);
  } finally {
    await elsewhere.end();
  }
  // One that has more than there is, as after a backup was restored.
  const [author, clock] = [...Y.decodeStateVector(Y.encodeStateVector(shop.doc))].find(([client]) => client >= 2 ** 32);
  const ahead = await hub.raw("shop").opened();
  ahead.send(step1(Y.encodeStateVector(new Map([[author, clock + 1_000]]))));
  assert.equal(await ahead.ended(), 4409);
  const again = new Y.Doc();
  Y.applyUpdate(again, shop.bytes);
  await hub.join("shop", hub.person, { doc: again }).synced();
});

test("names that no room has", async () => {
  for (const name of ["@all", "@", "%0a", "a%0ab", "x".repeat(201), "%20", "%ff"]) {
    const raw = hub.raw(name);
    const how = await until(`${name} is refused`, () => raw.closed?.code ?? raw.status);
    assert.ok(how === 4404 || how === 400 || how === 404, `${name}: ${how}`);
  }
  for (const name of ["x".repeat(200), "a%20b", "caf%C3%A9", "a.b", "a:b"]) {
    const raw = await hub.raw(name).opened();
    await raw.send(FROM_THE_START).hears("step2");
  }
});

test("rooms are named after folders, and y-websocket does not escape names", async () => {
  for (const [room, name] of [
    ["/srv/shop", "/srv/shop"],
    ["/srv/shop", "%2Fsrv%2Fshop"],
    ["a/b c", "a/b c"],
    ["why?", "why%3F"],
    ["café", "café"],
  ]) {
    const id = await hub.ask(question(room));
    const replica = await hub.join(name).synced();
    assert.equal((await replica.sees(id)).room, room);
  }
});

test("a call without an upgrade is told what this is", async () => {
  for (const address of ["/sync/shop", "/api/v1/sync/shop", "/sync/@inbox"]) {
    const answer = await hub.call("GET", address);
    assert.equal(answer.status, 426, answer.text);
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
    assert.equal(answer.json.status, 426);
  }
});

test("no token is in anything that the hub writes", async () => {
  // One in the background says more.
  const talkative = await Hub.start("--background");
  try {
    const token = await talkative.give({ role: "answerer", name: "rita" });
    const raw = await talkative.raw("shop", token.secret).opened();
    await raw.send(FROM_THE_START).hears("step2");
    await talkative.raw("shop", "a-token-that-never-counted").ended();
    await talkative.raw("@nowhere", token.secret).ended();
    raw.send(Buffer.from([0]));
    await raw.ended();
    await talkative.stop("SIGTERM");
    assert.match(talkative.log, /token/, "the control: it tells of tokens");
    for (const secret of [token.secret, "a-token-that-never-counted"]) assert.ok(!talkative.log.includes(secret), talkative.log);
    const isWord = (name) => /\.token$/.test(name);
    const files = readdirSync(talkative.folder, { withFileTypes: true }).filter((file) => file.isFile() && !isWord(file.name));
    assert.ok(files.length > 0);
    for (const { name } of files) {
      const bytes = readFileSync(join(talkative.folder, name), "latin1");
      assert.ok(!bytes.includes(token.secret), `it is in ${name}`);
    }
  } finally {
    await talkative.end();
  }
});
