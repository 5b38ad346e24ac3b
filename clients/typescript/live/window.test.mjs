// A document has an end: the newest of what is asked and the newest of what has ended, the same for everybody.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, each, has, until } from "./hub.mjs";

const PENDING = 500;
const FINAL = 200;

let hub;

before(async () => (hub = await Hub.start()));

after(() => hub.end());

/** The ids of a replica's items, by whether they are pending. */
function shown(replica) {
  const ids = (is) => replica.items.filter(is).map((item) => item.id);
  return { pending: ids((item) => item.status === "pending"), finals: ids((item) => item.status !== "pending") };
}

/** Ids in the order in which the log has them: the last of each is its newest event. */
async function logged(room) {
  const pending = [];
  const finals = [];
  let cursor = "";
  for (;;) {
    const page = (await hub.call("GET", `/api/v1/audit?room=${room}&limit=200${cursor}`)).json;
    for (const event of page.items) (event.event === "request.created" ? pending : finals).push(event.id);
    if (!page.next) return { pending: pending.filter((id) => !finals.includes(id)), finals };
    cursor = `&cursor=${page.next}`;
  }
}

test("the newest five hundred pending, and the newest two hundred that have ended", async () => {
  const watching = await hub.join("shop").synced();
  const inbox = await hub.join("@inbox").synced();
  const ids = await hub.askMany("shop", 700);
  await until("the last is there", () => shown(watching).pending.length === PENDING && watching.find(ids.at(-1)));
  const asked = await logged("shop");
  assert.equal(asked.pending.length, 700, "the control: HTTP has them all");
  const fresh = await hub.join("shop").synced();
  const newest = { pending: asked.pending.slice(-PENDING), finals: [] };
  for (const replica of [watching, fresh]) assert.deepEqual(shown(replica), newest);

  // Of those that are shown, and of those that are not any more.
  const answered = [...asked.pending.slice(0, 150), ...asked.pending.slice(-100)];
  await each(answered, 16, (id) => hub.answer(id, "yes"));
  const ended = await logged("shop");
  assert.equal(ended.finals.length, 250);
  const last = ended.finals.at(-1);
  await watching.sees(last, "answered");
  await inbox.sees(last, "answered");
  const late = await hub.join("shop").synced();
  // The place of a request that was pushed out stays empty.
  const pending = asked.pending.slice(-PENDING, -100);
  for (const replica of [watching, fresh, inbox, late]) {
    await until("all is told", () => shown(replica).finals.at(-1) === last);
    assert.deepEqual(shown(replica), { pending, finals: ended.finals.slice(-FINAL) });
  }
  assert.deepEqual(watching.items, late.items);
  assert.deepEqual(watching.items, inbox.items, "an inbox shows the same words");
  for (const replica of [watching, fresh]) assert.ok(replica.bytes.equals(late.bytes), "byte for byte");

  // One that is not shown can be answered all the same.
  const [hidden] = ended.pending;
  assert.equal(watching.find(hidden), undefined);
  assert.equal((await watching.decide({ requestId: hidden, response: "yes" })).success, true);
  await late.sees(hidden, "answered");
});

test("who reads slowly is told later, and ends with the same", async () => {
  const slow = await hub.join("busy").synced();
  const quick = await hub.join("busy").synced();
  slow.provider.ws.pause();
  const before = slow.heard.length;
  // More than is kept of what has changed, more than the sockets between hold, and more bytes than a document shows.
  const numbers = Array.from({ length: 1_100 }, (_, number) => number);
  const long = "m".repeat(9_000);
  const ids = await each(numbers, 32, (number) => hub.ask({ room: "busy", type: "text", message: `${number} ${long}` }));
  await each(ids.slice(500, 700), 16, (id) => hub.answer(id, "yes"));
  const last = await hub.ask({ room: "busy", type: "text", message: "The last?" });
  await quick.sees(last);
  assert.equal(slow.heard.length, before, "the control: it has not read");
  slow.provider.ws.resume();
  await slow.sees(last);
  const fresh = await hub.join("busy").synced();
  await until("the slow one has all of it", () => slow.bytes.equals(fresh.bytes));
  assert.ok(quick.bytes.equals(fresh.bytes));
  assert.deepEqual(slow.items, fresh.items);
  assert.ok(fresh.bytes.length < 11 << 20 && fresh.items.length < 700, "the oldest make place for the newest");
});

test("whoever comes in the midst of it ends with the same", async () => {
  const joined = [];
  const asked = hub.askMany("lively", 300).then(async (ids) => {
    await each(ids.slice(50, 250), 8, (id) => hub.answer(id, "yes"));
    return hub.ask({ room: "lively", type: "text", message: "The last?" });
  });
  let isOver = false;
  asked.finally(() => (isOver = true));
  while (!isOver) joined.push(await hub.join("lively").synced());
  const last = await asked;
  const sizes = new Set(joined.map((replica) => replica.bytesTold));
  assert.ok(joined.length > 5 && sizes.size > 1, "the control: they came at different times");
  const fresh = await hub.join("lively").synced();
  for (const replica of joined) {
    await replica.sees(last);
    assert.ok(replica.bytes.equals(fresh.bytes));
  }
});

test("a large document comes in pieces that a small device can hold", async () => {
  const fresh = await hub.join("busy").synced();
  const kinds = fresh.heard.map((message) => message.kind).filter((kind) => kind === "update" || kind === "step2");
  assert.ok(fresh.bytes.length > 2 << 20, "the control: it is large");
  assert.ok(kinds.length > 4 && kinds.at(-1) === "step2", "it is in step when it has all of them");
  for (const { kind, payload } of fresh.heard) if (kind !== "verdict") assert.ok(payload.length < 600_000);
});

test("what is very large is left out and named", async () => {
  const watching = await hub.join("large").synced();
  const text = "x".repeat(900_000);
  const context = [{ type: "markdown", text }];
  const id = await hub.ask({ room: "large", type: "text", message: "Read it?", context });
  const item = await watching.sees(id);
  assert.deepEqual([item.omitted, item.context, item.message], [["context"], undefined, "Read it?"]);
  const whole = await hub.call("GET", `/api/v1/requests/${id}/request`);
  assert.equal(whole.json.request.context[0].text, text, "the rest is on HTTP");
  const small = await hub.ask({ room: "large", type: "text", message: "Small?", context: [{ type: "markdown", text: "y" }] });
  assert.deepEqual([(await watching.sees(small)).omitted, watching.find(small).context.length], [undefined, 1], "the control");
  const options = Array.from({ length: 9_000 }, (_, number) => `${number} ${"o".repeat(40)}`);
  const wide = await hub.ask({ room: "large", type: "choice", message: "Which?", options });
  const listed = await watching.sees(wide);
  assert.deepEqual([listed.omitted, listed.options, listed.type], [["options"], undefined, "choice"]);
  assert.equal((await watching.decide({ requestId: wide, response: options[7] })).success, true);
  const questions = Array.from({ length: 40 }, () => ({ type: "text", message: "m".repeat(9_000) }));
  const form = await hub.ask({ room: "large", title: "Long", questions, context });
  const long = await watching.sees(form);
  has(long, { omitted: ["context", "questions"], questions: undefined, type: "form", message: "Long" });
  const fresh = await hub.join("large").synced();
  assert.deepEqual(fresh.items, watching.items);
  assert.ok(fresh.bytes.length < 300_000, `${fresh.bytes.length} bytes`);
  assert.equal((await fresh.decide({ requestId: id, response: "read" })).success, true);
  await watching.sees(id, "answered");
});
