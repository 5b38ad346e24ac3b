// Asked with curl, answered by any Yjs client: the first valid answer counts, and what is none is told and changes nothing.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import * as Y from "yjs";
import { Hub, has, pause, until } from "./hub.mjs";

let hub, rita, bystander;

before(async () => {
  hub = await Hub.start();
  const token = await hub.give({ role: "answerer", name: "rita" });
  rita = await hub.join("shop", token.secret).synced();
  bystander = await hub.join("@inbox").synced();
});

after(() => hub.end());

function curl(...parameters) {
  const child = spawn("curl", ["-sS", "-H", `Authorization: Bearer ${hub.asker}`, ...parameters]);
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  const ended = new Promise((resolve) => child.once("close", resolve));
  return { isRunning: () => child.exitCode === null, json: ended.then(() => JSON.parse(said)) };
}

const asks = (request) => curl("-d", JSON.stringify({ room: "shop", ...request }), `${hub.origin}/api/v1/requests`).json;
const waits = (id) => curl(`${hub.origin}/api/v1/requests/${id}?wait=30`);

/** Asks with curl, proposes in the replica while another curl waits, and gives all that was told. */
async function story(request, proposal) {
  const { id } = await asks(request);
  const item = await rita.sees(id);
  const waiting = waits(id);
  const verdict = await rita.decide({ requestId: id, ...proposal });
  const outcome = await waiting.json;
  const final = await bystander.sees(id, outcome.status);
  return { id, item, verdict, outcome, final };
}

const BECAUSE = [{ type: "markdown", text: "Because." }];
const CHOICE = { type: "choice", message: "Which?", options: ["A", { value: "b", label: "B" }] };

test("curl hears at once what was set in a map", async () => {
  const { id } = await asks({ ...CHOICE, title: "Pick", timeout: 600, context: BECAUSE });
  const item = await rita.sees(id);
  const asked = { room: "shop", asker: "bot", title: "Pick", context: BECAUSE, type: "choice", message: "Which?" };
  has(item, asked);
  assert.ok(item.questionId && item.createdAt && item.expiresAt, JSON.stringify(item));
  const waiting = waits(id);
  await pause(300);
  assert.ok(waiting.isRunning(), "the control: without an answer, curl waits");
  const start = performance.now();
  const key = rita.propose({ requestId: id, response: "b", answeredBy: "mallory", answeredAt: "1999-01-01T00:00:00Z" });
  const outcome = await waiting.json;
  assert.ok(performance.now() - start < 1_000, "it waits for thirty seconds otherwise");
  assert.deepEqual([outcome.status, outcome.response, outcome.answeredBy, outcome.surface], ["answered", "b", "rita", "yjs"]);
  assert.ok(!outcome.answeredAt.startsWith("1999"), "the hub has a clock of its own");
  const verdict = await rita.verdict(key);
  assert.deepEqual(verdict, { key, requestId: id, success: true, status: "answered", outcome });
  const final = await bystander.sees(id, "answered");
  assert.deepEqual([final.response, final.selections, final.answeredBy, final.surface], ["b", ["b"], "rita", "yjs"]);
  assert.equal(final.context, undefined, "what it took to decide is not needed any more");
  assert.deepEqual(bystander.verdicts, [], "a verdict is for whoever proposed");
});

