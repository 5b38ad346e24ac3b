// W3, L1: the hub's own word on a proposal, over a real socket.

import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { answerInputRequest, attachVerdicts, decodeVerdict, find, isFinalVerdict, unsettled, verdictOf } from "@askback/client";
import type { FinalHubVerdict, HubVerdict, Submission, Submitted, Verdict } from "@askback/client";
import { connect, type AskbackProvider, type ConnectOptions } from "@askback/client/provider";
import { WebSocket } from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";
import { FakeHub, verdictMessage, type Received } from "./fake-hub.js";

const CONFIRM = { type: "confirm", message: "?", questionId: "1" };

async function start(t: TestContext): Promise<FakeHub> {
  const hub = await FakeHub.start();
  t.after(() => hub.stop());
  hub.ask({ id: "a", ...CONFIRM });
  return hub;
}

async function enter(t: TestContext, hub: FakeHub, options: Partial<ConnectOptions> = {}): Promise<AskbackProvider> {
  const provider = connect({ url: hub.url, room: "r", WebSocketPolyfill: WebSocket, maxBackoffTime: 20, ...options });
  t.after(() => provider.destroy());
  await provider.ready;
  return provider;
}

const synced = (provider: WebsocketProvider) =>
  new Promise<void>((resolve) => (provider.synced ? resolve() : provider.on("sync", (state) => state && resolve())));

/** Waits for something to become true, at most as long as the test runner allows. */
async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await new Promise((resolve) => setImmediate(resolve));
}

function submitted(submission: Submission): Submitted {
  assert.ok(submission.success, JSON.stringify(submission));
  return submission;
}

const answers = (doc: Y.Doc) => [...doc.getMap("answers").keys()];

const won = { success: true, status: "answered", outcome: {} };

