// The hub dies and comes back: replicas go on where they were, and what was under way counts once.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import * as Y from "yjs";
import { Hub, each, until } from "./hub.mjs";
import { FROM_THE_START, deaf, proposing, update, updates } from "./raw.mjs";

let hub;

beforeEach(async () => (hub = await Hub.start()));

afterEach(() => hub.end());

const question = (room) => ({ room, type: "text", message: "What shall it be called?" });

/** Codes of a hub that could not judge a proposal when it came. */
const TRANSIENT = ["too-many", "stopping", "store-full", "store-failed"];

const isOnce = (replica) => {
  const ids = replica.items.map((item) => item.id);
  assert.equal(new Set(ids).size, ids.length, "nothing is there twice");
};

test("a client goes on without beginning anew", async () => {
  await hub.askMany("shop", 300);
  const replica = await hub.join("shop").synced();
  await until("all are there", () => replica.items.length === 300);
  const whole = replica.bytesTold;
  await hub.restart("SIGKILL");
  const id = await hub.ask(question("shop"));
  await replica.sees(id);
  isOnce(replica);
  assert.equal(replica.items.length, 301);
  const more = replica.bytesTold - whole;
  assert.ok(more < 1_000, `${more} bytes to go on`);
  const fresh = await hub.join("shop").synced();
  assert.ok(fresh.bytesTold > 20_000 && fresh.bytesTold >= whole, "the control: a new one gets all");
  assert.deepEqual(fresh.items, replica.items);
});

test("a hub that stops says that it comes back", async () => {
  const raw = await hub.raw("shop").opened();
  await raw.send(FROM_THE_START).hears("step2");
  const replica = await hub.join("shop").synced();
  await hub.stop("SIGTERM");
  assert.equal(await raw.ended(), 1001);
  await hub.resume();
  await replica.synced();
  assert.equal(replica.closed, null, "a provider tries again");
});

test("it stops when it is told to, whatever is being done to it", async () => {
  const context = [{ type: "markdown", text: "x".repeat(200_000) }];
  await each(Array(20).fill({ ...question("heavy"), context }), 4, (request) => hub.ask(request));
  const unread = Array.from({ length: 10 }, () => deaf(hub, "heavy", hub.person));
  const busy = await hub.raw("shop").opened();
  busy.send(update(proposing(Array.from({ length: 8_000 }, (_, number) => [`k${number}`, { requestId: "x" }]))));
  await busy.hears("verdict");
  const start = performance.now();
  await hub.stop("SIGTERM");
  const took = performance.now() - start;
  assert.ok(took < 8_000, `it took ${took} ms, and the busy one alone would have kept it for half a minute`);
  assert.equal(await busy.ended(), 1001);
  for (const socket of unread) socket.destroy();
  await hub.resume();
  assert.equal((await hub.join("heavy").synced()).items.length, 20, "and comes back with everything");
});

test("killed while people answer", async () => {
  const rounds = 4;
  const ids = await hub.askMany("shop", 40);
  const names = ["rita", "paul", "ada"];
  const people = await each(names, 1, async (name) => {
    const { secret } = await hub.give({ role: "answerer", name });
    const replica = await hub.join("shop", secret).synced();
    return { name, replica, proposed: [] };
  });
  const witness = await hub.join("@inbox").synced();
  for (const { replica } of people) await replica.sees(ids.at(-1));
  for (let round = 0; round < rounds; round += 1) {
    const now = ids.slice(round * 10, round * 10 + 10);
    for (const { name, replica, proposed } of people) {
      for (const id of now) proposed.push({ id, name, key: replica.propose({ requestId: id, response: name }) });
    }
    // At another point each time: before, in the midst of, and after some verdicts.
    await until("some verdicts", () => people.some(({ replica }) => replica.verdicts.length >= round * 12));
    await hub.stop("SIGKILL");
    await hub.resume();
  }
  for (const { replica, proposed } of people) {
    for (const { key } of proposed) await replica.verdict(key);
  }
  for (const id of ids) {
    const outcome = await hub.outcome(id);
    assert.equal(outcome.status, "answered");
    for (const { name, replica, proposed } of people) {
      const { key } = proposed.find((each) => each.id === id);
      // However often it was sent, and whatever it was told before it was on disk.
      const verdicts = replica.verdicts.filter((verdict) => verdict.key === key && !TRANSIENT.includes(verdict.code));
      for (const verdict of verdicts) {
        assert.deepEqual([verdict.success, verdict.outcome.answeredBy], [name === outcome.answeredBy, outcome.answeredBy]);
      }
    }
  }
  const audit = (await hub.call("GET", "/api/v1/audit?room=shop&limit=200")).json.items;
  assert.equal(audit.length, 80, "each was asked once and answered once");
  for (const { replica } of [...people, { replica: witness }]) {
    await until("all are final", () => replica.items.length === 40 && replica.items.every((item) => item.status === "answered"));
    isOnce(replica);
    assert.deepEqual(replica.items, witness.items);
  }
});

