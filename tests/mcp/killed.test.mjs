// The hub, the shim and the client are killed at every step of a call: the answer is found again by asking the same, and an approval that
// was delivered is never used again.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Hub, each, has, until } from "../../clients/typescript/live/hub.mjs";
import { Apart } from "./support/apart.mjs";
import { allAsked, answer, asked } from "./support/person.mjs";
import { gone, isAlive, kill } from "./support/processes.mjs";
import { Case, HTTP, STDIO, TOOL, approval, isAsking } from "./support/steps.mjs";
import { TypeScript } from "./support/typescript.mjs";

/** How many cases are under way at once: most of each is waiting for a process to start. */
const AT_ONCE = 4;

/** So many lists of tools are more than a pipe holds. */
const FLOOD = 100;

let hub;
before(async () => (hub = await Hub.start()));
after(() => hub?.end());

/** The person approves, if they have not, and this call brings it. */
async function brings(call, { hub, message, step }, id) {
  if (step.reached === "nothing" || step.reached === "asked") {
    const answered = await answer(hub, message, "approve");
    if (id) assert.equal(answered, id, "it is the same request");
    id = answered;
  } else {
    // Whoever is asked once more would be waited for.
    const once = asked(hub, message).then(() => assert.fail("the person was asked once more"));
    once.catch(() => {});
    await Promise.race([call, once]);
  }
  has((await call).structured, { status: "answered", request_id: id, response: "approve" });
  assert.equal((await allAsked(hub, message)).length, 1, "and the only one");
  return id;
}

/** Asking the same is another question, since this answer was delivered (S5). */
async function asksAnew(peer, { hub, message }, id) {
  const off = new AbortController();
  const call = peer.call(TOOL, approval(message), { signal: off.signal });
  const reused = call.then(({ structured }) => assert.fail(`nobody was asked: ${JSON.stringify(structured)}`));
  const other = await Promise.race([asked(hub, message), reused]);
  reused.catch(() => {});
  assert.notEqual(other.id, id);
  assert.equal((await allAsked(hub, message)).length, 2);
  off.abort();
  await assert.rejects(call);
}

/** What it was is still there for whoever looks. */
async function isKept(peer, id) {
  has((await peer.call("wait_for_answer", { request_id: id })).structured, { status: "answered", response: "approve" });
}

/** A test of one case at a step, with a client that is started again after whatever was killed. */
function story(over, victim, step, body) {
  test(`${over}: S5 the ${victim} is killed when ${step.step}`, async () => {
    const told = await Case.make(hub, step, `May I (${over}, ${victim}, ${step.step})?`);
    try {
      await body(told);
    } finally {
      told.end();
    }
  });
}

/** Asks the same with another client, after the first one or its shim was killed. */
async function findsAgain(told, over, reached = told.step.reached) {
  const peer = await told.peer(over);
  try {
    let { id } = told;
    if (reached !== "delivered") id = await brings(peer.call(TOOL, approval(told.message)), told, id);
    await asksAnew(peer, told, id);
    if (told.id) await isKept(peer, id);
  } finally {
    await peer.end();
  }
}

describe("the shim is killed", { concurrency: AT_ONCE }, () => {
  for (const step of STDIO) {
    story("stdio", "shim", step, async (told) => {
      if (step.isBefore) {
        const connecting = told.peer("stdio", { server: told.stopped() });
        connecting.catch(() => {});
        await kill(await told.starting());
        await assert.rejects(connecting);
      } else {
        const peer = await told.peer("stdio");
        await told.bring(peer);
        await kill(peer.pid);
        if (told.call && step.reached !== "delivered") await assert.rejects(told.call);
        await peer.end();
      }
      // Nobody is left who could say that it did not arrive: the approval is used up, and kept.
      await findsAgain(told, "stdio", step.reached === "leaving" ? "delivered" : step.reached);
    });
  }
});