describe("a verdict", () => {
  test("resolves the promise of its proposal, which is then taken away", async (t) => {
    const hub = await start(t);
    const { doc } = await enter(t, hub);
    hub.onProposal = ({ reply }) => reply(won);
    const { key, verdict } = submitted(answerInputRequest(doc, "a", "yes", "me"));
    assert.deepEqual(await verdict, { via: "verdict", key, requestId: "a", ...won });
    assert.deepEqual(answers(doc), []);
  });

  test("counts, and not what the document suggests before it arrives", async (t) => {
    const hub = await start(t);
    const { doc } = await enter(t, hub);
    const lost = { success: false, code: "already-ended", answeredBy: "somebody", status: "answered" };
    let speak: (() => void) | undefined;
    hub.onProposal = ({ reply }) => {
      hub.end("a", { status: "answered", response: "yes", answeredBy: "somebody" });
      speak = () => reply(lost);
    };
    const { key, verdict } = submitted(answerInputRequest(doc, "a", "yes", "me"));
    await until(() => find(doc, "a")?.status === "answered");
    assert.deepEqual(answers(doc), [key], "it waits for the hub's word");
    speak?.();
    assert.deepEqual(await verdict, { via: "verdict", key, requestId: "a", ...lost });
    assert.deepEqual(answers(doc), []);
  });

  for (const code of ["no-such-request", "invalid-answer", "invalid-parameter", "forbidden", "of a newer hub"]) {
    test(`is final with the code ${code}, whatever the words beside it`, async (t) => {
      const hub = await start(t);
      const { doc } = await enter(t, hub);
      hub.onProposal = ({ reply }) => reply({ success: false, code, error: "Try again" });
      const { verdict } = submitted(answerInputRequest(doc, "a", "yes", "me"));
      const found = await verdict;
      assert.ok(found.via === "verdict" && !found.success && found.code === code);
      assert.deepEqual(answers(doc), []);
    });
  }

  test("is not final with a transient code, whatever the words beside it", () => {
    const of = { via: "verdict" as const, key: "k", requestId: "a", success: false as const, message: "later" };
    const codes: Exclude<HubVerdict, FinalHubVerdict>["code"][] = ["too-many", "stopping", "store-full", "store-failed"];
    for (const code of codes) assert.equal(isFinalVerdict({ ...of, code, error: "in other words" as "Try again" }), false, code);
    assert.equal(isFinalVerdict({ ...of, code: "forbidden", error: "Not allowed" }), true, "the control");
  });

  const tryAgain = { success: false, code: "store-full", error: "Try again", message: "the disk is full" };

  test("is not final with a transient code: the proposal is sent again under its key", async (t) => {
    const hub = await start(t);
    const heard: HubVerdict[] = [];
    const { doc } = await enter(t, hub, { onVerdict: (verdict) => heard.push(verdict) });
    const received: Received[] = [];
    hub.onProposal = (proposal) => {
      received.push(proposal);
      proposal.reply(received.length === 1 ? tryAgain : won);
    };
    const { key, verdict } = submitted(answerInputRequest(doc, "a", "yes", "me"));
    await until(() => heard.length === 1);
    assert.deepEqual(answers(doc), [key]);
    hub.drop();
    assert.equal((await verdict).success, true);
    assert.deepEqual(received.map((proposal) => proposal.key), [key, key]);
    assert.deepEqual(heard.map(({ success }) => success), [false, true]);
  });

  test("with a transient code is asked for again on the same connection, more and more slowly", async (t) => {
    const hub = await start(t);
    // What the hub wrote is not sent back to it: that could be more than it takes.
    for (let number = 0; number < 100; number += 1) hub.ask({ id: `large ${number}`, ...CONFIRM, message: "x".repeat(10_000) });
    let largest = 0;
    hub.onConnection = (socket) => socket.on("message", (data: Buffer) => (largest = Math.max(largest, data.length)));
    const heard: HubVerdict[] = [];
    const { doc } = await enter(t, hub, { onVerdict: (verdict) => heard.push(verdict) });
    const received: Received[] = [];
    hub.onProposal = (proposal) => {
      received.push(proposal);
      proposal.reply(received.length > 7 ? won : tryAgain);
    };
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const first = submitted(answerInputRequest(doc, "a", "yes", "me"));
    for (const [round, pauseMs] of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000].entries()) {
      await until(() => heard.length === round + 1);
      t.mock.timers.tick(pauseMs / 2 - 1);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      assert.equal(received.length, round + 1, "not yet");
      t.mock.timers.tick(pauseMs / 2 + 1);
    }
    assert.equal((await first.verdict).success, true);
    assert.ok(received.every(({ key, proposal }) => key === first.key && proposal["response"] === "yes"));
    assert.ok(largest < 5000, `${largest} bytes`);
    assert.equal(hub.addresses.length, 1, "the connection was not dropped");
    assert.deepEqual(answers(doc), []);
  });

  test("with a transient code on what was replaced since is not asked for again", async (t) => {
    const hub = await start(t);
    let messages = 0;
    hub.onConnection = (socket) => socket.on("message", () => (messages += 1));
    const heard: HubVerdict[] = [];
    const { doc } = await enter(t, hub, { onVerdict: (verdict) => heard.push(verdict) });
    const received: string[] = [];
    hub.onProposal = ({ key, reply }) => {
      received.push(key);
      reply(received.length === 1 ? tryAgain : { success: false, code: "invalid-answer", status: "pending", problems: [] });
    };
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const first = submitted(answerInputRequest(doc, "a", "yes", "me"));
    await until(() => heard.length === 1);
    const second = submitted(answerInputRequest(doc, "a", "no", "me"));
    await second.verdict;
    const turns = async () => {
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    await turns();
    const before = messages;
    t.mock.timers.tick(60_000);
    await turns();
    assert.deepEqual([received, messages], [[first.key, second.key], before]);
    const replaced = { via: "replaced", key: first.key, requestId: "a", success: null, by: second.key };
    assert.deepEqual(await first.verdict, { ...replaced, code: "replaced", error: "Replaced" });
  });

  test("on what was replaced still counts if it was sent already", async (t) => {
    const hub = await start(t);
    const { doc } = await enter(t, hub);
    const late = { success: false, code: "already-ended", answeredBy: "me", status: "answered", outcome: {} };
    let count = 0;
    hub.onProposal = ({ reply }) => reply(count++ === 0 ? won : late);
    const [first, second] = ["yes", "no"].map((word) => submitted(answerInputRequest(doc, "a", word, "me")));
    assert.equal((await first!.verdict).success, true);
    assert.equal((await second!.verdict).success, false);
  });

  test("W2 offline the last word is what is sent, and the others are told", async (t) => {
    const hub = await start(t);
    const provider = await enter(t, hub);
    provider.disconnect();
    const received: unknown[] = [];
    hub.onProposal = ({ proposal, reply }) => {
      received.push(proposal["response"]);
      reply(won);
    };
    const all = ["yes", "no", "yes"].map((word) => submitted(answerInputRequest(provider.doc, "a", word, "me")));
    provider.connect();
    const verdicts = await Promise.all(all.map(({ verdict }) => verdict));
    assert.deepEqual(received, ["yes"]);
    assert.deepEqual(verdicts.map(({ via, success }) => [via, success]), [
      ["replaced", false],
      ["replaced", false],
      ["verdict", true],
    ]);
    assert.ok(verdicts[0]?.via === "replaced" && verdicts[0].by === all[2]?.key);
  });

  test("is heard by others though onVerdict throws, and the process goes on", async (t) => {
    const said = t.mock.method(console, "error", () => {});
    const hub = await start(t);
    hub.ask({ id: "b", ...CONFIRM });
    const thrown = [new Error("at once"), new Error("later")];
    let count = 0;
    const onVerdict = () => {
      count += 1;
      if (count === 1) throw thrown[0];
      return Promise.reject(thrown[1]);
    };
    const { doc } = await enter(t, hub, { onVerdict });
    hub.onProposal = ({ reply }) => reply(won);
    for (const id of ["a", "b"]) assert.equal((await submitted(answerInputRequest(doc, id, "yes", "me")).verdict).success, true);
    await until(() => said.mock.callCount() === 2);
    assert.deepEqual(said.mock.calls.map((call) => call.arguments[1]), thrown);
  });

  test("is told apart by success and code, all of them", () => {
    const say = (verdict: Verdict | HubVerdict): string => {
      if (verdict.via === "closed") return verdict.reason;
      if (verdict.via === "replaced") return verdict.by;
      if (verdict.via === "document") return verdict.answeredBy;
      if (verdict.success) return verdict.outcome.status;
      switch (verdict.code) {
        case "already-ended":
          return verdict.answeredBy;
        case "invalid-answer":
        case "invalid-parameter":
          return verdict.problems.map(({ path, rule, message, expected }) => `${path} ${rule} ${message} ${expected}`).join();
        case "no-such-request":
          return "";
        default:
          return verdict.message;
      }
    };
    const problems = [{ path: "p", rule: "word" as const, message: "m", expected: "e" }];
    const of = { via: "verdict" as const, key: "k", requestId: null, success: false as const };
    assert.equal(say({ ...of, code: "invalid-parameter", error: "Proposal not valid", problems }), "p word m e");
  });

  test("W2 comes for an answer that was given while there was no connection", async (t) => {
    const hub = await start(t);
    const provider = await enter(t, hub);
    provider.disconnect();
    hub.onProposal = ({ reply }) => reply(won);
    const { verdict } = submitted(answerInputRequest(provider.doc, "a", "yes", "me"));
    provider.connect();
    assert.equal((await verdict).success, true);
  });

  test("takes away a proposal from before a reload, and no other", async (t) => {
    const hub = await start(t);
    const doc = new Y.Doc();
    doc.getMap("answers").set("old", { requestId: "a", response: "yes" });
    doc.getMap("answers").set("unsent", { requestId: "b", response: "yes" });
    hub.onProposal = ({ key, reply }) => key === "old" && reply(won);
    const heard: HubVerdict[] = [];
    await enter(t, hub, { doc, onVerdict: (verdict) => heard.push(verdict) });
    await until(() => heard.length === 1);
    assert.deepEqual(answers(doc), ["unsent"]);
  });

  test("reaches only the document that its provider belongs to", async (t) => {
    const hub = await start(t);
    const [mine, yours] = [await enter(t, hub), await enter(t, hub)];
    hub.onProposal = ({ key, reply }) => key === first.key && reply(won);
    const first = submitted(answerInputRequest(mine.doc, "a", "yes", "me"));
    const second = submitted(answerInputRequest(yours.doc, "a", "yes", "you"));
    await first.verdict;
    assert.deepEqual([answers(mine.doc), answers(yours.doc)], [[], [second.key]]);
  });

  test("that can't be read ends nothing", async (t) => {
    const said = t.mock.method(console, "error", () => {});
    const hub = await start(t);
    const { doc } = await enter(t, hub);
    hub.onProposal = ({ reply }) => {
      reply({ success: "perhaps" });
      reply(won);
    };
    assert.equal((await submitted(answerInputRequest(doc, "a", "yes", "me")).verdict).success, true);
    assert.equal(said.mock.callCount(), 1);
  });

  test("is decoded from its bytes, and other messages are left alone", () => {
    const verdict = { key: "k", requestId: null, success: false, code: "invalid-parameter", error: "Proposal not valid – ünïcode" };
    assert.deepEqual(decodeVerdict(verdictMessage(verdict)), { via: "verdict", ...verdict });
    assert.equal(decodeVerdict(new Uint8Array([0, 1, 0])), undefined);
    assert.throws(() => decodeVerdict(verdictMessage(verdict).subarray(0, 20)));
    assert.throws(() => decodeVerdict(new Uint8Array([100, 255, 255])));
  });
});