test("every way to answer", async () => {
  const many = { ...CHOICE, multiSelect: true, other: true };
  const form = { title: "Both", questions: [{ type: "text", message: "Name?" }, { type: "number", message: "Port?", min: 1 }] };
  for (const [request, proposal, expected] of [
    [CHOICE, { action: "answer", response: "A" }, { response: "A", selections: ["A"] }],
    [CHOICE, { selections: ["b"] }, { response: "b", selections: ["b"] }],
    [CHOICE, { response: "A", reason: undefined }, { response: "A" }],
    [CHOICE, { answers: [{ selections: ["A"] }] }, { response: "A" }],
    [CHOICE, { responses: ["b"] }, { response: "b" }],
    [many, { selections: ["A"], custom: "my own" }, { selections: ["A", "my own"], response: "A, my own" }],
    [many, { selections: [], custom: "mine" }, { response: "mine" }],
    [form, { responses: ["x", "8080"] }, { responses: ["x", "8080"] }],
    [form, { answers: [{ response: "x" }, { response: "8" }] }, { responses: ["x", "8"] }],
    [{ type: "confirm", message: "Sure?" }, { response: "yes" }, { response: "yes" }],
    [{ type: "multiline", message: "Text?" }, { response: "a\n😀" }, { response: "a\n😀" }],
  ]) {
    const { item, verdict, outcome, final } = await story(request, proposal);
    const about = JSON.stringify({ request, proposal, verdict, final });
    assert.equal(verdict.success, true, about);
    has(outcome, { status: "answered", answeredBy: "rita", surface: "yjs" }, about);
    has(final, expected, about);
    if (request.questions) assert.deepEqual([item.type, item.message, item.questions.length], ["form", "Both", 2]);
  }
});

test("declining with a reason, and cancelling", async () => {
  const declined = await story(CHOICE, { action: "decline", reason: "Neither." });
  assert.deepEqual([declined.outcome.status, declined.final.reason, declined.final.answeredBy], ["declined", "Neither.", "rita"]);
  const cancelled = await story(CHOICE, { action: "cancel", reason: "Moot." });
  for (const told of [cancelled.outcome, cancelled.verdict]) assert.equal(told.status, "cancelled");
  assert.equal(cancelled.final.reason, "Moot.");
  // Who comes after is told how it ended.
  for (const [ended, error] of [[declined, "Request was declined"], [cancelled, "Request was cancelled"]]) {
    const late = await rita.decide({ requestId: ended.id, response: "A" });
    assert.deepEqual([late.code, late.error, late.answeredBy, late.status], ["already-ended", error, "rita", ended.outcome.status]);
    assert.deepEqual(late.outcome, ended.outcome);
  }
});

test("too late for a timeout", async () => {
  const { id } = await asks({ type: "text", message: "Quick?", timeout: 1 });
  await rita.sees(id, "expired");
  const late = await rita.decide({ requestId: id, response: "slow" });
  assert.deepEqual([late.code, late.error, late.status], ["already-ended", "Request is not pending", "expired"]);
});

test("an answer that is not valid leaves the request as it is", async () => {
  const number = { type: "number", message: "Port?", min: 1, max: 9 };
  const form = { questions: [number, { type: "email", message: "Mail?" }] };
  for (const [request, wrong, right] of [
    [
      CHOICE,
      [{ response: "C" }, { selections: ["A", "b"] }, { selections: [] }, { selections: ["A"], custom: "x" }, { response: "" }],
      { response: "A" },
    ],
    [number, [{ response: "10" }, { response: "x" }, { responses: ["1", "2"] }, { responses: [] }], { response: "9" }],
    [
      form,
      [{ response: "1" }, { responses: ["1"] }, { responses: ["0", "a@b.c"] }, { responses: ["1", "b"] }],
      { responses: ["1", "me@example.com"] },
    ],
  ]) {
    const { id } = await asks(request);
    await rita.sees(id);
    for (const proposal of wrong) {
      const verdict = await rita.decide({ requestId: id, ...proposal });
      const about = JSON.stringify({ proposal, verdict });
      has(verdict, { success: false, code: "invalid-answer", error: "Answer not valid", status: "pending", requestId: id }, about);
      assert.ok(verdict.problems.length > 0, about);
      for (const problem of verdict.problems) assert.ok(problem.path && problem.rule && problem.message, about);
    }
    assert.equal((await hub.outcome(id)).status, "pending");
    assert.equal(rita.find(id).status, "pending");
    const verdict = await rita.decide({ requestId: id, ...right });
    assert.equal(verdict.success, true, `it can still be answered: ${JSON.stringify(verdict)}`);
  }
});