test("a replica that was away the whole time merges cleanly", async () => {
  const [mine, taken, gone] = await hub.askMany("shop", 3);
  const away = await hub.join("shop").synced();
  for (const id of [mine, taken, gone]) await away.sees(id);
  await away.offline();
  const keys = [mine, taken, gone].map((id) => away.propose({ requestId: id, response: "from afar" }));
  await hub.answer(taken, "sooner");
  await hub.restart("SIGKILL");
  await hub.call("POST", `/api/v1/requests/${gone}/cancel`, { body: {} });
  const added = await hub.askMany("shop", 20);
  await hub.restart("SIGTERM");
  await away.online();
  const verdicts = await Promise.all(keys.map((key) => away.verdict(key)));
  assert.deepEqual(verdicts.map((verdict) => verdict.success), [true, false, false]);
  assert.deepEqual(verdicts.map((verdict) => verdict.code), [undefined, "already-ended", "already-ended"]);
  assert.deepEqual(verdicts.map((verdict) => verdict.status), ["answered", "answered", "cancelled"]);
  const fresh = await hub.join("shop").synced();
  await away.sees(mine, "answered");
  await fresh.sees(mine, "answered");
  isOnce(away);
  assert.deepEqual(away.items, fresh.items);
  for (const id of added) assert.equal(away.find(id).status, "pending");
  assert.equal(away.doc.store.pendingStructs, null, "nothing waits for what is never told");
});

test("a snapshot changes no byte", async () => {
  const ids = await hub.askMany("shop", 650);
  const watching = await hub.join("shop").synced();
  await each(ids.slice(100, 500), 16, (id) => hub.answer(id, "yes"));
  const elsewhere = await hub.askMany("other", 10);
  await hub.answer(elsewhere[0], "yes");
  const last = await hub.ask(question("shop"));
  await watching.sees(last);
  assert.ok(650 + 400 + 1 > 1_000, "so many events are written down");

  /** What the server itself says to a replica that knows nothing. */
  const whole = async (room) => {
    const raw = await hub.raw(room).opened();
    await raw.send(FROM_THE_START).hears("step2");
    raw.leave();
    return updates(raw.heard);
  };
  /** The same as Yjs writes it. */
  const rewritten = (pieces) => {
    const doc = new Y.Doc();
    for (const piece of pieces) Y.applyUpdate(doc, piece);
    return Buffer.from(Y.encodeStateAsUpdate(doc));
  };
  const rooms = ["shop", "other", "@inbox"];
  const before = await each(rooms, 1, whole);
  assert.ok(rewritten(before[0]).equals(watching.bytes), "a replica that was told of it one by one has the same bytes");
  assert.equal(before[1].length, 1, "what is small is told at once");
  assert.ok(rewritten(before[1]).equals(before[1][0]), "as Yjs writes it");
  for (const signal of ["SIGTERM", "SIGKILL", "SIGTERM"]) {
    await hub.restart(signal);
    assert.deepEqual(await each(rooms, 1, whole), before, `the server says the same after ${signal}`);
    const fresh = await hub.join("shop").synced();
    assert.ok(fresh.bytes.equals(watching.bytes), `a new replica after ${signal}`);
    fresh.leave();
  }
  // And it goes on from there, for those who were in the room all the time, too.
  await watching.synced();
  const next = await hub.ask(question("shop"));
  await watching.sees(next);
  const later = await whole("shop");
  assert.ok(rewritten(later).equals(watching.bytes));
  assert.notDeepEqual(later, before[0], "the control: an event changes it");
});