describe("the client is killed", { concurrency: AT_ONCE }, () => {
  for (const step of STDIO) {
    story("stdio", "client", step, async (told) => {
      const client = Apart.start();
      if (step.isBefore) {
        const connecting = client.connect({ stdio: told.stopped() });
        connecting.catch(() => {});
        const pid = await told.starting();
        await client.kill();
        process.kill(pid, "SIGCONT");
        await gone(pid);
      } else {
        await client.connect(told.server("stdio"));
        await told.bring(client);
        await client.kill();
        told.goOn();
        // Its shim notices, takes back what it could not hand over, and ends.
        await gone(client.shim);
      }
      await findsAgain(told, "stdio", step.reached === "leaving" ? "answered" : step.reached);
    });
  }

  for (const step of HTTP) {
    story("http", "client", step, async (told) => {
      const client = await Apart.start().connect(told.server("http"));
      await told.bring(client);
      await client.kill();
      told.goOn();
      await findsAgain(told, "http");
    });
  }

  for (const over of ["stdio", "http"]) {
    story(over, "client", { step: "nobody has answered yet, and then somebody does", reached: "asked" }, async (told) => {
      const client = await Apart.start().connect(told.server(over));
      await told.bring(client);
      await client.kill();
      await answer(hub, told.message, "approve");
      told.step = { reached: "answered" };
      await findsAgain(told, over);
    });

    story(over, "client", { step: "the answer lies before it and it does not read", reached: "asked" }, async (told) => {
      const client = await Apart.start().connect(told.server(over));
      await told.bring(client);
      client.freeze();
      await answer(hub, told.message, "approve");
      const sign = over === "stdio" ? '"changed"' : "askback/outcome";
      await until("it has left", () => told.gate.told.includes(sign));
      await client.kill();
      if (over === "stdio") await gone(client.shim);
      // Nobody can say whether it was read: it is used up, and kept.
      await findsAgain(told, over, "delivered");
    });
  }

  story("stdio", "client", { step: "it does not read and its pipe is full", reached: "asked" }, async (told) => {
    const client = await Apart.start().connect(told.server("stdio"));
    await told.bring(client);
    process.kill(client.shim, "SIGSTOP");
    await client.flood(FLOOD);
    client.freeze();
    process.kill(client.shim, "SIGCONT");
    await answer(hub, told.message, "approve");
    await until("it is about to leave", () => told.gate.told.includes('"changed"'));
    await client.kill();
    await gone(client.shim);
    // The shim could not hand it over, and said so.
    told.step = { reached: "answered" };
    await findsAgain(told, "stdio");
  });
});

describe("the hub is killed", () => {
  for (const step of STDIO) {
    story("stdio", "hub", step, async (told) => {
      const connecting = told.peer("stdio", step.isBefore ? { server: told.stopped() } : {});
      if (step.isBefore) {
        const pid = await told.starting();
        await told.killHub();
        process.kill(pid, "SIGCONT");
      }
      const peer = await connecting;
      try {
        if (!step.isBefore) {
          await told.bring(peer);
          await told.killHub();
        }
        // The shim waits until it is there again: nobody has to ask again.
        const id = await brings(told.call ?? peer.call(TOOL, approval(told.message)), told, told.id);
        await asksAnew(peer, told, id);
        await isKept(peer, id);
      } finally {
        await peer.end();
      }
    });
  }

  for (const step of HTTP) {
    story("http", "hub", step, async (told) => {
      const peer = await told.peer("http");
      try {
        await told.bring(peer);
        await told.killHub();
        // The session goes on, although the hub that had it is dead.
        let { id } = told;
        if (step.reached !== "delivered") id = await brings(peer.call(TOOL, approval(told.message)), told, id);
        await asksAnew(peer, told, id);
        await isKept(peer, id);
      } finally {
        await peer.end();
      }
    });
  }
});

/** The answer to a question that was asked before is found, and dies on its way. */
const FOUND = { step: "what was answered before is found again", reached: "asked" };

describe("asking again is cut off, too", () => {
  const again = async (told, victim) => {
    const first = await told.peer("stdio");
    await told.bring(first);
    await kill(first.pid);
    await first.end();
    await answer(hub, told.message, "approve");
    told.step = { reached: "answered" };
    const held = told.gate.hold("answer", isAsking);
    const client = await Apart.start().connect(told.server("stdio"));
    const call = client.call(TOOL, approval(told.message));
    call.catch(() => {});
    await held.reached();
    await victim(client, held, call);
  };

  story("stdio", "shim", FOUND, async (told) => {
    await again(told, async (client) => {
      await kill(client.shim);
      await client.kill();
    });
    await findsAgain(told, "stdio");
  });

  story("stdio", "client", FOUND, async (told) => {
    await again(told, async (client, held) => {
      await client.kill();
      held.release();
      await gone(client.shim);
    });
    await findsAgain(told, "stdio");
  });

  story("stdio", "hub", FOUND, async (told) => {
    await again(told, async (client, held, call) => {
      await told.killHub();
      held.release();
      has((await call).structured, { status: "answered", request_id: told.id, response: "approve" });
      await client.kill();
    });
    await findsAgain(told, "stdio", "delivered");
  });
});

