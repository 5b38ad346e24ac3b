// Many answer, one counts: all replicas agree on which, and everybody else is told whose it was.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, has, until } from "./hub.mjs";

const QUESTION = { room: "shop", type: "text", message: "What shall it be called?" };

let hub, witnesses;

const person = async (name) => (await hub.give({ role: "answerer", name })).secret;

before(async () => {
  hub = await Hub.start();
  witnesses = [hub.join("shop"), hub.join("@inbox")];
  for (const witness of witnesses) await witness.synced();
});

after(() => hub.end());

/** Waits until all have one item of a request, the final one, and gives it. */
async function agreed(id, replicas) {
  const finals = [];
  for (const replica of replicas) {
    await until("the final item alone", () => {
      const found = replica.items.filter((item) => item.id === id);
      return found.length === 1 && found[0].status === "answered";
    });
    finals.push(replica.find(id));
  }
  for (const final of finals) assert.deepEqual(final, finals[0]);
  return finals[0];
}

test("two who were offline, in both orders", async () => {
  const [rita, paul] = [hub.join("shop", await person("rita")), hub.join("shop", await person("paul"))];
  for (const [first, second, winner] of [[rita, paul, "rita"], [paul, rita, "paul"]]) {
    const id = await hub.ask(QUESTION);
    const keys = [];
    for (const replica of [first, second]) {
      await replica.synced();
      await replica.sees(id);
      await replica.offline();
      keys.push(replica.propose({ requestId: id, response: `by ${replica === rita ? "rita" : "paul"}` }));
    }
    assert.equal((await hub.outcome(id)).status, "pending", "the control: neither has said it yet");
    await first.online();
    const won = await first.verdict(keys[0]);
    assert.deepEqual([won.success, won.outcome.answeredBy], [true, winner]);
    await second.online();
    const lost = await second.verdict(keys[1]);
    has(lost, { success: false, code: "already-ended", error: "Request already answered", answeredBy: winner, status: "answered" });
    assert.deepEqual(lost.outcome, won.outcome, "the loser is told the outcome that counts");
    const final = await agreed(id, [first, second, ...witnesses]);
    assert.deepEqual([final.answeredBy, final.response], [winner, `by ${winner}`]);
    assert.equal((await hub.outcome(id)).response, `by ${winner}`);
  }
});

test("both come back in the same moment", async () => {
  const replicas = [hub.join("shop", await person("ada")), hub.join("@inbox", await person("grace"))];
  for (let round = 0; round < 5; round += 1) {
    const id = await hub.ask(QUESTION);
    const keys = [];
    for (const replica of replicas) {
      await replica.synced();
      await replica.sees(id);
      await replica.offline();
      keys.push(replica.propose({ requestId: id, response: "mine" }));
    }
    await Promise.all(replicas.map((replica) => replica.online()));
    const verdicts = await Promise.all(replicas.map((replica, index) => replica.verdict(keys[index])));
    assert.equal(verdicts.filter((verdict) => verdict.success).length, 1, JSON.stringify(verdicts));
    const final = await agreed(id, [...replicas, ...witnesses]);
    for (const verdict of verdicts) assert.equal(verdict.outcome.answeredBy, final.answeredBy);
  }
});

test("twenty answer twenty at once", async () => {
  const names = Array.from({ length: 20 }, (_, number) => `person ${number}`);
  const people = await Promise.all(
    names.map(async (name) => ({ name, replica: await hub.join("crowd", await person(name)).synced() })),
  );
  const ids = await Promise.all(names.map(() => hub.ask({ ...QUESTION, room: "crowd" })));
  for (const { replica } of people) for (const id of ids) await replica.sees(id);
  // Each begins with another request, so that nobody is first everywhere.
  const proposed = [];
  for (let turn = 0; turn < ids.length; turn += 1) {
    people.forEach(({ name, replica }, index) => {
      const id = ids[(index + turn) % ids.length];
      proposed.push({ id, name, replica, key: replica.propose({ requestId: id, response: name }) });
    });
  }
  const verdicts = await Promise.all(
    proposed.map(async ({ id, name, replica, key }) => ({ id, name, verdict: await replica.verdict(key) })),
  );
  assert.equal(verdicts.length, 400);
  const winners = new Set();
  for (const id of ids) {
    const mine = verdicts.filter((each) => each.id === id);
    const won = mine.filter((each) => each.verdict.success);
    assert.equal(won.length, 1, `${id} has one winner`);
    const [{ name }] = won;
    winners.add(name);
    for (const { verdict } of mine.filter((each) => !each.verdict.success)) {
      assert.deepEqual([verdict.code, verdict.answeredBy, verdict.outcome.response], ["already-ended", name, name]);
    }
    const final = await agreed(id, [...people.map((each) => each.replica), witnesses[1]]);
    assert.deepEqual([final.answeredBy, final.response], [name, name]);
  }
  assert.ok(winners.size > 1, "the control: it was a race");
  assert.equal(verdicts.length, people.reduce((sum, { replica }) => sum + replica.verdicts.length, 0), "one verdict for each");
  const documents = new Set(people.map(({ replica }) => JSON.stringify(replica.items)));
  assert.equal(documents.size, 1);
});
