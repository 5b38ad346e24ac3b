// L3: asking over HTTP, through a hub that stops, a network that fails and a caller that gives up.

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test, type TestContext } from "node:test";
import { ask, AskAborted, AskbackError, newId, waitFor, type AskbackRequest } from "@askback/client";

const REQUEST: AskbackRequest = { type: "confirm", message: "Deploy?", room: "r" };

interface Call {
  method: string;
  url: URL;
  token: string | undefined;
  body: unknown;
}

/** What one call is met with. */
type Reply = (response: ServerResponse, call: Call) => void;

/** A server that meets each call with the next reply, and remembers the calls. The last reply is for all that follow. */
async function serve(t: TestContext, ...replies: Reply[]): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const call: Call = {
      method: request.method ?? "",
      url: new URL(request.url ?? "", "http://hub.example"),
      token: request.headers.authorization,
      body: text ? JSON.parse(text) : undefined,
    };
    calls.push(call);
    const reply = replies[Math.min(calls.length, replies.length) - 1];
    reply?.(response, call);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

const json =
  (status: number, body: (call: Call) => object, headers: Record<string, string> = {}): Reply =>
  (response, call) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body(call)));
  };

const problem = (status: number, type: string, more: object = {}, headers: Record<string, string> = {}) =>
  json(status, () => ({ type: `urn:askback:problem:${type}`, title: type, status, detail: "it is so", ...more }), headers);

const created = json(201, ({ url }) => ({ id: url.searchParams.get("id"), status: "pending" }));
const pending = json(200, ({ url }) => ({ id: url.pathname.split("/").at(-1), status: "pending", answers: [] }));
const answered = json(200, ({ url }) => ({ id: url.pathname.split("/").at(-1), status: "answered", response: "yes" }));
const stopping = problem(503, "stopping", {}, { "retry-after": "0" });
const lost: Reply = (response) => response.destroy();
const silence: Reply = () => {};

describe("ask", () => {
  test("asks once under an id of its own, and waits for the outcome", async (t) => {
    const { url, calls } = await serve(t, created, pending, answered);
    const outcome = await ask(REQUEST, { url: `${url}/`, token: "secret" });
    const id = calls[0]?.url.searchParams.get("id") ?? "";
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(outcome, { id, status: "answered", response: "yes" });
    assert.deepEqual(calls.map(({ method, url, token }) => [method, url.pathname + url.search, token]), [
      ["POST", `/api/v1/requests?id=${id}`, "Bearer secret"],
      ["GET", `/api/v1/requests/${id}?wait=60`, "Bearer secret"],
      ["GET", `/api/v1/requests/${id}?wait=60`, "Bearer secret"],
    ]);
    assert.deepEqual(calls[0]?.body, REQUEST);
  });

  test("comes back to a hub that stops or is lost, with the same id and the same words", async (t) => {
    const tooMany = problem(429, "too-many", {}, { "retry-after": "0" });
    const { url, calls } = await serve(t, lost, stopping, tooMany, created, lost, stopping, answered);
    const outcome = await ask(REQUEST, { url });
    assert.equal(outcome.status, "answered");
    const posts = calls.filter(({ method }) => method === "POST");
    assert.equal(posts.length, 4);
    assert.equal(new Set(posts.map(({ url, body }) => url.search + JSON.stringify(body))).size, 1, "another id would ask twice");
    assert.equal(calls.length, 7);
  });

  test("pauses as long as the hub says", async (t) => {
    const { url } = await serve(t, problem(503, "stopping", {}, { "retry-after": "1" }), created, answered);
    const began = performance.now();
    await ask(REQUEST, { url });
    assert.ok(performance.now() - began >= 990);
  });

  test("waits for the request that its key names, though it has another id", async (t) => {
    const id = newId();
    const { url, calls } = await serve(t, json(200, () => ({ id, status: "pending" })), answered);
    assert.equal((await ask(REQUEST, { url, key: "deploy-1" })).id, id);
    assert.deepEqual(calls[0]?.body, { ...REQUEST, key: "deploy-1" });
  });

  test("throws what the hub has against the request, and does not try again", async (t) => {
    const errors = [{ path: "message", rule: "required", message: "it is missing", expected: "the question to ask" }];
    const { url, calls } = await serve(t, problem(422, "invalid-request", { errors }));
    const id = newId();
    await assert.rejects(ask(REQUEST, { url, id }), (error: unknown) => {
      assert.ok(error instanceof AskbackError);
      assert.deepEqual([error.status, error.type, error.requestId, error.errors], [422, "invalid-request", id, errors]);
      assert.equal(error.message, "it is so\n  message: it is missing (expected the question to ask)");
      return true;
    });
    assert.equal(calls.length, 1);
  });

  test("throws for 401, 403, 404, 409 and 507, and for what is no hub", async (t) => {
    for (const status of [401, 403, 404, 409, 500, 507]) {
      const { url, calls } = await serve(t, problem(status, "some"));
      await assert.rejects(ask(REQUEST, { url }), (error: unknown) => error instanceof AskbackError && error.status === status);
      assert.equal(calls.length, 1);
    }
    const { url } = await serve(t, (response) => response.end("<html>"));
    await assert.rejects(ask(REQUEST, { url }), /is no hub/);
  });

  test("gives up on a hub that is out of reach for too long, and says the id", async (t) => {
    const { url } = await serve(t, lost);
    const id = newId();
    await assert.rejects(ask(REQUEST, { url, id, giveUpAfterMs: 600 }), (error: unknown) => {
      assert.ok(error instanceof AskbackError);
      assert.deepEqual([error.status, error.type, error.requestId], [0, "unreachable", id]);
      return true;
    });
  });
});

