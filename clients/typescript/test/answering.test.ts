// W3, L1, F15: what a client writes, and what it concludes from the document alone.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  answerInputRequest,
  cancelInputRequest,
  declineInputRequest,
  find,
  resumeProposal,
  unsettled,
  verdictOf,
  type PendingRequest,
  type Submission,
  type Submitted,
  type Verdict,
} from "@askback/client";
import * as Y from "yjs";
import { HubDocument } from "./fake-hub.js";

const CHOICE = { type: "choice", message: "?", options: ["A", "B, C"], multiSelect: true, other: true, questionId: "1" };

function setUp(item: object): { hub: HubDocument; replica: Y.Doc } {
  const [hub, replica] = [new HubDocument(), new Y.Doc()];
  hub.ask({ id: "a", ...item });
  hub.sync(replica);
  return { hub, replica };
}

function proposals(replica: Y.Doc): Record<string, unknown>[] {
  return [...replica.getMap("answers").values()] as Record<string, unknown>[];
}

function submitted(submission: Submission): Submitted {
  assert.ok(submission.success, JSON.stringify(submission));
  return submission;
}

/** The verdict if there is one by now. */
async function now(verdict: Promise<Verdict>): Promise<Verdict | "open"> {
  const open = new Promise<"open">((resolve) => setImmediate(() => resolve("open")));
  return Promise.race([verdict, open]);
}

describe("a proposal", () => {
  const form = { type: "form", message: "?", questions: [CHOICE, { type: "number", message: "?", max: 5 }] };
  const written: [string, object, Parameters<typeof answerInputRequest>[2], object][] = [
    ["a text", { type: "text", message: "?" }, " as typed ", { response: " as typed " }],
    ["a number in its canonical form", { type: "number", message: "?" }, " 5.0 ", { response: "5" }],
    ["a list of one for one question", { type: "number", message: "?" }, ["5"], { response: "5" }],
    ["a joined choice", CHOICE, "B, C, A", { response: "B, C, A" }],
    ["selections", CHOICE, { selections: ["A", "__other__"], custom: " mine " }, { selections: ["A", "mine"], custom: "mine" }],
    ["selections without Other", CHOICE, { selections: ["A"], custom: "" }, { selections: ["A"] }],
    ["a selection of a kind without options", { type: "number", message: "?" }, { selections: ["5"] }, { response: "5" }],
    ["the responses of a form", form, ["A", "5.0"], { responses: ["A", "5"] }],
    ["the answers of a form", form, [{ selections: ["A"] }, "5"], { answers: [{ selections: ["A"] }, { response: "5" }] }],
    ["what can't be checked here", { type: "dropdown", message: "?", omitted: ["context", "options"] }, "x", { response: "x" }],
    ["a form that can't be checked here", { type: "form", message: "?", omitted: ["questions"] }, ["x"], { responses: ["x"] }],
  ];
  for (const [what, item, given, expected] of written) {
    test(`has ${what}`, () => {
      const { replica } = setUp(item);
      submitted(answerInputRequest(replica, "a", given, "me"));
      const [proposal, ...more] = proposals(replica);
      const { answeredAt, ...rest } = proposal ?? {};
      assert.deepEqual(rest, { requestId: "a", action: "answer", answeredBy: "me", ...expected });
      assert.ok(Number.isFinite(Date.parse(String(answeredAt))));
      assert.equal(more.length, 0);
    });
  }

  test("has a key of its own each time, which is where it stands", () => {
    const { hub, replica } = setUp({ type: "confirm", message: "?" });
    hub.ask({ id: "b", type: "confirm", message: "?" });
    hub.sync(replica);
    const keys = ["a", "b"].map((id) => submitted(answerInputRequest(replica, id, "yes", "me")).key);
    assert.notEqual(keys[0], keys[1]);
    assert.deepEqual(unsettled(replica).map(({ key }) => key).sort(), [...keys].sort());
  });

  test("takes the place of an earlier one for the same request, also of one from before a reload", () => {
    const { hub, replica } = setUp({ type: "confirm", message: "?" });
    hub.ask({ id: "b", type: "confirm", message: "?" });
    hub.sync(replica);
    replica.getMap("answers").set("stored", { requestId: "a", response: "yes" });
    replica.getMap("answers").set("no proposal", 5);
    const other = submitted(answerInputRequest(replica, "b", "yes", "me"));
    submitted(answerInputRequest(replica, "a", "no", "me"));
    let updates = 0;
    replica.on("update", () => (updates += 1));
    const last = submitted(declineInputRequest(replica, "a", {}, "me"));
    assert.deepEqual([...replica.getMap("answers").keys()].sort(), ["no proposal", other.key, last.key].sort());
    assert.equal(updates, 1, "no moment without any");
  });

  test("declines or cancels, with a reason if there is one to read", () => {
    const { replica } = setUp({ type: "confirm", message: "?" });
    const standing = () => proposals(replica).map(({ action, reason }) => ({ action, reason }));
    submitted(declineInputRequest(replica, "a", { reason: "which\r\nregion?" }, "me"));
    assert.deepEqual(standing(), [{ action: "decline", reason: "which\nregion?" }]);
    submitted(cancelInputRequest(replica, "a", { reason: "  " }, "me"));
    assert.deepEqual(standing(), [{ action: "cancel", reason: undefined }]);
    submitted(declineInputRequest(replica, "a", "which region?"));
    assert.deepEqual(standing(), [{ action: "decline", reason: "which region?" }], "a text alone is the reason");
    submitted(cancelInputRequest(replica, "a", "not needed", "me"));
    assert.deepEqual(standing(), [{ action: "cancel", reason: "not needed" }]);
    submitted(declineInputRequest(replica, "a"));
    assert.deepEqual(standing(), [{ action: "decline", reason: undefined }]);
    const refused = declineInputRequest(replica, "a", { reason: "x".repeat(10_001) }, "me");
    assert.ok(!refused.success && refused.code === "invalid-answer" && refused.problems[0]?.path === "reason");
  });
});

