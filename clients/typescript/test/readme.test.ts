// The README's code fits its types, and runs as it stands there.

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { FakeHub } from "./fake-hub.js";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const blocks = (text: string) => [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? "");

/** The first block of code under a heading. It runs as TypeScript and as JavaScript. */
function snippet(heading: string): string {
  const [code] = blocks(README.split(`## ${heading}\n`)[1] ?? "");
  assert.ok(code, heading);
  return code;
}

/** What the compiler has against some modules, as somebody has it who is strict and nothing else. */
function typeCheck(modules: string[]): string {
  const folder = fileURLToPath(new URL("readme/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const files = modules.map((code, index) => {
    const file = `${folder}${index}.mts`;
    writeFileSync(file, code);
    return file;
  });
  const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));
  const options = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--target", "es2022", "--types", "node"];
  return spawnSync(process.execPath, [compiler, ...options, ...files], { encoding: "utf8" }).stdout;
}

/** Runs code as a module of its own, with what a person types, and returns what it says. */
async function run(t: TestContext, code: string, hub: string, { typed = "", exits = 0 } = {}): Promise<string> {
  const file = fileURLToPath(new URL("readme-snippet.mjs", import.meta.url));
  writeFileSync(file, code);
  const child = spawn(process.execPath, [file], { env: { ...process.env, ASKBACK_HUB: hub, ASKBACK_TOKEN: "secret" } });
  t.after(() => child.kill());
  let said = "";
  child.stdout.on("data", (data) => (said += data));
  child.stderr.on("data", (data) => (said += data));
  child.stdin.end(typed);
  const exit = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(exit, exits, said);
  return said;
}

const CONFIRM = { type: "confirm", message: "Deploy?", questionId: "1" };

async function startHub(t: TestContext): Promise<FakeHub> {
  const hub = await FakeHub.start();
  t.after(() => hub.stop());
  hub.ask({ id: "a", ...CONFIRM });
  hub.onProposal = ({ reply }) => reply({ success: true, status: "answered" });
  return hub;
}

test("every block of code fits its types", () => {
  const modules = blocks(README);
  assert.equal(modules.length, 5);
  assert.equal(typeCheck(modules), "");
  const wrong = 'import { ask } from "@askback/client";\nawait ask({ type: "choice" }, { url: 5 });';
  assert.match(typeCheck([wrong]), /error TS/, "the control");
});

test("a wrong token ends answering from Node with a sentence", async (t) => {
  const hub = await startHub(t);
  hub.onConnection = (socket) => socket.close(4401, "the token is unknown");
  const said = await run(t, snippet("Answer from Node"), hub.url, { exits: 1 });
  assert.match(said, /Error: The hub wants a token: .*\(The hub: the token is unknown\)/);
});

test("a wrong port is said while answering from Node, and tried again", async (t) => {
  const ending = 'provider.on("connection-error", () => process.exit(7));';
  const code = snippet("Answer from Node").replace("await provider.ready;", (waiting) => `${ending}\n${waiting}`);
  assert.equal(await run(t, code, "http://127.0.0.1:9", { exits: 7 }), "no hub answers at http://127.0.0.1:9; trying again\n");
});

test("answering from Node prints the verdict, and ends", async (t) => {
  const hub = await startHub(t);
  const said = await run(t, snippet("Answer from Node"), hub.url, { typed: "yes\n" });
  assert.match(said, /Deploy\?/);
  assert.match(said, /success: true,\s+status: 'answered',\s+via: 'verdict'/);
  assert.deepEqual(hub.addresses, ["/sync/@inbox"]);
  assert.deepEqual(hub.protocols, ["askback.v1,askback.bearer.secret"]);
});

test("a plain provider brings verdicts", async (t) => {
  const hub = await startHub(t);
  const answering = `
    const { answerInputRequest } = await import("@askback/client");
    provider.on("sync", async () => {
      const { verdict } = answerInputRequest(provider.doc, "a", "yes", "me");
      console.log((await verdict).via);
      provider.destroy();
      provider.doc.destroy();
    });`;
  assert.equal(await run(t, snippet("With plain y-websocket") + answering, hub.url), "verdict\n");
  assert.deepEqual(hub.addresses, ["/sync/shop?token=secret"]);
});

test("asking prints the outcome", async (t) => {
  const hub = createServer((request, response) => {
    request.resume();
    response.end(JSON.stringify({ id: "a", status: request.method === "GET" ? "answered" : "pending", response: "SQLite" }));
  });
  await new Promise<void>((resolve) => hub.listen(0, "127.0.0.1", resolve));
  t.after(() => hub.close());
  const url = `http://127.0.0.1:${(hub.address() as AddressInfo).port}`;
  assert.equal(await run(t, snippet("Ask over HTTP"), url), "answered SQLite\n");
});
