// Clients that mean harm, each with a token that counts. All the while somebody honest asks and answers in the same room, and
// nothing that the others do is felt there or left behind in a document.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { after, before, test } from "node:test";
import * as encoding from "lib0/encoding";
import * as Y from "yjs";
import { Hub, each, pause, until } from "./hub.mjs";
import { FROM_THE_START, awareness, changes, deaf, lastWord, plain, proposing, step2, update } from "./raw.mjs";

/** What an honest client waits at most, for its question to be seen and for its answer to count. */
const LATENCY_MS = 500;

/** Megabytes that the hub may take: it had 80 at most when this was written. */
const MEMORY_MB = 200;

/** The rooms that are attacked: one in which somebody works, and one in which nothing is to change. */
const ROOMS = ["shop", "vault"];

let hub, rita, mallory, vault, author;
const latencies = [];
const lag = monitorEventLoopDelay({ resolution: 5 });

/** All that a new and honest client is told of a room. */
async function told(room) {
  const replica = await hub.join(room).synced();
  const { bytes } = replica;
  replica.leave();
  return bytes;
}

async function asksAndAnswers() {
  const start = performance.now();
  const id = await hub.ask({ room: "shop", type: "text", message: "Still there?" });
  await rita.sees(id);
  const seen = performance.now();
  const verdict = await rita.decide({ requestId: id, response: "yes" });
  assert.equal(verdict.success, true, JSON.stringify(verdict));
  await rita.sees(id, "answered");
  latencies.push(seen - start, performance.now() - seen);
}

/** Nobody honest has waited long, apart from what this process, in which the attackers run, was late itself. */
function assertQuick() {
  const [slowest, own] = [Math.max(...latencies.splice(0)), lag.max / 1e6];
  lag.reset();
  assert.ok(slowest - own < LATENCY_MS, `the slowest took ${slowest} ms, of which ${own} ms are our own`);
}

/** Attacks both rooms while the honest client works, and looks whether anything was felt. */
async function during(attack) {
  let isOver = false;
  const attacked = Promise.all(ROOMS.map((room) => attack(room))).finally(() => (isOver = true));
  for (let round = 0; round < 3 || !isOver; round += 1) {
    await asksAndAnswers();
    await pause(10);
  }
  await attacked;
  assertQuick();
  assert.ok(hub.isUp);
  assert.ok((await told("vault")).equals(vault), "not a byte has changed");
  assert.deepEqual((await hub.join("shop").synced()).items, rita.items);
}

const intrude = (room) => hub.raw(room, mallory).opened();

/** Sends on a connection of its own, and says how that ended: with a code, or not at all. */
async function sendAlone(room, message) {
  const raw = await intrude(room);
  raw.send(message, FROM_THE_START);
  await until("an end or an answer", () => raw.closed || raw.heard.some((heard) => heard.kind === "step2"));
  const { closed } = raw;
  raw.leave();
  return closed?.code ?? null;
}

before(async () => {
  hub = await Hub.start();
  mallory = (await hub.give({ role: "answerer", name: "mallory" })).secret;
  rita = await hub.join("shop", (await hub.give({ role: "answerer", name: "rita" })).secret).synced();
  const ids = await hub.askMany("vault", 30);
  for (const id of ids.slice(0, 10)) await hub.answer(id, "yes");
  vault = await told("vault");
  author = [...Y.decodeStateVector(Y.encodeStateVectorFromUpdate(vault)).keys()].find((client) => client >= 2 ** 32);
  await asksAndAnswers();
  latencies.length = 0;
  lag.enable();
});

after(() => hub.end());

test("bytes that are no messages", async () => {
  const codes = [];
  await during(async (room) => {
    const random = Array.from({ length: 80 }, (_, length) => randomBytes(length));
    const tagged = Array.from({ length: 80 }, (_, number) => Buffer.from([[0, 0], [0, 1], [0, 2], [1]][number % 4]));
    const messages = [...random, ...tagged.map((tag, length) => Buffer.concat([tag, randomBytes(length)]))];
    codes.push(...(await each(messages, 8, (message) => sendAlone(room, message))));
  });
  assert.ok(codes.filter((code) => code === 4400).length > 150, "most of it can't be read");
  assert.ok(codes.every((code) => code === 4400 || code === 4409 || code === null), JSON.stringify(codes));
});