describe("nothing is written", () => {
  test("F15 for an answer that does not pass", () => {
    const { replica } = setUp({ type: "number", message: "?", max: 5 });
    const problems = [{ path: "responses[0]", rule: "max", message: "6 is too large", expected: "a number of at most 5" }];
    const refused = { success: false, code: "invalid-answer", error: "Answer not valid", problems };
    assert.deepEqual(answerInputRequest(replica, "a", "6", "me"), refused);
    assert.equal(answerInputRequest(replica, "a", ["5", "5"], "me").success, false);
    assert.deepEqual(proposals(replica), []);
  });

  test("for a request that is not there", () => {
    const { replica } = setUp({ type: "confirm", message: "?" });
    const refused = { success: false, code: "no-such-request", error: "Request not found" };
    assert.deepEqual(answerInputRequest(replica, "b", "yes", "me"), refused);
    assert.deepEqual(proposals(replica), []);
  });

  const ends = {
    answered: "Request already answered",
    declined: "Request was declined",
    cancelled: "Request was cancelled",
    expired: "Request is not pending",
  };
  for (const [status, error] of Object.entries(ends)) {
    test(`L1 for a request that is ${status}, and one is told by whom`, () => {
      const { hub, replica } = setUp({ type: "confirm", message: "?" });
      hub.end("a", { status, answeredBy: "somebody" });
      hub.sync(replica);
      const told = { success: false, code: "already-ended", error, status, answeredBy: "somebody" };
      assert.deepEqual(answerInputRequest(replica, "a", "yes", "me"), told);
      assert.deepEqual(declineInputRequest(replica, "a", {}, "me"), told);
      assert.deepEqual(proposals(replica), []);
    });
  }
});

