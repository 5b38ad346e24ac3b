// Who is looking: under the names that the hub knows, for as long as they are there.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, pause, until } from "./hub.mjs";
import { FROM_THE_START, awareness, present } from "./raw.mjs";

let hub, rita, paul, silent;

const token = async (name) => (await hub.give({ role: "answerer", name })).secret;

/** The states that a replica has of others. */
const others = (replica) => {
  const states = [...replica.awareness.getStates()];
  return states.filter(([client]) => client !== replica.doc.clientID).map(([, state]) => state);
};

const sees = (replica, name) =>
  until(`somebody sees ${name}`, () => others(replica).find((state) => state.name === name));

before(async () => {
  hub = await Hub.start();
  silent = await hub.raw("quiet", await token("silent")).opened();
  await silent.send(FROM_THE_START).hears("step2");
  rita = await hub.join("shop", await token("rita")).synced();
  paul = await hub.join("shop", await token("paul")).synced();
});

after(() => hub.end());

test("each sees the other under the name of their token", async () => {
  rita.awareness.setLocalState({ name: "root", looksAt: "one" });
  paul.awareness.setLocalStateField("looksAt", "two");
  assert.deepEqual(await sees(paul, "rita"), { name: "rita", looksAt: "one" });
  assert.deepEqual(await sees(rita, "paul"), { name: "paul", looksAt: "two" });
  rita.awareness.setLocalState({ looksAt: "three" });
  await until("what changed", async () => (await sees(paul, "rita")).looksAt === "three");
  assert.equal(others(paul).length, 1, JSON.stringify(others(paul)));
});

test("rooms are apart", async () => {
  const elsewhere = await hub.join("other", await token("grace")).synced();
  const inbox = await hub.join("@inbox", await token("ada")).synced();
  await elsewhere.awareness.setLocalState({ here: true });
  await pause(700);
  assert.deepEqual([others(elsewhere), others(inbox)], [[], []]);
  assert.ok(others(rita).every((state) => state.name === "paul"));
});

test("whoever leaves is gone, be it with a word or without", async () => {
  const gone = (name) => until(`${name} is gone`, () => !others(rita).some((state) => state.name === name), 5_000);
  const comes = async (name) => {
    const replica = await hub.join("shop", await token(name)).synced();
    // Yjs does not take the state that a client is born with for news.
    replica.awareness.setLocalState({});
    const start = performance.now();
    await sees(rita, name);
    assert.ok(performance.now() - start < 3_000, "at once, and not with the next sign of life");
    return replica;
  };
  const polite = await comes("tina");
  polite.provider.disconnect();
  await gone("tina");
  const lost = await comes("uwe");
  lost.provider.shouldConnect = false;
  lost.provider.ws.terminate();
  await gone("uwe");
  const mute = await comes("vera");
  mute.awareness.setLocalState(null);
  await gone("vera");
  assert.ok(mute.provider.wsconnected, "the control: it is there and says nothing");
});

test("nobody speaks for somebody else", async () => {
  await sees(rita, "paul");
  const mallory = await hub.raw("shop", await token("mallory")).opened();
  const foreign = [rita.doc.clientID, paul.doc.clientID];
  for (const client of foreign) {
    mallory.send(awareness([{ client, clock: 1_000, state: { looksAt: "hijacked" } }]));
    mallory.send(awareness([{ client, clock: 1_001, state: null }]));
  }
  mallory.send(awareness([{ client: 77, clock: 1, state: { own: true } }, { client: 78, clock: 1, state: { own: false } }]));
  assert.deepEqual(await sees(rita, "mallory"), { name: "mallory", own: true }, "it speaks for one client, its first");
  assert.equal(others(rita).filter((state) => state.name === "mallory").length, 1);
  assert.ok(![...others(rita), ...others(paul)].some((state) => state.looksAt === "hijacked"));
  assert.ok(others(rita).some((state) => state.name === "paul"));
  // What is too large, or no object, is not passed on.
  const large = await hub.raw("shop", await token("large")).opened();
  const wrong = [{ text: "x".repeat(1_100) }, [1], 7, "{", ""];
  large.send(awareness(wrong.map((state, index) => ({ client: 90 + index, clock: 1, state }))));
  large.send(awareness([{ client: 94, clock: 1, state: { small: true } }]));
  assert.deepEqual(await sees(rita, "large"), { name: "large", small: true });
  large.leave();
  mallory.leave();
  await until("both are gone", () => others(rita).every((state) => state.name === "paul"));
});

test("a second tab of one person does not keep the first one alive", async () => {
  const secret = await token("wanda");
  const [first, second] = [await hub.raw("shop", secret).opened(), await hub.raw("shop", secret).opened()];
  first.send(awareness([{ client: 101, clock: 1, state: { tab: 1 } }]));
  second.send(awareness([{ client: 102, clock: 1, state: { tab: 2 } }]));
  await until("two tabs", () => others(rita).filter((state) => state.name === "wanda").length === 2);
  // It says something newer of the other tab, as a restored copy of it might.
  second.send(awareness([{ client: 101, clock: 5, state: { tab: 1 } }]));
  second.send(awareness([{ client: 102, clock: 6, state: { tab: 22 } }]));
  await until("both were heard", () => others(rita).some((state) => state.tab === 22));
  first.leave();
  second.leave();
  await until("nobody stays behind", () => !others(rita).some((state) => state.name === "wanda"), 3_000);
});

test("who says nothing hears something within fifteen seconds", async () => {
  const [start] = silent.heard.filter((message) => message.kind === "step2");
  // All who have entered have been told who is there by then.
  const isLater = (message) => message.at > start.at + 2_000;
  const sign = await until("a sign of life", () => silent.heard.find(isLater), 15_000);
  assert.ok(sign.at - start.at < 15_000, `after ${sign.at - start.at} ms`);
  assert.deepEqual([sign.kind, present(sign.payload)], ["awareness", []]);
});