describe("the hub is killed while many wait", () => {
  const MANY = Array.from({ length: 20 }, (_, number) => number);

  /** Asks many questions with one client, has the hub killed, and answers them all. */
  const many = async (peer, where, killed) => {
    const message = (number) => `Which of them (${where}, ${number})?`;
    const calls = MANY.map((number) => peer.call(TOOL, { type: "text", message: message(number) }));
    const ids = await each(MANY, 4, async (number) => (await asked(hub, message(number))).id);
    const found = await killed();
    await each(MANY, 4, (number) => answer(found, message(number), `the ${number}th`));
    const results = await Promise.all(calls);
    for (const number of MANY) has(results[number].structured, { status: "answered", request_id: ids[number], response: `the ${number}th` });
    const all = (await found.call("GET", "/api/v1/requests?limit=200")).json.items;
    for (const id of ids) assert.equal(all.filter((item) => item.id === id).length, 1);
    assert.equal(all.filter(({ request }) => request.questions[0].message.includes(`(${where}, `)).length, MANY.length, "nobody asked twice");
  };

  test("stdio: L3 all get their answers when it is started again", async () => {
    const told = await Case.make(hub, {}, "");
    const peer = await told.peer("stdio");
    try {
      await many(peer, "started again", async () => {
        await told.killHub();
        return hub;
      });
    } finally {
      await peer.end();
      told.end();
    }
  });

  test("stdio: L3 all get their answers when nobody starts it again but the shim", async () => {
    const peer = await TypeScript.connect(hub, { version: 1, over: "stdio", era: "2025-11-25" });
    try {
      await many(peer, "by the shim", async () => {
        await hub.stop("SIGKILL");
        return revived(hub);
      });
    } finally {
      await peer.end();
      await kill((await revived(hub)).pid);
      await hub.resume();
    }
  });
});

/** The hub that somebody else has started in place of this one. */
const revived = (dead) =>
  until("it is started again", () => {
    const { pid, url } = JSON.parse(readFileSync(join(dead.folder, "hub.json"), "utf8"));
    return isAlive(pid) && Object.create(dead, { origin: { value: url }, pid: { value: pid } });
  });

describe("the hub is killed while a script waits", () => {
  for (const over of ["stdio", "http"]) {
    test(`${over}: L3 what it has asked is named, and the same code finds it again`, async () => {
      const [first, second] = [1, 2].map((number) => `Which of the scripts (${over}, ${number})?`);
      const code = `const one = await requestUserInput({ type: "text", message: ${JSON.stringify(first)} });
        const two = await requestUserInput({ type: "text", message: ${JSON.stringify(second)} });
        return [one.response, two.response];`;
      const told = await Case.make(hub, {}, "");
      const peer = await told.peer(over);
      try {
        const call = peer.call("execute_code", { code });
        call.catch(() => {});
        await answer(hub, first, "a");
        const { id } = await asked(hub, second);
        await told.killHub();
        if (over === "stdio") {
          const { isError, text } = await call;
          assert.equal(isError, true);
          assert.match(text, /ends with the hub/);
          assert.match(text, new RegExp(id), "it names what is still pending");
          assert.match(text, /run the script once more/);
        }
        const again = peer.call("execute_code", { code });
        // What it has heard was delivered: it is asked anew. What it waited for is found.
        await answer(hub, first, "b");
        assert.equal(await answer(hub, second, "c"), id);
        has((await again).structured, { status: "finished", result: ["b", "c"] });
        assert.deepEqual([(await allAsked(hub, first)).length, (await allAsked(hub, second)).length], [2, 1]);
      } finally {
        await peer.end();
        told.end();
      }
    });
  }
});
