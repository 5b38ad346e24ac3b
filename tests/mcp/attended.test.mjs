// A client that lives attends to what it has asked, also while it makes no call; one that is gone does so for a while.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { text } from "./support/asking.mjs";
import { TypeScript } from "./support/typescript.mjs";

/** How long an asker counts as there after its last call: longer than the pause between two heartbeats, which is 20 s. */
const ATTENDED_S = 30;
const PATIENCE_MS = 60_000;
/** The budget of a call, in seconds. */
const BUDGET = 1;

let hub;
const peers = [];

before(async () => (hub = await Hub.configured(`[server]\nattended_for = "${ATTENDED_S}s"\n`)));
after(async () => {
  for (const peer of peers) await peer.end();
  await hub?.end();
});

/** A client that asks, hears that nobody has answered yet, and goes on with something else. */
async function asks(over, message) {
  const peer = await TypeScript.connect(hub, { version: 1, over, era: "2025-11-25", wait: BUDGET });
  peers.push(peer);
  const { status, request_id } = (await peer.call("request_user_input", text(message))).structured;
  assert.equal(status, "pending");
  return request_id;
}

test("L9 sessions by stdio and by HTTP attend for as long as they live, other askers for a while after their last call", async () => {
  const byStdio = await asks("stdio", "Asked by stdio?");
  const byHttp = await asks("http", "Asked by HTTP?");
  const { secret } = await hub.give({ role: "asker", name: "gone" });
  const left = await hub.ask({ room: "shop", ...text("Asked by nobody who is left?") }, secret);
  const begun = performance.now();
  const waiting = async () => {
    const { items } = (await hub.call("GET", "/api/v1/requests?status=pending")).json;
    return Object.fromEntries(items.map(({ id, waiting }) => [id, waiting]));
  };
  assert.deepEqual(await waiting(), { [byStdio]: true, [byHttp]: true, [left]: true });
  await until("the one without a session is left alone", async () => !(await waiting())[left], PATIENCE_MS);
  assert.ok(performance.now() - begun > ATTENDED_S * 1_000 - 1_000, "not before its time has passed");
  assert.deepEqual(await waiting(), { [byStdio]: true, [byHttp]: true, [left]: false });
  const { json } = await hub.call("POST", "/api/v1/requests/dismiss", { body: { unwaitedFor: 1 } });
  assert.equal(json.dismissed, 1);
  assert.deepEqual(Object.keys(await waiting()).sort(), [byStdio, byHttp].sort());
});