describe("a connection that ends for good", () => {
  test("ends the waiting, keeps the proposal, and another connection sends it again", async (t) => {
    const hub = await start(t);
    const provider = await enter(t, hub);
    const { doc } = provider;
    let close = () => {};
    hub.onConnection = (socket) => (close = () => socket.close(4401, "revoked"));
    hub.drop();
    await until(() => provider.wsconnected === false);
    const { key, verdict } = submitted(answerInputRequest(doc, "a", "yes", "me"));
    hub.onProposal = () => close();
    assert.deepEqual(await verdict, { via: "closed", key, requestId: "a", success: null, code: 4401, reason: "revoked" });
    assert.deepEqual(unsettled(doc).map((found) => [found.key, found.proposal.response]), [[key, "yes"]]);
    assert.equal(provider.closed?.code, 4401, "words are there when the promise is kept");

    hub.onProposal = ({ reply }) => {
      hub.end("a", { status: "answered", response: "yes", answeredBy: "me" });
      reply(won);
    };
    const again = verdictOf(doc, key);
    provider.connect();
    assert.equal((await again)?.via, "verdict", "the hub's word counts again, and not the document");
    assert.deepEqual(unsettled(doc), []);
  });

  test("with destroy ends the waiting, too", async (t) => {
    const hub = await start(t);
    const provider = await enter(t, hub);
    const { key, verdict } = submitted(answerInputRequest(provider.doc, "a", "yes", "me"));
    provider.destroy();
    const reason = "the connection was ended by destroy";
    assert.deepEqual(await verdict, { via: "closed", key, requestId: "a", success: null, code: 1000, reason });
    assert.deepEqual(answers(provider.doc), [key]);
  });

  test("leaves those waiting who have another connection", async (t) => {
    const hub = await start(t);
    const doc = new Y.Doc();
    const [one] = [await enter(t, hub, { doc }), await enter(t, hub, { doc })];
    const received: Received[] = [];
    hub.onProposal = (proposal) => received.push(proposal);
    const { verdict } = submitted(answerInputRequest(doc, "a", "yes", "me"));
    await until(() => received.length === 2);
    one.destroy();
    for (const { reply } of received) reply(won);
    assert.equal((await verdict).via, "verdict");
  });

  test("lets a new document take along what was not settled", async (t) => {
    const hub = await start(t);
    const [old, fresh] = [new Y.Doc(), new Y.Doc()];
    old.getMap("answers").set("key", { requestId: "a", response: "yes" });
    old.getMap("answers").set("none", "of ours");
    for (const { key, proposal } of unsettled(old)) fresh.getMap("answers").set(key, proposal);
    hub.onProposal = ({ key, proposal, reply }) => reply({ ...won, heard: [key, proposal["action"]] });
    const verdict = verdictOf(fresh, "key");
    await enter(t, hub, { doc: fresh });
    assert.deepEqual(await verdict, { via: "verdict", key: "key", requestId: "a", ...won, heard: ["key", "answer"] });
  });
});