test("what has not the shape of a proposal", async () => {
  const { id } = await asks(CHOICE);
  await rita.sees(id);
  const deep = (levels) => (levels === 0 ? "x" : [deep(levels - 1)]);
  const notObjects = ["A", 7, true, null, ["A"], new Uint8Array([1]), 7n];
  const sharedTypes = [new Y.Map([["requestId", id]]), new Y.Array(), new Y.Text("A"), new Y.Doc()];
  const noRequest = [{}, { response: "A" }, ...[7, null, [id]].map((requestId) => ({ requestId, response: "A" }))];
  const fields = [
    {},
    { action: "approve" },
    { action: 1, response: "A" },
    { action: "decline", reason: 7 },
    { response: 7 },
    { response: ["A"] },
    { response: NaN },
    { response: 7n },
    { response: new Uint8Array(9) },
    { response: deep(9) },
    { responses: "A" },
    { responses: [1] },
    { responses: Array(10_001).fill("A") },
    { selections: "A" },
    { answers: ["A"] },
    { answers: [{ response: "A", more: 1 }] },
    { response: "A", selections: ["A"] },
    { response: "A", extra: 1 },
    { response: "A", surface: "page" },
  ];
  const wrong = [...notObjects, ...sharedTypes, ...noRequest, ...fields.map((given) => ({ requestId: id, ...given }))];
  for (const proposal of wrong) {
    const verdict = await rita.decide(proposal);
    const about = `${String(proposal)} ${JSON.stringify(verdict)}`;
    assert.deepEqual([verdict.code, verdict.error], ["invalid-parameter", "Proposal not valid"], about);
    assert.ok(verdict.problems.length > 0, about);
  }
  for (const key of ["", "k".repeat(201), "two\nlines", "\u0000"]) {
    const verdict = await rita.decide({ requestId: id, response: "A" }, key);
    assert.deepEqual([verdict.success, verdict.code], [false, "invalid-parameter"], JSON.stringify(verdict));
  }
  const unknown = await rita.decide({ requestId: "01a1e3e8-dfc4-7143-a0bc-4158fb8350fa", response: "A" });
  assert.deepEqual([unknown.code, unknown.error], ["no-such-request", "Request not found"]);
  const nonsense = await rita.decide({ requestId: "no id at all", response: "A" });
  assert.equal(nonsense.code, "no-such-request");
  assert.ok(rita.provider.wsconnected, "none of it was worth a connection");
  assert.equal((await hub.outcome(id)).status, "pending");
  assert.equal((await rita.decide({ requestId: id, response: "A" }, "é".repeat(200))).success, true, "200 characters are a key");
});

test("what was taken back before it was sent is no proposal, and what stands under a key is one", async () => {
  const { id } = await asks(CHOICE);
  await rita.sees(id);
  rita.doc.transact(() => {
    rita.propose({ requestId: id, response: "A" }, "taken back");
    rita.doc.getMap("answers").delete("taken back");
  });
  await rita.offline();
  rita.propose({ requestId: id, response: "A" }, "taken back later");
  rita.doc.getMap("answers").delete("taken back later");
  await rita.online();
  const wrong = await rita.decide({ requestId: id, response: "C" }, "twice");
  assert.equal(wrong.code, "invalid-answer");
  // Corrected under the same key, online and then offline, where only the last word is sent.
  rita.propose({ requestId: id, response: "still wrong" }, "twice");
  await until("a second verdict", () => rita.verdicts.filter(({ key }) => key === "twice").length === 2);
  assert.equal((await hub.outcome(id)).status, "pending");
  await rita.offline();
  rita.propose({ requestId: id, response: "C" }, "twice");
  rita.propose({ requestId: id, response: "b" }, "twice");
  await rita.online();
  await until("it counts", () => rita.verdicts.some(({ key, success }) => key === "twice" && success));
  assert.equal(rita.verdicts.filter(({ key }) => key === "twice").length, 3);
  assert.equal((await hub.outcome(id)).response, "b");
  const keys = rita.verdicts.map((verdict) => verdict.key);
  assert.ok(!keys.includes("taken back") && !keys.includes("taken back later"));
  await until("both replicas are one", () => JSON.stringify(bystander.find(id)) === JSON.stringify(rita.find(id)));
});
