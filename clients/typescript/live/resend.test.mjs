// A proposal is sent again by itself after every reconnect: it is judged once, and its verdict is told again.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as Y from "yjs";
import { Hub, until } from "./hub.mjs";

const QUESTION = { room: "shop", type: "text", message: "What shall it be called?" };

let hub, tokens, events;

before(async () => {
  hub = await Hub.start();
  tokens = {};
  for (const name of ["rita", "paul"]) tokens[name] = (await hub.give({ role: "answerer", name })).secret;
  events = async () => (await hub.call("GET", "/api/v1/audit?limit=200")).json.items.length;
});

after(() => hub.end());

/** The newest verdicts on a key, once there are so many. */
const told = (replica, key, times) =>
  until(`${times} verdicts on ${key}`, () => {
    const verdicts = replica.verdicts.filter((verdict) => verdict.key === key);
    return verdicts.length >= times && verdicts;
  });

async function reconnect(replica) {
  await replica.offline();
  await replica.online();
}

test("after a reconnect the winner wins again and the loser is late again", async () => {
  const id = await hub.ask(QUESTION);
  const [rita, paul] = [await hub.join("shop", tokens.rita).synced(), await hub.join("shop", tokens.paul).synced()];
  await rita.sees(id);
  const won = rita.propose({ requestId: id, response: "first" });
  await rita.verdict(won);
  const lost = paul.propose({ requestId: id, response: "second" });
  await paul.verdict(lost);
  const before = await events();
  for (let round = 2; round <= 4; round += 1) {
    await reconnect(rita);
    await reconnect(paul);
    const wins = await told(rita, won, round);
    const losses = await told(paul, lost, round);
    for (const verdict of wins) assert.deepEqual(verdict, wins[0], "the same words each time");
    assert.deepEqual([wins[0].success, wins[0].status, wins[0].outcome.response], [true, "answered", "first"]);
    for (const verdict of losses) assert.deepEqual(verdict, losses[0]);
    assert.deepEqual([losses[0].success, losses[0].answeredBy], [false, "rita"]);
  }
  assert.equal(await events(), before, "nothing has happened that was not there before");
  assert.equal(rita.items.filter((item) => item.id === id).length, 1);
});

test("after a restart, too", async () => {
  const id = await hub.ask(QUESTION);
  const rita = await hub.join("shop", tokens.rita).synced();
  await rita.sees(id);
  const key = rita.propose({ requestId: id, action: "decline", reason: "No." });
  await rita.verdict(key);
  await hub.restart("SIGKILL");
  const [before, after] = await told(rita, key, 2);
  assert.deepEqual(after, before);
  assert.deepEqual([after.success, after.status, after.outcome.reason], [true, "declined", "No."]);
});

test("from another replica of the same person", async () => {
  const id = await hub.ask(QUESTION);
  const rita = await hub.join("shop", tokens.rita).synced();
  await rita.sees(id);
  const key = rita.propose({ requestId: id, response: "mine" });
  const won = await rita.verdict(key);
  // A copy of the document, as a second device or a restored tab has it.
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(rita.doc));
  const device = await hub.join("shop", tokens.rita, { doc: copy }).synced();
  assert.deepEqual(await device.verdict(key), won);
  // And one that was never told: the same key, set anew.
  const other = await hub.join("@inbox", tokens.rita).synced();
  assert.deepEqual(await other.decide({ requestId: id, response: "mine" }, key), won);
  const late = await other.decide({ requestId: id, response: "mine" });
  assert.equal(late.code, "already-ended", "the control: another key");
});

test("a key is of the person who has used it", async () => {
  const id = await hub.ask(QUESTION);
  const rita = await hub.join("shop", tokens.rita).synced();
  await rita.sees(id);
  const key = rita.propose({ requestId: id, response: "mine" });
  await rita.verdict(key);
  const paul = await hub.join("shop", tokens.paul).synced();
  const verdict = await paul.decide({ requestId: id, response: "mine" }, key);
  assert.deepEqual([verdict.success, verdict.code, verdict.answeredBy], [false, "already-ended", "rita"]);
  const next = await hub.ask(QUESTION);
  await rita.sees(next);
  assert.equal((await paul.decide({ requestId: next, response: "his" }, `${key} again`)).success, true);
});