describe("ready", () => {
  test("rejects in words if the hub refuses, and ends nobody who does not look", async (t) => {
    const hub = await start(t);
    hub.onConnection = (socket) => socket.close(4401, "the token is unknown");
    const provider = connect({ url: hub.url, room: "r", WebSocketPolyfill: WebSocket });
    t.after(() => provider.destroy());
    await new Promise((resolve) => provider.on("closed", resolve));
    await new Promise((resolve) => setImmediate(resolve));
    await assert.rejects(provider.ready, (error: unknown) => {
      assert.ok(error instanceof Error && error.cause === provider.closed);
      assert.match(error.message, /The hub wants a token: .* \(The hub: the token is unknown\)$/);
      return true;
    });
  });

  test("rejects after destroy, and stays kept once it was", async (t) => {
    const hub = await start(t);
    const provider = await enter(t, hub);
    provider.destroy();
    await provider.ready;
    const never = connect({ url: hub.url, room: "r", WebSocketPolyfill: WebSocket, connect: false });
    never.destroy();
    await assert.rejects(never.ready, /destroy/);
  });

  test("waits for a hub that is out of reach, which an event says", async (t) => {
    const provider = connect({ url: "http://127.0.0.1:9", room: "r", WebSocketPolyfill: WebSocket, maxBackoffTime: 5 });
    t.after(() => provider.destroy());
    let count = 0;
    provider.on("connection-error", () => (count += 1));
    await until(() => count === 2);
    const open = new Promise((resolve) => setImmediate(() => resolve("open")));
    assert.equal(await Promise.race([provider.ready, open]), "open");
  });
});

