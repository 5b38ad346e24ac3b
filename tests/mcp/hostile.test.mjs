// What no client should send, and what scripts should not do: each is answered so that one can act on it, and nobody else feels it.

import assert from "node:assert/strict";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Hub, has, pause, until } from "../../clients/typescript/live/hub.mjs";
import { text } from "./support/asking.mjs";
import { INITIALIZE, INITIALIZED, Lines } from "./support/lines.mjs";
import { allAsked, answer, asked } from "./support/person.mjs";
import { memory } from "./support/processes.mjs";
import { post } from "./support/raw.mjs";
import { TypeScript } from "./support/typescript.mjs";

/** Bytes of one message. */
const LIMIT = 16 << 20;
/** Megabytes that a shim may take whose client does not read: what it had asked for is four times that. */
const SHIM_MB = 150;
/** Megabytes that a hub may take after everything. */
const HUB_MB = 250;
/** What an honest client waits at most while others are hostile, apart from what the machine is busy with otherwise. */
const LATENCY_MS = 5_000;

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
const calling = (name, input, meta) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input, ...meta } });
const padded = (bytes) => {
  const [head, tail] = ['{"method":"ping","params":{"x":"', '"},"jsonrpc":"2.0","id":1}'];
  return head + "x".repeat(bytes - head.length - tail.length) + tail;
};

let hub, honest, session;
let asks = 0;

before(async () => {
  hub = await Hub.start();
  honest = await TypeScript.connect(hub, { version: 1, over: "stdio", era: "2025-11-25", name: "honest" });
  session = await begin();
});
after(async () => {
  await honest?.end();
  await Lines.endAll();
  await hub?.end();
});

/** Somebody honest asks, and is answered. Gives how long that took. */
async function asksAndHears() {
  const message = `Still there (${(asks += 1)})?`;
  const begun = performance.now();
  const call = honest.call("request_user_input", text(message));
  await answer(hub, message, "yes");
  has((await call).structured, { status: "answered", response: "yes" });
  return performance.now() - begun;
}

/** How many calls wait at the hub. */
const waiting = async () => Number((await hub.call("GET", "/metrics")).text.match(/^askback_waiting_calls (\d+)$/m)[1]);

/** A session over HTTP, as the header that names it. */
async function begin(as = {}) {
  const { status, headers } = await post(hub, JSON.stringify(INITIALIZE), as);
  assert.equal(status, 200);
  const named = { "mcp-session-id": headers["mcp-session-id"] };
  assert.equal((await post(hub, JSON.stringify(INITIALIZED), { ...as, ...named })).status, 202);
  return named;
}