test("updates that were cut off or changed", async () => {
  const honest = proposing([
    ["a", { requestId: "x", response: "y", answers: [{ selections: ["é"], custom: "😀" }] }],
    ["b", { requestId: "x", n: [1, 2.5, null] }],
  ]);
  const codes = [];
  await during(async (room) => {
    const whole = await told(room);
    const cut = Array.from({ length: honest.length }, (_, length) => update(honest.subarray(0, length)));
    const changed = Array.from({ length: 150 }, (_, number) => {
      const bytes = Buffer.from(number % 2 ? honest : whole.subarray(0, 60_000));
      for (const at of randomBytes(1 + (number % 4))) bytes[(at * 7919) % bytes.length] = randomBytes(1)[0];
      return (number % 3 ? update : step2)(bytes);
    });
    codes.push(...(await each([...cut, ...changed], 8, (message) => sendAlone(room, message))));
    assert.equal(await sendAlone(room, update(honest)), null, "the control: it was worth reading");
  });
  assert.ok(codes.filter((code) => code === 4400).length > honest.length, "whatever is cut off can't be read");
  assert.ok(codes.every((code) => code === 4400 || code === null));
});

test("frames that are none", async () => {
  const mask = [0, 0, 0, 0];
  const question = Buffer.concat([Buffer.from([0x82, 0x80 | FROM_THE_START.length, ...mask]), FROM_THE_START]);
  const long = (length) => {
    const head = Buffer.alloc(14);
    head.set([0x82, 0xff]);
    head.writeBigUInt64BE(length, 2);
    return head;
  };
  const wrong = [
    [1002, "without a mask", [0x82, 0x01, 0]],
    [1002, "an extension", [0xc2, 0x80, ...mask]],
    [1002, "no known purpose", [0x83, 0x80, ...mask]],
    [1002, "nor this", [0x8b, 0x80, ...mask]],
    [1002, "a long ping", [0x89, 0xfe, 0, 126, ...mask]],
    [1002, "a ping in pieces", [0x09, 0x80, ...mask]],
    [1002, "going on without a beginning", [0x80, 0x80, ...mask]],
    [1002, "a message within another", [0x02, 0x80, ...mask, 0x82, 0x80, ...mask]],
    [4400, "an empty message", [0x82, 0x80, ...mask]],
    [4413, "a megabyte and a byte", long(2n ** 20n + 1n)],
    [4413, "more than memory", long(2n ** 63n - 1n)],
    [1002, "more than a length may be", long(2n ** 63n)],
    [1002, "all that can be said", long(2n ** 64n - 1n)],
    [1002, "a length in more bytes than it needs", [0x82, 0xfe, 0, 125, ...mask]],
  ];
  await during(async (room) => {
    for (const [code, about, bytes] of wrong) {
      const socket = plain(hub, room, mallory, { sent: [question, Buffer.from(bytes), randomBytes(2_000)] });
      assert.deepEqual(await lastWord(socket), { status: 101, code }, about);
    }
    // One byte after the other, and a goodbye: the control.
    const slow = plain(hub, room, mallory);
    slow.setNoDelay();
    for (const byte of Buffer.concat([question, Buffer.from([0x88, 0x82, ...mask, 3, 232])])) {
      slow.write(Buffer.from([byte]));
      await pause(1);
    }
    assert.deepEqual(await lastWord(slow), { status: 101, code: 1000 });
    // A message of empty pieces, which never ends and never grows.
    const empty = Buffer.concat(Array(50_000).fill(Buffer.from([0x00, 0x80, ...mask])));
    const endless = plain(hub, room, mallory, { sent: [Buffer.from([0x02, 0x80, ...mask]), empty, empty] });
    await pause(300);
    endless.destroy();
    // Hands that are not shaken.
    const keys = [null, "x", "AAAA"].map((key) => ({ "Sec-WebSocket-Key": key }));
    for (const headers of [...keys, { "Sec-WebSocket-Version": "12" }, { Upgrade: "h2c" }]) {
      const { status } = await lastWord(plain(hub, room, mallory, { headers: { ...headers, Connection: "Upgrade, close" } }));
      assert.ok(status >= 400 && status < 500, `${JSON.stringify(headers)}: ${status}`);
    }
  });
});

