// The story that is told with every SDK: a model asks, a person answers, and nothing is lost between them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, has, until } from "../../../clients/typescript/live/hub.mjs";
import { ASKING_TOOLS, TOOLS, answered, choice, text } from "./asking.mjs";
import { allAsked, answer, asked, decline } from "./person.mjs";

/** Long enough for a call to be on its way, and short for whoever waits. */
const MOMENT_MS = 1500;

/** Of a race that either call may win. */
const ATTEMPTS = 5;
/** The budget of a call where one is to run out, in seconds. */
const BUDGET = 2;

/**
 * Tells it with a client of the SDK `Peer` in its major `version`, in each way and era that it knows. `leaves` says whether a client
 * that gives up on a call tells the server: "aloud" or "silently".
 */
export function tell(Peer, version, eras, leaves = "aloud") {
  let hub;
  before(async () => {
    hub = await Hub.start();
  });
  /** All clients. They end before the hub: those with a session over HTTP tell it. */
  const clients = [];
  after(async () => {
    for (const peer of clients) await (await peer).end();
    await hub?.end();
  });

  for (const era of eras) {
    for (const over of ["stdio", "http"]) {
      const way = `${over}, ${era}`;
      const peers = new Map();
      /** The client with this budget, which several tests share: a person's questions are not told apart by who asks them either. */
      const connected = (wait) => {
        if (!peers.has(wait)) {
          peers.set(wait, Peer.connect(hub, { version, over, era, wait }).then(checked));
          clients.push(peers.get(wait));
        }
        return peers.get(wait);
      };
      const story = (name, { wait }, body) =>
        test(`${way}: ${name}`, async () => body(await connected(wait), `${name} (${way})?`));

      story("they agree, and the tools are there", {}, async (peer) => {
        assert.equal(peer.era, era);
        assert.equal(peer.server.name, "askback");
        assert.deepEqual(Object.keys(peer.capabilities), ["tools"], "nothing is declared that is not there");
        const tools = await peer.tools();
        assert.deepEqual(tools.map(({ name }) => name).sort(), TOOLS);
        for (const { name, description, inputSchema, _meta } of tools) {
          assert.ok(description, name);
          assert.equal(inputSchema.type, "object", name);
          // Claude Code reads these: which tools the model is sent at once, and by what its search finds the others.
          if (ASKING_TOOLS.includes(name)) assert.deepEqual(_meta, { "anthropic/alwaysLoad": true }, name);
          else assert.match(_meta["anthropic/searchHint"], /^[a-z][a-z' ]{20,60}$/, name);
        }
      });

      story("Q6 a question of Claude’s shape comes back in its words", {}, async (peer, question) => {
        const call = peer.call("AskUserQuestion", choice(question));
        const id = await answer(hub, question, "SQLite");
        const { text, structured, isError } = await call;
        assert.equal(isError, false);
        assert.equal(text, answered(question, "SQLite"));
        has(structured, {
          status: "answered",
          request_id: id,
          title: "AskUserQuestion",
          subtitle: "1 question(s)",
          answers: [{ question, header: "Database", selectedOptions: ["SQLite"] }],
        });
      });

      story("a form of ours comes back question by question", {}, async (peer, message) => {
        const questions = [
          { id: "port", type: "number", message, min: 1, max: 65535, integer: true },
          { id: "extras", type: "choice", message: "Extras?", options: ["a", "b, c"], multiSelect: true, other: true },
        ];
        const call = peer.call("request_user_input", { questions });
        await answer(hub, message, "8080", "b, c, my own");
        const { structured } = await call;
        assert.equal(structured.status, "answered");
        assert.deepEqual(
          structured.answers.map(({ id, response }) => [id, response]),
          [
            ["port", "8080"],
            ["extras", "b, c, my own"],
          ],
        );
        assert.deepEqual(structured.answers[1].selections, ["b, c", "my own"], "Other’s text stands where it was chosen");
        assert.equal(structured.answers[1].custom, "my own");
      });

      story("L5 a person’s no is told apart", {}, async (peer, message) => {
        const call = peer.call("request_user_input", text(message));
        await decline(hub, message, "Which region do you mean?");
        const { text: said, structured, isError } = await call;
        assert.equal(isError, false, "a person who says no is no failure");
        assert.equal(said, "The user declined to answer. Reason: Which region do you mean?");
        has(structured, { status: "declined", reason: "Which region do you mean?" });
      });

      story("F15 what is wrong with a request is said where the model reads it", {}, async (peer, message) => {
        const { text: said, isError } = await peer.call("request_user_input", { type: "number", message, step: -1, colour: "red" });
        assert.equal(isError, true);
        assert.match(said, /step/);
        assert.match(said, /colour/, "all problems at once");
        assert.deepEqual(await allAsked(hub, message), [], "nobody is asked");
      });

      story("a tool that is not there is an error of the protocol", {}, async (peer) => {
        await assert.rejects(peer.call("no_such_tool", {}), (error) => error.code === -32602 || /-32602/.test(error.message));
      });

      story("progress is told at once, while a person thinks", {}, async (peer, message) => {
        const told = [];
        const call = peer.call("request_user_input", text(message), { progress: (progress) => told.push(progress) });
        await asked(hub, message);
        await until("there is progress before there is an answer", () => told.length > 0, MOMENT_MS);
        await answer(hub, message, "Ada");
        has((await call).structured, { status: "answered", response: "Ada" });
      });

      story("L3 a call that is called off leaves the question, and asking again finds it", {}, async (peer, message) => {
        const off = new AbortController();
        const call = peer.call("request_user_input", text(message), { signal: off.signal });
        const { id } = await asked(hub, message);
        off.abort();
        await assert.rejects(call);
        let isThere = false;
        const again = peer.call("request_user_input", text(message), { progress: () => (isThere = true) });
        // Not before: of a client that says nothing, the first call would take the answer.
        await until("the second call waits, too", () => isThere);
        assert.equal(await answer(hub, message, "Ada"), id, "it is the same request");
        has((await again).structured, { status: "answered", request_id: id, response: "Ada" });
        assert.equal((await allAsked(hub, message)).length, 1, "and the only one");
      });

      story("L3 a client that runs out of patience asks again, and hears what was answered meanwhile", {}, async (peer, message) => {
        await assert.rejects(peer.call("request_user_input", text(message), { patience: MOMENT_MS }));
        const id = await answer(hub, message, "Ada");
        const { text: said, structured } = await peer.call("request_user_input", text(message));
        has(structured, { status: "answered", request_id: id, response: "Ada" });
        // The hub can't know that a silent client did not receive the answer.
        assert.equal(/may not have reached you/.test(said), leaves === "silently");
        assert.equal((await allAsked(hub, message)).length, 1);
      });

      story("S5 an answer is found once, and consent that a client may have received never", { wait: BUDGET }, async (peer, message) => {
        const pendingAgain = async (input, id) => {
          const whole = await peer.call("request_user_input", input);
          const { status, request_id } = whole.structured;
          assert.deepEqual([status, request_id === id], ["pending", false], JSON.stringify([input, whole]));
        };
        await assert.rejects(peer.call("request_user_input", text(message), { patience: MOMENT_MS }));
        const id = await answer(hub, message, "Ada");
        has((await peer.call("request_user_input", text(message))).structured, { status: "answered", request_id: id });
        await pendingAgain(text(message), id);
        if (leaves !== "silently") return;
        // The next call may be faster than the one that was given up, and have the answer in its place: not every time.
        let isNever = false;
        for (let count = 0; count < ATTEMPTS && !isNever; count += 1) {
          const confirm = { type: "confirm", message: `${message} Really, ${count}?` };
          await assert.rejects(peer.call("request_user_input", confirm, { patience: MOMENT_MS }));
          const decided = await answer(hub, confirm.message, "yes");
          const { status, request_id } = (await peer.call("request_user_input", confirm)).structured;
          isNever = status === "pending" && request_id !== decided;
        }
        assert.ok(isNever, "what a client may have received is not given to the next call");
      });

      story("L3 a budget that runs out is no failure: wait_for_answer goes on", { wait: BUDGET }, async (peer, message) => {
        const first = await peer.call("request_user_input", text(message));
        assert.equal(first.isError, false);
        const { status, request_id, next } = first.structured;
        assert.equal(status, "pending");
        assert.match(next, /wait_for_answer/);
        assert.match(first.text, new RegExp(request_id), "a model that sees the text alone can go on, too");
        const second = peer.call("wait_for_answer", { request_id });
        assert.equal(await answer(hub, message, "Ada"), request_id);
        has((await second).structured, { status: "answered", request_id, response: "Ada" });
      });

      story("what waits is listed, and can be taken away", { wait: BUDGET }, async (peer, message) => {
        const { request_id } = (await peer.call("request_user_input", text(message))).structured;
        const listed = async () => (await peer.call("list_requests", { status: "pending" })).structured.requests;
        assert.ok((await listed()).some((request) => request.request_id === request_id));
        const cancelled = (await peer.call("cancel_request", { request_id, reason: "not needed" })).structured;
        has(cancelled, { status: "cancelled", request_id, reason: "not needed" });
        // Python leaves out what is null.
        for (const field of ["answeredBy", "answeredAt"]) assert.equal(cancelled[field] ?? null, null, `nobody answered: ${field}`);
        assert.ok(!(await listed()).some((request) => request.request_id === request_id));
        const { text: said } = await peer.call("wait_for_answer", { request_id });
        assert.equal(said, "The question was cancelled before anyone answered. Do not assume an answer. Reason: not needed");
      });

      story("S5 an approval that was delivered is not used again", { wait: BUDGET }, async (peer, message) => {
        const input = { type: "approval", message };
        const first = peer.call("request_user_input", input);
        const id = await answer(hub, message, "approve");
        has((await first).structured, { status: "answered", request_id: id, response: "approve" });
        // A list does not tell what was decided: that is told once.
        const listed = async (input) => (await peer.call("list_requests", input)).structured.requests.find((request) => request.request_id === id);
        has(await listed({}), { status: "ended", reason: null });
        assert.equal(await listed({ status: "answered" }), undefined);
        const { status, request_id } = (await peer.call("request_user_input", input)).structured;
        assert.equal(status, "pending");
        assert.notEqual(request_id, id);
      });

      if (over === "stdio") {
        story("L8 --room is the only room: neither a question nor a script can name another one", {}, async (peer, message) => {
          const input = { ...text(message), room: "attic" };
          const { text: said, isError } = await peer.call("request_user_input", input);
          assert.equal(isError, true);
          assert.match(said, /the room "shop" alone/);
          const { structured } = await peer.call("execute_code", { code: `return await requestUserInput(${JSON.stringify(input)})` });
          assert.match(JSON.stringify(structured), /the room \\*"shop\\*" alone/);
          assert.deepEqual(await allAsked(hub, message), [], "nobody is asked");
          const call = peer.call("request_user_input", { ...input, room: "shop" });
          await answer(hub, message, "Ada");
          has((await call).structured, { status: "answered", response: "Ada" });
        });
      }

      story("code asks, and goes on with the answer", {}, async (peer, message) => {
        const code = `const { response } = await requestUserInput(${JSON.stringify(text(message))}); return response.length`;
        const call = peer.call("execute_code", { code });
        await answer(hub, message, "Ada");
        has((await call).structured, { status: "finished", result: 3 });
      });
    }
  }
}

/** Has a client check what holds of every tool result, errors included: its structured content begins with the text for the model (Q6). */
function checked(peer) {
  const call = peer.call.bind(peer);
  peer.call = async (...args) => {
    const result = await call(...args);
    assert.deepEqual(Object.entries(result.structured ?? {})[0], ["message", result.text]);
    return result;
  };
  return peer;
}