describe("a plain y-websocket provider", () => {
  async function plain(t: TestContext, hub: FakeHub): Promise<WebsocketProvider> {
    const provider = new WebsocketProvider(`${hub.url.replace("http", "ws")}/sync`, "r", new Y.Doc(), {
      WebSocketPolyfill: WebSocket as never,
      disableBc: true,
    });
    t.after(() => {
      provider.destroy();
      provider.awareness.destroy();
    });
    await synced(provider);
    return provider;
  }

  test("tells those who wait that it was closed for good", async (t) => {
    const hub = await start(t);
    let close = () => {};
    hub.onConnection = (socket) => (close = () => socket.close(4413, "too large"));
    const provider = await plain(t, hub);
    attachVerdicts(provider);
    hub.onProposal = () => close();
    const found = await submitted(answerInputRequest(provider.doc, "a", "yes", "me")).verdict;
    assert.ok(found.via === "closed" && found.code === 4413);
  });

  test("brings verdicts once they are attached, and the document tells after they are detached", async (t) => {
    const hub = await start(t);
    hub.ask({ id: "b", ...CONFIRM });
    const provider = await plain(t, hub);
    const detach = attachVerdicts(provider);
    hub.onProposal = ({ reply, proposal }) => {
      hub.end(String(proposal["requestId"]), { status: "answered", response: "yes", answeredBy: "me" });
      if (proposal["requestId"] === "a") reply(won);
    };
    assert.equal((await submitted(answerInputRequest(provider.doc, "a", "yes", "me")).verdict).via, "verdict");
    const { verdict } = submitted(answerInputRequest(provider.doc, "b", "yes", "me"));
    await until(() => find(provider.doc, "b")?.status === "answered");
    detach();
    detach();
    assert.equal((await verdict).via, "document");
    assert.equal(provider.messageHandlers[100], undefined);
  });
});