test("messages that are too large", async () => {
  const tooLarge = async (room, size) => {
    const raw = await intrude(room);
    raw.send(Buffer.alloc(size, 1));
    assert.equal(await raw.ended(), 4413);
  };
  const proposed = async (room) => {
    const replica = hub.join(room, mallory);
    replica.propose({ requestId: "x", response: "x".repeat(3 << 20) });
    assert.equal(await replica.refused(), 4413, "a provider is told for good");
  };
  // A message that never ends: in pieces, each of them small, and sent while the hub already says why it does not read on.
  const endless = async (room) => {
    const raw = await intrude(room);
    for (let sent = 0; sent < 200; sent += 1) raw.socket.send(Buffer.alloc(10_000), { fin: false }, () => {});
    assert.equal(await raw.ended(), 4413);
  };
  const allowed = async (room) => {
    const raw = await intrude(room);
    raw.send(update(proposing([["k", { requestId: "x", response: "x".repeat(1_000_000) }]])));
    assert.equal((await raw.hears("verdict")).success, false, "the control: not a byte too many");
  };
  await during((room) =>
    Promise.all([tooLarge(room, 3 << 20), tooLarge(room, (1 << 20) + 1), proposed(room), endless(room), allowed(room)]),
  );
});

test("texts", async () => {
  await during(async (room) => {
    const raw = await intrude(room);
    raw.socket.send("hello");
    assert.equal(await raw.ended(), 4400);
  });
});

test("whatever is written into the list itself", async () => {
  await during(async (room) => {
    const copy = () => {
      const doc = new Y.Doc();
      Y.applyUpdate(doc, vault);
      return doc;
    };
    const list = (doc) => doc.getArray("inputRequests");
    const forged = { id: "forged", room, asker: "mallory", type: "text", message: "Your password?", status: "pending" };
    const spoof = () => {
      const doc = copy();
      doc.clientID = author;
      return changes(() => list(doc).push([forged]), doc);
    };
    const deleted = () => {
      const doc = copy();
      return changes(() => list(doc).delete(0, list(doc).length), doc);
    };
    const raw = await intrude(room);
    raw.send(
      update(changes((doc) => list(doc).push([forged]))),
      update(changes((doc) => list(doc).insert(0, [forged]), copy())),
      update(changes((doc) => doc.getMap("inputRequests").set("0", forged))),
      update(spoof()),
      step2(spoof()),
      update(deleted()),
      step2(deleted()),
      FROM_THE_START,
    );
    await raw.hears("step2");
    assert.equal(raw.closed, null, "it can be read, and nobody does anything with it");
    // Whoever is in the room is told nothing of it.
    assert.ok(!rita.items.some((item) => item.id === "forged"));
  });
});

test("ten thousand authors, ten thousand proposals, and more levels than anybody needs", async () => {
  const authors = encoding.createEncoder();
  encoding.writeVarUint(authors, 10_000);
  for (let client = 1; client <= 10_000; client += 1) {
    // One struct, which sets a key: a value, in a root.
    for (const number of [1, client, 0, 0x28, 1]) encoding.writeVarUint(authors, number);
    encoding.writeVarString(authors, "answers");
    encoding.writeVarString(authors, `k${client}`);
    encoding.writeVarUint(authors, 1);
    encoding.writeAny(authors, { requestId: "x" });
  }
  encoding.writeVarUint(authors, 0);
  const many = Array.from({ length: 10_000 }, (_, number) => [`k${number}`, { requestId: "x", response: "y" }]);
  const nested = (levels) => Array.from({ length: levels }).reduce((inner) => [inner], "x");
  const levels = [30, 5_000].map((count) => proposing([["deep", { deep: nested(count) }]]));
  const sent = [encoding.toUint8Array(authors), proposing(many), ...levels].map((bytes) => update(bytes));
  await during(async (room) => {
    const [one, two, deep, deeper] = await each(sent, 1, async (message) => (await intrude(room)).send(message));
    assert.equal((await deep.hears("verdict")).code, "invalid-parameter");
    assert.equal(await deeper.ended(), 4400);
    for (const raw of [one, two]) await raw.hears("verdict", (verdict) => verdict.key === "k500");
    await pause(500);
    const heard = one.heard.filter((message) => message.kind === "verdict").length;
    assert.ok(heard < 2_000, `${heard} of them were heard: whoever says too much is heard more slowly`);
    for (const raw of [one, two, deep]) raw.leave();
  });
});