describe("without verdicts the document tells", () => {
  async function conclude(item: object, propose: (replica: Y.Doc) => Submission, outcome: object): Promise<Verdict> {
    const { hub, replica } = setUp(item);
    const { verdict } = submitted(propose(replica));
    assert.equal(await now(verdict), "open");
    hub.end("a", { answeredBy: "somebody", ...outcome });
    hub.sync(replica);
    assert.deepEqual(proposals(replica), [], "what has been judged is not sent again");
    const found = await now(verdict);
    assert.ok(found !== "open" && found.via === "document");
    return found;
  }
  const confirm = { type: "confirm", message: "?" };
  const yes = (replica: Y.Doc) => answerInputRequest(replica, "a", "yes", "somebody");

  test("that something else counts", async () => {
    for (const outcome of [
      { status: "answered", response: "no" },
      { status: "declined" },
      { status: "cancelled" },
      { status: "expired", surface: "hub", response: "yes", byDefault: true },
      { status: "answered", response: "yes", surface: "terminal" },
    ]) {
      const verdict = await conclude(confirm, yes, outcome);
      assert.ok(verdict.success === false && verdict.code === "already-ended" && verdict.error, JSON.stringify(outcome));
    }
  });

  test("that the same counts, but never that it was this proposal, whatever the name", async () => {
    assert.equal((await conclude(confirm, yes, { status: "answered", response: "yes" })).success, null);
    const other = await conclude(confirm, yes, { status: "answered", response: "yes", answeredBy: "of the token" });
    assert.equal(other.success, null);
    const reject = (replica: Y.Doc) => answerInputRequest(replica, "a", "reject", "me");
    const approval = { type: "approval", message: "?" };
    assert.equal((await conclude(approval, reject, { status: "declined", response: "reject" })).success, null);
    assert.equal((await conclude(approval, reject, { status: "declined" })).success, false);
    const decline = (replica: Y.Doc) => declineInputRequest(replica, "a", { reason: "no" }, "me");
    assert.equal((await conclude(approval, decline, { status: "declined", reason: "no" })).success, null);
    assert.equal((await conclude(approval, decline, { status: "declined", reason: "other" })).success, false);
    assert.equal((await conclude(approval, decline, { status: "declined", response: "reject" })).success, false);
  });

  test("which list was meant, where the joined form does not", async () => {
    const joined = { status: "answered", response: "A, B, C" };
    const list = (replica: Y.Doc) => answerInputRequest(replica, "a", { selections: ["A", "B, C"] }, "me");
    assert.equal((await conclude(CHOICE, list, { ...joined, selections: ["A", "B, C"] })).success, null);
    assert.equal((await conclude(CHOICE, list, { ...joined, selections: ["A, B, C"] })).success, false);
  });

  test("nothing of an answer that it leaves out", async () => {
    const omitted = { status: "answered", omitted: ["response"] };
    assert.equal((await conclude(confirm, yes, omitted)).success, null);
    assert.equal((await conclude(confirm, yes, { ...omitted, surface: "cli" })).success, false);
  });

  test("nothing of other requests: their proposals stay, and are still waited for", async () => {
    const { hub, replica } = setUp(confirm);
    hub.ask({ id: "b", ...confirm });
    hub.sync(replica);
    const [first, second] = ["a", "b"].map((id) => submitted(answerInputRequest(replica, id, "yes", "me")));
    hub.end("a", { status: "answered", response: "yes", answeredBy: "me" });
    hub.sync(replica);
    assert.notEqual(await now(first!.verdict), "open");
    assert.equal(await now(second!.verdict), "open");
    assert.deepEqual([...replica.getMap("answers").keys()], [second!.key]);
  });

  test("of each of two proposals for one request what it can", async () => {
    const { hub, replica } = setUp(confirm);
    const [first, second] = ["yes", "no"].map((word) => submitted(answerInputRequest(replica, "a", word, "me")));
    hub.end("a", { status: "answered", response: "no", answeredBy: "me" });
    hub.sync(replica);
    const verdicts = [await first!.verdict, await second!.verdict];
    assert.deepEqual(verdicts.map(({ via, success }) => [via, success]), [["document", false], ["document", null]]);
  });

  test("whoever asks later, and never more than it knows of what others wrote", async () => {
    const { hub, replica } = setUp(confirm);
    assert.equal(verdictOf(replica, "nothing"), undefined);
    replica.getMap("answers").set("stored", { requestId: "a", response: "yes" });
    const { key, verdict } = { key: "stored", verdict: verdictOf(replica, "stored")! };
    assert.equal(await now(verdict), "open");
    assert.equal(verdictOf(replica, key), verdict, "one promise for one proposal");
    hub.end("a", { status: "answered", response: "no", answeredBy: "somebody" });
    hub.sync(replica);
    const found = await now(verdict);
    assert.ok(found !== "open" && found.via === "document" && found.success === null);
    assert.equal(verdictOf(replica, key), undefined, "judged and gone");
    replica.getMap("answers").set("late", { requestId: "a", action: "cancel" });
    assert.equal((await verdictOf(replica, "late"))?.success, false);
  });
});

describe("a request that the document does not show", () => {
  const elsewhere = { id: "old", room: "r", asker: "a", createdAt: "2026-11-16T00:00:00Z", status: "pending" as const };
  const request: PendingRequest = { ...elsewhere, type: "number", message: "?", max: 5, questionId: "1" };

  test("W3 is answered all the same, by the same rules", () => {
    const replica = new Y.Doc();
    const unknown = answerInputRequest(replica, "old", "4", "me");
    assert.ok(!unknown.success && unknown.code === "no-such-request");
    const refused = answerInputRequest(replica, request, "6", "me");
    assert.ok(!refused.success && refused.code === "invalid-answer");
    submitted(answerInputRequest(replica, request, "4.0", "me"));
    assert.equal(proposals(replica)[0]?.["response"], "4");
    assert.equal(proposals(replica)[0]?.["requestId"], "old");
  });

  test("W3 is known better by the document, if that shows it", () => {
    const { hub, replica } = setUp({ type: "text", message: "?" });
    const remembered = find(replica, "a") as PendingRequest;
    hub.end("a", { status: "cancelled", answeredBy: "somebody" });
    hub.sync(replica);
    const late = declineInputRequest(replica, remembered, {}, "me");
    assert.ok(!late.success && late.code === "already-ended" && late.status === "cancelled");
  });
});

describe("a proposal that is taken along", () => {
  test("W2 stands under its own key in another document, and once", async () => {
    const { hub, replica } = setUp({ type: "text", message: "?" });
    const { key } = submitted(answerInputRequest(replica, "a", "kept", "me"));
    const other = new Y.Doc();
    const [kept] = unsettled(replica);
    assert.ok(kept?.key === key);
    const verdict = resumeProposal(other, kept);
    assert.equal(resumeProposal(other, kept), verdict);
    assert.deepEqual(unsettled(other), [kept]);
    assert.equal(await now(verdict), "open");
    hub.end("a", { status: "answered", response: "another", answeredBy: "somebody" });
    hub.sync(other);
    const judged = await verdict;
    assert.ok(judged.via === "document" && judged.success === null && judged.answeredBy === "somebody");
    assert.deepEqual(unsettled(other), []);
  });
});