describe("connect", () => {
  const address = async (t: TestContext, options: Partial<ConnectOptions>) => {
    const hub = await start(t);
    await enter(t, hub, { ...options, url: options.url ? `${hub.url}${options.url}` : hub.url });
    return hub.addresses[0];
  };

  test("goes to the room", async (t) => {
    assert.equal(await address(t, { room: "checkout" }), "/sync/checkout");
    assert.equal(await address(t, { room: "@inbox", token: "askback_s-1" }), "/sync/@inbox");
    assert.equal(await address(t, { room: "a/b c?#%ü" }), "/sync/a%2Fb%20c%3F%23%25%C3%BC");
    assert.equal(await address(t, { room: "r", url: "/hub//" }), "/hub/sync/r");
  });

  test("sends the token as a subprotocol, and refuses what is none before it connects", async (t) => {
    const hub = await start(t);
    for (const token of [undefined, "", "askback_s-1"]) await enter(t, hub, { room: "r", token, url: hub.url });
    assert.deepEqual(hub.protocols, ["", "", "askback.v1,askback.bearer.askback_s-1"]);
    for (const token of ["s&cret=", "two words", "line\n", "é"]) {
      assert.throws(() => connect({ url: hub.url, room: "r", token, connect: false, WebSocketPolyfill: WebSocket }), /not a token/);
    }
  });

  test("takes the address of a page or of a socket", () => {
    const address = (url: string) => {
      const provider = connect({ url, room: "r", connect: false, WebSocketPolyfill: WebSocket });
      provider.destroy();
      return provider.url;
    };
    assert.equal(address("https://hub.example"), "wss://hub.example/sync/r");
    assert.equal(address("wss://hub.example/"), "wss://hub.example/sync/r");
    assert.equal(address("ws://127.0.0.1:4770"), "ws://127.0.0.1:4770/sync/r");
    assert.throws(() => address("ftp://hub.example"), /expected http/);
    assert.throws(() => address(undefined as never), /TypeError: askback: there is no url .*ASKBACK_HUB/);
    assert.throws(() => address("hub"), /"hub" is no address/);
  });

  test("refuses rooms that no address leads to", () => {
    for (const room of ["", ".", ".."]) assert.throws(() => connect({ url: "http://hub.example", room }), /another name/);
  });

  test("says what to do where there is no WebSocket", { skip: "WebSocket" in globalThis && "there is one here" }, () => {
    assert.throws(() => connect({ url: "http://hub.example", room: "r" }), /WebSocketPolyfill/);
  });

  test("keeps tabs apart unless told otherwise", async (t) => {
    const hub = await start(t);
    assert.equal((await enter(t, hub)).bcconnected, false);
    assert.equal((await enter(t, hub, { disableBc: false })).bcconnected, true);
  });

  test("says in words why the hub closed the door, and comes back when told to", async (t) => {
    const hub = await start(t);
    hub.onConnection = (socket) => socket.close(4403, "not yours");
    const provider = connect({ url: hub.url, room: "r", WebSocketPolyfill: WebSocket });
    t.after(() => provider.destroy());
    await new Promise((resolve) => provider.on("closed", resolve));
    await until(() => provider.closed !== null);
    const message = "This token may not see that room. (The hub: not yours)";
    assert.deepEqual(provider.closed, { code: 4403, reason: "not yours", message });
    hub.onConnection = () => {};
    provider.connect();
    await synced(provider);
    assert.equal(provider.closed, null);
    assert.equal(find(provider.doc, "a")?.status, "pending");
  });

  for (const code of [4409, 4413]) {
    test(`says what to do after ${code}`, async (t) => {
      const hub = await start(t);
      hub.onConnection = (socket) => socket.close(code, "");
      const provider = connect({ url: hub.url, room: "r", WebSocketPolyfill: WebSocket });
      t.after(() => provider.destroy());
      await assert.rejects(provider.ready, /new Y\.Doc.*unsettled.*take along\.$/);
    });
  }
});