/** What is no message: bytes, the code of the answer to it, and the id that the answer is to have if one can be seen. */
const WRONG = [
  ["no JSON", "{nonsense", -32700],
  ["half of a message", '{"jsonrpc":"2.0","id":1,"method":', -32700, 1],
  ["bytes that are no text", Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]), -32700, 1],
  ["zeros", Buffer.alloc(64), -32700],
  ["a hundred thousand brackets", "[".repeat(100_000), -32700],
  ["as many in a message", `{"jsonrpc":"2.0","id":1,"method":"ping","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, -32700, 1],
  ["as many before the id", `{"method":"ping","params":${'{"id":7,"a":'.repeat(100_000)}1${"}".repeat(100_000)},"jsonrpc":"2.0","id":1}`, -32700, 1],
  ["a number", "42", -32600],
  ["a text", '"hello"', -32600],
  ["null", "null", -32600],
  ["a list", "[]", -32600],
  ["a batch", JSON.stringify([ping, ping]), -32600],
  ["an empty object", "{}", -32600],
  ["no version", JSON.stringify({ id: 1, method: "ping" }), -32600, 1],
  ["another version", JSON.stringify({ ...ping, jsonrpc: "1.0" }), -32600, 1],
  ["a method that is no text", JSON.stringify({ ...ping, method: 7 }), -32600, 1],
  ...[null, 1.5, true, {}, [], 1e30].map((id) => [`the id ${JSON.stringify(id)}`, JSON.stringify({ ...ping, id }), -32600]),
  ["an id past all numbers", '{"jsonrpc":"2.0","id":18446744073709551616,"method":"ping"}', -32600],
  ["an unknown method", JSON.stringify({ ...ping, method: "no/such" }), -32601, 1, /no\/such/],
  ["an unknown tool", JSON.stringify(calling("no_such_tool", {})), -32602, 1, /no_such_tool.*AskUserQuestion, request_user_input/],
  ...[[], "x", 7].map((input) => [`arguments ${JSON.stringify(input)}`, JSON.stringify(calling("list_requests", input)), -32602, 1, /arguments \(an object\)/]),
  ["no name of a tool", JSON.stringify({ ...ping, method: "tools/call", params: {} }), -32602, 1, /name/],
  ["no params", JSON.stringify({ ...ping, method: "tools/call" }), -32602, 1, /name/],
  ["initialize without anything", JSON.stringify({ ...ping, method: "initialize" }), -32602, 1, /protocolVersion/],
];

/** What is a message, however it looks. */
const RIGHT = [
  ["a line end of Windows", `${JSON.stringify(ping)}\r`, {}],
  ["a byte order mark", `\ufeff${JSON.stringify(ping)}`, {}],
  ["an id that is negative", JSON.stringify({ ...ping, id: -1 }), {}, -1],
  ["an id that is empty", JSON.stringify({ ...ping, id: "" }), {}, ""],
  ["a huge id", JSON.stringify({ ...ping, id: "x".repeat(100_000) }), {}, "x".repeat(100_000)],
  ["an id as large as one may be", JSON.stringify({ ...ping, id: Number.MAX_SAFE_INTEGER }), {}, Number.MAX_SAFE_INTEGER],
  ...[null, {}, [], 1.5, true, "", "x".repeat(10_000)].map((progressToken) => [
    `the progress token ${JSON.stringify(progressToken).slice(0, 20)}`,
    JSON.stringify(calling("list_requests", { limit: 1 }, { _meta: { progressToken } })),
    { isError: false },
  ]),
  ["no arguments", JSON.stringify(calling("list_requests", null)), { isError: false }],
  ["initialize once more", JSON.stringify({ ...INITIALIZE, id: 1 }), { protocolVersion: "2025-11-25" }],
];

/** What nobody answers. */
const SILENT = [
  { jsonrpc: "2.0", method: "notifications/nonsense", params: { a: 1 } },
  { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: {} } },
  { jsonrpc: "2.0", method: "notifications/cancelled", params: 7 },
  { jsonrpc: "2.0", method: "notifications/progress" },
  { jsonrpc: "2.0", id: 99, result: {} },
  { jsonrpc: "2.0", id: 99, error: { code: 1, message: "x" } },
];

/** Wrong arguments of every tool, and what is said of each: the argument, and what would pass. */
const ID = "01a1e784-10d2-712d-a891-fd67a7cc1213";
const ARGUMENTS = [
  ["AskUserQuestion", {}, /questions.*missing.*a list/],
  ["AskUserQuestion", { questions: [] }, /questions.*1 to 4/],
  ["AskUserQuestion", { questions: [{ question: 1 }] }, /question: .*a text[^]*options.*missing/],
  ["AskUserQuestion", text("Of another shape?"), /questions.*missing[^]*message[^]*expected one of/],
  ["request_user_input", {}, /type.*message/],
  ["request_user_input", { type: "nonsense", message: "Q?" }, /type.*approval, text/],
  ["request_user_input", { type: "choice", message: "Q?" }, /options.*missing.*a list/],
  ["request_user_input", { type: "approval", message: "Deploy?", key: "deploy" }, /key.*asking exactly the same again/],
  ["request_user_input", { type: "text", message: "x".repeat(2_000_000) }, /message.*1 to 10000/],
  ["request_user_input", { type: "text", message: "Q?", ask_again: "yes" }, /ask_again.*true or false/],
  ["wait_for_answer", {}, /request_id.*missing.*list_requests/],
  ["wait_for_answer", { request_id: 7 }, /request_id.*a number.*list_requests/],
  ["wait_for_answer", { request_id: "x" }, /request_id.*"x".*list_requests/],
  ["wait_for_answer", { request_id: ID }, new RegExp(`no request and no script "${ID}"`)],
  ["wait_for_answer", { request_id: ID, max_wait_s: -1 }, /max_wait_s.*0 to 86400/],
  ["list_requests", { status: "open" }, /status.*pending, answered/],
  ["list_requests", { status: 7 }, /status.*pending, answered/],
  ["list_requests", { limit: 0 }, /limit.*1 to 100/],
  ["list_requests", { colour: "red" }, /colour.*status, limit/],
  ["cancel_request", {}, /request_id.*missing/],
  ["cancel_request", { request_id: ID, reason: 7 }, /reason.*a text/],
  ["execute_code", {}, /code.*missing.*JavaScript/],
  ["execute_code", { code: 7 }, /code.*JavaScript of at most/],
  ["execute_code", { code: "x".repeat(300_000) }, /code.*too long.*262144/],
  ["execute_code", { code: "return 1", language: "python" }, /language.*code, ask_again/],
];

/** Both ways in, as something that takes bytes and gives the answer to them. */
const WAYS = {
  stdio: async () => {
    const lines = await Lines.initialized(hub, { wait: 1 });
    const hears = async (id) => {
      const found = await (id === undefined ? lines.complaint() : lines.answer(id));
      lines.heard.length = 0;
      return found;
    };
    return { say: (bytes, id) => (lines.send(bytes), lines.send("\n"), hears(id)), quiet: async (bytes) => lines.send(bytes + "\n"), end: () => lines.kill() };
  },
  http: async () => ({
    say: async (bytes) => (await post(hub, bytes, session)).message,
    quiet: async (bytes) => assert.equal((await post(hub, bytes, session)).status, 202),
    end: () => {},
  }),
};

for (const [over, open] of Object.entries(WAYS)) {
  test(`${over}: F15 whatever is no message is answered as such, and the next one counts`, async () => {
    const way = await open();
    for (const [what, bytes, code, id, why = /\w+ \w+/] of WRONG) {
      const { error, ...rest } = await way.say(bytes, id);
      assert.equal(error?.code, code, `${what}: ${JSON.stringify(error)}`);
      assert.equal(rest.id ?? undefined, id, what);
      assert.match(error.message, why, what);
      assert.ok(error.message.length < 1_000, what);
    }
    for (const [what, bytes, expected, id = 1] of RIGHT) {
      const { result, error } = await way.say(bytes, id);
      assert.ok(result, `${what}: ${JSON.stringify(error)}`);
      has(result, expected, what);
    }
    for (const message of SILENT) {
      await way.quiet(JSON.stringify(message));
      assert.deepEqual((await way.say(JSON.stringify(ping), 1)).result, {}, JSON.stringify(message));
    }
    await way.end();
  });

  test(`${over}: F15 a model is told which argument is wrong, and what would pass`, async () => {
    const way = await open();
    for (const [name, input, why] of ARGUMENTS) {
      const { result } = await way.say(JSON.stringify(calling(name, input)), 1);
      assert.equal(result.isError, true, name);
      assert.match(result.content[0].text, why);
      assert.ok(result.content[0].text.length < 3_000, name);
    }
    await way.end();
  });

  test(`${over}: S3 a message may be as long as it may be, and not a byte longer`, async () => {
    const way = await open();
    // In a line, its end counts.
    const longest = over === "stdio" ? LIMIT - 1 : LIMIT;
    assert.deepEqual((await way.say(padded(longest), 1)).result, {});
    if (over === "stdio") {
      for (const length of [longest + 1, LIMIT * 1.5]) {
        const { error } = await way.say(padded(length), 1);
        assert.match(error.message, /more than 16777216 bytes/);
      }
    } else {
      for (const length of [longest + 1, LIMIT * 1.5]) {
        const { status, text: said } = await post(hub, padded(length), session);
        assert.equal(status, 413);
        assert.match(said, /more than 16777216 bytes/);
      }
    }
    assert.deepEqual((await way.say(JSON.stringify(ping), 1)).result, {});
    await way.end();
  });

  test(`${over}: S2 what is meant for a terminal comes back as it was`, async () => {
    const peer = await TypeScript.connect(hub, { version: 1, over, era: "2025-11-25" });
    try {
      const [message, said] = [`May I, over ${over}? \u001b[31m\u001b]0;owned\u0007\u202e`, '\u202egnp.exe\u2066 \\ " \u2028 \ud83d\ude00'];
      const call = peer.call("request_user_input", text(message));
      await answer(hub, message, said);
      has((await call).structured, { status: "answered", response: said });
      const { structured } = await peer.call("list_requests", { limit: 1 });
      assert.deepEqual([structured.requests[0].questions, structured.requests[0].status], [[message], "answered"]);
    } finally {
      await peer.end();
    }
  });
}

describe("over stdio alone", () => {
  test("S3 what comes before initialize is refused or ignored, and then it begins", async () => {
    const lines = Lines.start(hub);
    lines.say(...SILENT, INITIALIZED);
    lines.say({ ...calling("list_requests", {}), id: "early" });
    assert.match((await lines.answer("early")).error.message, /initialize first/);
    lines.send("{nonsense\n");
    assert.equal((await lines.complaint()).error.code, -32700);
    for (const protocolVersion of [7, null]) lines.say({ ...INITIALIZE, id: `v${protocolVersion}`, params: { ...INITIALIZE.params, protocolVersion } });
    assert.match((await lines.answer("v7")).error.message, /protocolVersion/);
    lines.say({ ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion: "1999-01-01" } }, INITIALIZED);
    assert.equal((await lines.answer("initialize")).result.protocolVersion, "2025-11-25", "what it can speak instead");
    lines.say(ping);
    assert.deepEqual((await lines.answer(1)).result, {});
    await lines.kill();
  });

  test("L3 a last message needs no end, and what it asks for is told before the end", async () => {
    const lines = await Lines.initialized(hub);
    lines.send(`\n\r\n \n${JSON.stringify({ ...ping, id: "last" })}`);
    assert.equal(await lines.hangUp(), 0);
    assert.ok(lines.heard.some(({ id, result }) => id === "last" && result));
    const broken = await Lines.initialized(hub);
    broken.send('{"jsonrpc":"2.0","id":"broken","met');
    assert.equal(await broken.hangUp(), 0);
    assert.equal(broken.heard.find(({ id }) => id === "broken").error.code, -32700);
    assert.equal(await Lines.start(hub).hangUp(), 0, "who says nothing has done nothing wrong");
  });

  test("S3 ten thousand cancellations of nothing, and one of what has ended", async () => {
    const lines = await Lines.initialized(hub);
    lines.say({ ...ping, id: "over" });
    await lines.answer("over");
    const cancelled = (requestId) => JSON.stringify({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId } });
    lines.send(`${["over", ...Array(10_000).keys()].map((id) => cancelled(id)).join("\n")}\n`);
    lines.say({ ...ping, id: "after" });
    assert.deepEqual((await lines.answer("after")).result, {});
    await lines.kill();
  });

  test("S3 an id that is used twice is answered", async () => {
    const lines = await Lines.initialized(hub);
    lines.say({ ...ping, id: "twice", method: "tools/list" }, { ...ping, id: "twice", method: "tools/list" }, ping);
    await lines.answer(1);
    await lines.answer("twice");
    lines.say({ ...ping, id: 2 });
    await lines.answer(2);
    await lines.kill();
  });

  test("S3 a client that never reads does not fill the memory, and is heard when it does", async () => {
    const lines = (await Lines.initialized(hub)).deafen();
    const many = 5_000;
    const lists = Array.from({ length: many }, (_, id) => JSON.stringify({ ...ping, id, method: "tools/list" }));
    lines.send(`${lists.join("\n")}\n${"{nonsense\n".repeat(many)}`);
    lines.say({ ...ping, id: "last" });
    // Until it takes no more: since it has all, or because it waits for its client.
    const sizes = [memory(lines.pid)];
    while (sizes.length < 10 || sizes.at(-1) > sizes.at(-10)) {
      await pause(100);
      sizes.push(memory(lines.pid));
      assert.ok(sizes.at(-1) < SHIM_MB, `${sizes.at(-1)} MB`);
    }
    lines.listen();
    assert.deepEqual((await until("it is heard", () => lines.heard.find(({ id }) => id === "last"), 30_000)).result, {});
    await lines.kill();
  });

  test("S3 2,500 calls at once: most are taken, the rest are told, and when the client disappears so does its shim", async () => {
    const lines = await Lines.initialized(hub);
    for (let id = 0; id < 2_500; id += 1) lines.call(id, "request_user_input", { type: "text", message: `One of many (${id})?` });
    const refused = await until("the rest are told", () => lines.heard.filter(({ result }) => result?.isError).length >= 500 && lines.heard.find(({ result }) => result?.isError));
    assert.match(refused.result.content[0].text, /2000 calls under way/);
    await until("2,000 wait", async () => (await waiting()) === 2_000, 30_000);
    await asksAndHears();
    assert.equal(await lines.hangUp(), 0);
    await until("nobody waits", async () => (await waiting()) === 0);
  });
});

describe("over HTTP alone", () => {
  test("S4 who calls in the wrong way is told what is wrong", async () => {
    const bytes = JSON.stringify(ping);
    const other = (await hub.give({ role: "asker", name: "other" })).secret;
    const nobody = "019a0000-0000-7000-8000-000000000000";
    const cases = [
      ["a text", bytes, { ...session, "content-type": "text/plain" }, 415, /application\/json/],
      ["no kind of content", bytes, { ...session, "content-type": null }, 415, /application\/json/],
      ["nothing accepted", bytes, { ...session, accept: null }, 406, /text\/event-stream/],
      ["pages accepted", bytes, { ...session, accept: "text/html" }, 406, /text\/event-stream/],
      ["an empty body", "", session, 400, /no message/],
      ["no session", bytes, {}, 400, /[Ss]ession/],
      ["no session that there is", bytes, { "mcp-session-id": nobody }, 404, /[Ss]ession/],
      ["what is no session", bytes, { "mcp-session-id": "../../x" }, 404, /[Ss]ession/],
      ["another's session", bytes, { ...session, token: other }, 404, /no such session/],
      ["listening in another's session", null, { ...session, token: other, method: "GET" }, 404, /no such session/],
      ["ending another's session", null, { ...session, token: other, method: "DELETE" }, 404, /no such session/],
      ["listening without a session", null, { method: "GET" }, 400, /[Ss]ession/],
      ["ending without a session", null, { method: "DELETE" }, 400, /[Ss]ession/],
      ["another method", bytes, { ...session, method: "PUT" }, 405, /./],
      ["a page of another site", bytes, { ...session, origin: "http://evil.example" }, 403, /evil\.example/],
      ["another name of the server", bytes, { ...session, host: "evil.example" }, 421, /evil\.example/],
      ["a person's token", JSON.stringify(INITIALIZE), { token: hub.person }, 403, /asker/],
      ["no token", JSON.stringify(INITIALIZE), { token: null }, 401, /token/],
      ["no token that there is", JSON.stringify(INITIALIZE), { token: "x" }, 401, /token/],
      ["a version that nobody speaks", bytes, { ...session, "mcp-protocol-version": "1999-01-01" }, 400, /1999-01-01/],
      ["an unknown parameter", bytes, { ...session, path: "/mcp?colour=red" }, 400, /colour.*room, wait/],
      ["a wait that is none", bytes, { ...session, path: "/mcp?wait=-1" }, 400, /wait.*0 to 86400/],
    ];
    for (const [what, sent, options, expected, why] of cases) {
      const { status, text: said } = await post(hub, sent, options);
      assert.equal(status, expected, `${what}: ${said}`);
      assert.match(said, why, what);
    }
    assert.deepEqual((await post(hub, bytes, session)).message.result, {}, "the control: the session is still there");
    const own = await begin();
    assert.equal((await post(hub, null, { ...own, method: "DELETE" })).status, 204, "the Python SDKs expect 200 or 204");
    assert.equal((await post(hub, bytes, own)).status, 404, "what was ended has ended");
    assert.equal((await post(hub, null, { ...own, method: "DELETE" })).status, 404, "and can't be ended again");
  });

  test("S3 clients that disappear leave nobody waiting", async () => {
    const { origin, asker } = hub;
    const off = new AbortController();
    const headers = { authorization: `Bearer ${asker}`, accept: "application/json, text/event-stream", "content-type": "application/json", ...session };
    const open = Array.from({ length: 200 }, (_, id) => {
      const body = JSON.stringify({ ...calling("request_user_input", { type: "text", message: `One of many (${id})?` }), id: `many-${id}` });
      return fetch(new URL("/mcp?room=many&wait=600", origin), { method: "POST", body, headers, signal: off.signal }).catch(() => {});
    });
    const pending = async () => (await hub.call("GET", "/api/v1/requests?room=many&status=pending&limit=200")).json.items;
    await until("all are asked", async () => (await pending()).length === 200);
    assert.ok((await waiting()) > 0, "the control: they are waited for");
    off.abort();
    await Promise.all(open);
    await until("nobody waits", async () => (await waiting()) === 0);
    assert.equal((await pending()).length, 200, "what was asked stays");
    await asksAndHears();
  });

  test("S1 of a room that several ask in, each is listed its own", async () => {
    const ask = async (name) => {
      const token = (await hub.give({ role: "asker", name, room: "shared" })).secret;
      const as = { token, path: "/mcp?wait=0" };
      const all = { ...as, ...(await begin(as)) };
      await post(hub, JSON.stringify(calling("request_user_input", text(`Of ${name}?`))), all);
      return all;
    };
    const [one] = [await ask("one"), await ask("another")];
    const { message } = await post(hub, JSON.stringify(calling("list_requests", {})), one);
    assert.deepEqual(message.result.structuredContent.requests.map(({ questions }) => questions), [["Of one?"]]);
  });

  test("S3 sessions that are begun and left take no places from others, and come back all the same", async () => {
    // One waits for its answer all the while, and is not disturbed.
    const waits = post(hub, JSON.stringify(calling("request_user_input", text("In the crowd?"))), { path: "/mcp?room=crowd&wait=60", ...session });
    await asked(hub, "In the crowd?");
    const left = [];
    // More than the token has places in memory, and not more than it has on the disk.
    for (let round = 0; round < 8; round += 1) left.push(...(await Promise.all(Array.from({ length: 20 }, () => begin()))));
    const list = (named) => post(hub, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }), named);
    for (const named of [left[0], left.at(-1)]) assert.ok((await list(named)).message.result.tools.length >= 6);
    // The control: what is gone from the disk is left only where it has a place in memory.
    const folder = join(hub.folder, "mcp-sessions");
    for (const { "mcp-session-id": id } of [left[1], left.at(-2)]) {
      rmSync(join(folder, readdirSync(folder, { recursive: true }).find((path) => path.endsWith(`${id}.json`))));
    }
    assert.equal((await list(left[1])).status, 404);
    assert.equal((await list(left.at(-2))).status, 200);
    await answer(hub, "In the crowd?", "yes");
    has((await waits).message.result.structuredContent, { status: "answered", response: "yes" });
  });
});

/** Scripts that don't want to end or to be small, and what is said of each. */
const SCRIPTS = [
  ["for (;;) {}", /500 ms of CPU time/],
  ["try { for (;;) {} } finally { for (;;) {} }", /500 ms of CPU time/],
  ["for (;;) { try { for (;;) {} } catch {} }", /500 ms of CPU time/],
  ["const again = () => Promise.resolve().then(again); await again();", /CPU time|32 MB of memory/],
  ["const go = async () => { for (;;) await null; }; await go();", /2000 ms of CPU time/],
  ["const all = []; for (;;) all.push('x'.repeat(1000) + all.length);", /32 MB of memory/],
  ["let text = 'x'; for (;;) text += text;", /too long|32 MB of memory/],
  ["return /^(a+)+$/.test('a'.repeat(40) + 'b')", /500 ms of CPU time/],
  ["let big = 3n; for (;;) big *= big;", /BigInt is too large|CPU time|memory/],
  ["const deep = () => deep() + 1; return deep();", /too deep/],
  ["return { toJSON() { for (;;) {} } }", /500 ms of CPU time/],
  ["return new Proxy({}, { ownKeys() { for (;;) {} } })", /500 ms of CPU time/],
  ["throw { toString() { for (;;) {} } }", /was thrown/],
  ["const own = {}; own.own = own; return own;", /circular/],
  ["return requestUserInput.constructor('return 1')()", /can't be made from text/],
  ["Object.prototype.then = (go) => go(1); Promise.prototype.then = null; return await requestUserInput({ type: 'text', message: 1 });", /message.*a text/],
  ["await Promise.all(Array.from({ length: 1000 }, (_, id) => requestUserInput({ type: 'text', message: `Of a script ${id}?` })))", /100 questions/],
  ["}); for (;;) {} (() => {", /CPU time|SyntaxError/],
  ["await new Promise(() => {})", /never happen/],
];

test("S3 scripts are stopped at their limits, and nobody else feels them", async () => {
  const before = hub.memory("VmRSS");
  const lines = await Lines.initialized(hub, { wait: 30 });
  for (const [id, [code]] of SCRIPTS.entries()) lines.call(id, "execute_code", { code });
  const latencies = [];
  const isOver = () => SCRIPTS.every((_, id) => lines.heard.some((message) => message.id === id));
  while (!isOver()) {
    latencies.push(await asksAndHears());
    assert.equal((await hub.call("GET", "/healthz", { token: null })).status, 200);
    assert.ok(latencies.length < 1_000, "they end");
  }
  for (const [id, [code, why]] of SCRIPTS.entries()) {
    const { result } = await lines.answer(id);
    assert.equal(result.isError, true, code);
    assert.match(result.content[0].text, why, code);
  }
  assert.ok(Math.max(...latencies) < LATENCY_MS, `${Math.max(...latencies)} ms`);
  lines.call("after", "execute_code", { code: "return [1, 2].map((one) => one * 2)" });
  has((await lines.answer("after")).result.structuredContent, { status: "finished", result: [2, 4] });
  assert.ok(hub.memory("VmRSS") < before + 100, `${before} MB, and then ${hub.memory("VmRSS")} MB`);
  await lines.kill();
});

test("after everything, an honest client gets its answer", async () => {
  await asksAndHears();
  assert.ok(hub.isUp);
  assert.ok(hub.memory("VmRSS") < HUB_MB, `${hub.memory("VmRSS")} MB`);
  assert.ok(hub.log.length < 10_000, `what clients do wrong is not written down: ${hub.log.slice(0, 1_000)}`);
  assert.equal((await allAsked(hub, "Q?")).length, 0, "nobody was asked what was not right");
});