test("floods", async () => {
  await during(async (room) => {
    const forOne = awareness([{ client: 7, clock: 1, state: {} }]);
    const kinds = [FROM_THE_START, Buffer.from([3]), Buffer.from([77, 1]), forOne, update(proposing([["k", 1]]))];
    await each(kinds, kinds.length, async (message) => {
      const raw = await intrude(room);
      for (let sent = 0; sent < 4_000; sent += 100) {
        raw.send(...Array(100).fill(message));
        await pause(1);
      }
      await pause(500);
      raw.leave();
    });
    const pinging = await intrude(room);
    for (let sent = 0; sent < 4_000; sent += 1) pinging.socket.ping();
    pinging.leave();
    // And of connections themselves.
    await each(Array(200).fill(room), 20, async () => (await intrude(room)).leave());
  });
});

test("awareness of everybody", async () => {
  await during(async (room) => {
    const raw = await intrude(room);
    const crowd = Array.from({ length: 1_000 }, (_, client) => ({ client: client + 1, clock: 1, state: { n: client } }));
    raw.send(awareness(crowd));
    raw.send(awareness([{ client: 5, clock: 9, state: { text: "x".repeat(900_000) } }]));
    raw.send(awareness([{ client: rita.doc.clientID, clock: 99, state: { name: "mallory" } }]));
    raw.send(awareness([{ client: author, clock: 99, state: null }]));
    for (let clock = 10; clock < 300; clock += 1) raw.send(awareness([{ client: 1, clock, state: { clock } }]));
    raw.send(FROM_THE_START);
    await raw.hears("step2");
    assert.equal(raw.closed, null);
    raw.leave();
  });
  assert.ok(rita.awareness.getStates().size <= 3, "one for each connection");
});

test("many who say nothing, and many who never read", async () => {
  const context = [{ type: "markdown", text: "x".repeat(200_000) }];
  const heavy = { room: "heavy", type: "text", message: "Read it?", context };
  await each(Array(30).fill(heavy), 4, (request) => hub.ask(request));
  const whole = (await told("heavy")).length;
  assert.ok(whole > 5_000_000, "the control: held once for each of a hundred, it is more memory than there may be");
  await during(async (room) => {
    const silent = await each(Array(150).fill(room), 20, intrude);
    const unread = [...Array(50).fill("heavy"), ...Array(20).fill(room)].map((each) => deaf(hub, each, mallory));
    await pause(1_500);
    for (const raw of silent) assert.equal(raw.closed, null);
    for (const guest of silent) guest.leave();
    for (const socket of unread) socket.destroy();
  });
});

test("more rooms than there may be", async () => {
  // A room stays for a minute after everybody has left it, unless its place is needed: names alone keep nobody out.
  const names = Array.from({ length: 1_050 }, (_, number) => `room ${number}`);
  const codes = await each(names, 24, async (name) => {
    const raw = hub.raw(encodeURIComponent(name), mallory);
    await until("an answer", () => raw.closed || raw.heard.length > 0);
    const code = raw.closed?.code ?? null;
    raw.leave();
    return code;
  });
  assert.deepEqual(codes.filter((code) => code !== null), []);
  // Who is in a room stays in it.
  for (let round = 0; round < 5; round += 1) await asksAndAnswers();
  assertQuick();
});

test("what it has cost", async () => {
  const [most, now] = [hub.memory("VmHWM"), hub.memory("VmRSS")];
  console.log(`memory: ${now.toFixed()} MB, at most ${most.toFixed()} MB`);
  assert.ok(most < MEMORY_MB, `${most} MB`);
  assert.ok(hub.isUp);
  assert.ok((await told("vault")).equals(vault));
  await asksAndAnswers();
});
