// The client of this folder, as it is built, against the real hub: one side asks over HTTP, others answer in the document.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { WebSocket } from "ws";
import { answerInputRequest, ask, pending } from "../dist/index.js";
import { connect } from "../dist/provider.js";
import { has, Hub, until } from "./hub.mjs";

let hub;
const providers = [];

before(async () => {
  hub = await Hub.start();
});

after(async () => {
  for (const provider of providers) provider.destroy();
  await hub.end();
});

function joins(token, room = "shop") {
  const provider = connect({ url: hub.origin, token, room, WebSocketPolyfill: WebSocket });
  providers.push(provider);
  return provider;
}

const asks = (request) => ask({ room: "shop", ...request }, { url: hub.origin, token: hub.asker });

/** The one that is pending in a provider's document. */
const shown = (provider) => until("it is shown", () => pending(provider.doc)[0]);

// The control is the second answer: with a hub that judged nothing, both would be told the same.
test("who asks gets the answer of the first, and the second is told by whom", async () => {
  const tokens = [];
  for (const name of ["rita", "paul"]) tokens.push(await hub.give({ role: "answerer", name }));
  const [rita, paul] = tokens.map(({ secret }) => joins(secret));
  await Promise.all([rita.ready, paul.ready]);
  const outcome = asks({ type: "number", message: "Port?", min: 1, max: 65535, integer: true });
  const { id } = await shown(rita);
  await shown(paul);
  const wrong = answerInputRequest(rita.doc, id, "70000", "rita");
  assert.equal(wrong.code, "invalid-answer", "what the hub would refuse is not sent");
  // Neither has heard of the other when they answer.
  paul.disconnect();
  const late = answerInputRequest(paul.doc, id, "80", "paul");
  const first = answerInputRequest(rita.doc, id, "8080", "somebody else");
  has(await first.verdict, { via: "verdict", success: true, status: "answered" });
  has(await outcome, { status: "answered", response: "8080", answeredBy: "rita", surface: "yjs" });
  paul.connect();
  has(await late.verdict, { success: false, code: "already-ended", answeredBy: "rita" });
  assert.deepEqual([...paul.doc.getMap("answers").keys()], [], "what is settled is not sent again");
});

test("offline the last word is sent", async () => {
  const rita = joins(hub.person);
  await rita.ready;
  const outcome = asks({ type: "confirm", message: "Deploy?" });
  const { id } = await shown(rita);
  rita.disconnect();
  const first = answerInputRequest(rita.doc, id, "no", "rita");
  const last = answerInputRequest(rita.doc, id, "yes", "rita");
  rita.connect();
  assert.equal((await last.verdict).success, true);
  has(await first.verdict, { via: "replaced", success: false });
  assert.equal((await outcome).response, "yes");
});

test("an answer across a hub that is killed counts once", async () => {
  const rita = joins(hub.person);
  await rita.ready;
  const outcome = asks({ type: "text", message: "Which?" });
  const { id } = await shown(rita);
  await hub.stop("SIGKILL");
  const { verdict } = answerInputRequest(rita.doc, id, "this one", "rita");
  await hub.resume();
  assert.equal((await verdict).success, true);
  assert.equal((await outcome).response, "this one");
});

test("whoever is not let in hears why", async () => {
  await assert.rejects(joins("nonsense").ready, /token/);
  const revoked = await hub.give({ role: "answerer", name: "eve" });
  const eve = joins(revoked.secret);
  await eve.ready;
  const outcome = asks({ type: "text", message: "Which?" });
  const { id } = await shown(eve);
  await hub.revoke(revoked);
  await until("she is cut off", () => eve.closed);
  assert.equal(eve.closed.code, 4401);
  const submitted = answerInputRequest(eve.doc, id, "mine", "eve");
  has(await submitted.verdict, { via: "closed", success: null, code: 4401 });
  await hub.answer(id, "another's");
  assert.equal((await outcome).response, "another's");
});