describe("a hub that accepts calls and does not answer", () => {
  test("is out of reach as soon as the caller says", async (t) => {
    const { url, calls } = await serve(t, silence);
    const id = newId();
    const began = performance.now();
    await assert.rejects(ask(REQUEST, { url, id, giveUpAfterMs: 1000 }), (error: unknown) => {
      assert.ok(error instanceof AskbackError);
      assert.match(error.message, /it does not answer/);
      assert.deepEqual([error.status, error.type, error.requestId], [0, "unreachable", id]);
      return true;
    });
    assert.ok(performance.now() - began < 8000, "a hub has 15 seconds unless the caller says less");
    assert.equal(calls.length, 1);
  });
});

describe("what a caller hears", () => {
  test("says what is wrong with a request once", async (t) => {
    const errors = ["message", "options"].map((path) => ({ path, rule: "required", message: "it is missing", expected: "one" }));
    const said = errors.map(({ path }) => `${path}: it is missing (expected one)`);
    const message = async (detail: string, count: number) => {
      const { url } = await serve(t, problem(422, "invalid-request", { detail, errors: errors.slice(0, count) }));
      return ask(REQUEST, { url }).catch((error: Error) => error.message);
    };
    assert.equal(await message(`${said[0]}`, 1), said[0]);
    assert.equal(await message(`${said[0]}; and 1 more`, 2), `${said[0]}; and 1 more\n  ${said[1]}`);
  });

  test("is why a call is tried again, from the first time on, where nobody listens", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await new Promise((resolve) => server.close(resolve));
    const heard: [string, number][] = [];
    const controller = new AbortController();
    const onRetry = (error: AskbackError, attempt: number) => {
      heard.push([error.message, attempt]);
      if (attempt === 2) controller.abort();
    };
    await assert.rejects(ask(REQUEST, { url, onRetry, signal: controller.signal }), AskAborted);
    assert.deepEqual(heard.map(([, attempt]) => attempt), [1, 2]);
    assert.match(heard[0]?.[0] ?? "", /the hub at http:.*\/api\/v1\/requests can't be reached: .*ECONNREFUSED/);
    const enough = new Error("enough");
    const giveUp = () => {
      throw enough;
    };
    await assert.rejects(ask(REQUEST, { url, onRetry: giveUp }), enough);
  });

  test("is that there is no address, or none of a hub", async () => {
    for (const url of [undefined, null, ""]) {
      await assert.rejects(ask(REQUEST, { url: url as never }), (error: unknown) => {
        assert.ok(error instanceof TypeError);
        assert.match(error.message, /no url .*http:\/\/127.0.0.1:4770.*ASKBACK_HUB/);
        return true;
      });
    }
    await assert.rejects(ask(REQUEST, { url: "localhost 4770" }), /"localhost 4770" is no address .*http:/);
    await assert.rejects(ask(REQUEST, { url: "localhost:4770" }), /localhost: is no way to reach a hub/);
  });

  test("is the outcome, also from the address of a socket", async (t) => {
    const { url } = await serve(t, created, answered);
    assert.equal((await ask(REQUEST, { url: url.replace("http", "ws") })).status, "answered");
  });
});

test("requests may be constants", () => {
  const choice = { type: "choice", message: "?", options: ["A", { value: "B" }], multiSelect: true } as const;
  const approval = { type: "approval", message: "?", labels: ["Go", "Stop"] } as const;
  const form = { questions: [choice, approval], onTimeout: { default: ["A"] }, context: [{ type: "code", text: "x" }] } as const;
  const requests: AskbackRequest[] = [choice, approval, form];
  assert.equal(requests.length, 3);
});

describe("an aborted wait", () => {
  test("leaves the request pending and says its id, with which waiting goes on", async (t) => {
    const { url, calls } = await serve(t, created, silence, answered);
    const controller = new AbortController();
    const asking = ask(REQUEST, { url, signal: controller.signal });
    while (calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 2));
    controller.abort("enough");
    const error = await asking.catch((error: unknown) => error);
    assert.ok(error instanceof AskAborted && error.name === "AbortError" && error.cause === "enough");
    assert.equal(error.requestId, calls[0]?.url.searchParams.get("id"));
    assert.ok(error.message.includes(error.requestId));
    assert.deepEqual(calls.map(({ method }) => method), ["POST", "GET"], "nothing was cancelled");
    assert.equal((await waitFor(error.requestId, { url })).status, "answered");
  });

  test("ends during a pause at once, and before the first call", async (t) => {
    const { url, calls } = await serve(t, problem(503, "stopping", {}, { "retry-after": "30" }));
    const controller = new AbortController();
    const asking = ask(REQUEST, { url, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    await assert.rejects(asking, AskAborted);
    await assert.rejects(ask(REQUEST, { url, signal: AbortSignal.abort() }), AskAborted);
    assert.equal(calls.length, 1);
  });
});

test("ids are all different, and in the order in which they were made", () => {
  const ids = Array.from({ length: 1000 }, () => newId());
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(newId(1_000) < newId(2_000));
  assert.equal(newId(0x0123456789ab).slice(0, 15), "01234567-89ab-7");
});
