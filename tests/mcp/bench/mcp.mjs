// What it costs to ask by MCP, with the official SDK before a real hub: prints JSON. `cargo xtask bench mcp` runs it; with --quick it does
// just enough to see that it works, and the numbers mean little.

import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Hub, until } from "../../../clients/typescript/live/hub.mjs";
import { address, shim } from "../support/typescript.mjs";

const isQuick = process.argv.includes("--quick");
const ROUNDS = isQuick ? 5 : 200;
const STARTS = isQuick ? 3 : 40;
const CALLS = isQuick ? 50 : 1000;
const SCRIPTS = isQuick ? 20 : 500;
const NS = 1e6;
/** Longer than anything here takes. */
const PATIENT = { timeout: 600_000 };
const USUAL = fileURLToPath(new URL("usual.mjs", import.meta.url));
const PEER = "a server of the official SDK in Node.js that keeps nothing";

/** From starting the program until it has answered the first message. */
async function starting() {
  const hub = await Hub.start();
  try {
    const { command, args, env } = shim(hub);
    const [ours, theirs] = [[], []];
    for (let round = 0; round < STARTS; round += 1) {
      ours.push(await initialized(command, args, env));
      theirs.push(await initialized(process.execPath, [USUAL], process.env));
    }
    const peers = [compared(PEER, ours, theirs)];
    return { name: "from starting `askback mcp` until it has answered initialize, with a hub running", headline: true, ...times(ours), peers };
  } finally {
    await hub.end();
  }
}

async function initialized(command, args, env) {
  const begun = performance.now();
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "ignore"] });
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await new Promise((resolve) => createInterface(child.stdout).once("line", resolve));
  const took = performance.now() - begun;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGKILL");
  await ended;
  return took;
}

/** From a person's answer until the client has the result, beside how long it takes until that answer is durable. */
async function answering() {
  const hub = await Hub.start();
  const usual = await Usual.start();
  const client = await connected(new StdioClientTransport({ ...shim(hub, { wait: 600 }), stderr: "ignore" }));
  try {
    const [ours, durable, beyond, theirs] = [[], [], [], []];
    for (let round = 0; round < ROUNDS + 5; round += 1) {
      const message = `Question number ${round} of this run?`;
      const call = timed(client.callTool({ name: "request_user_input", arguments: { type: "text", message } }, undefined, PATIENT));
      const { id } = await until("it is asked and waited for", () => isWaitedFor(hub, message));
      const begun = performance.now();
      await post(`${hub.origin}/api/v1/requests/${id}/answer`, hub.person, { responses: ["Ada"] });
      const [acknowledged, arrived] = [performance.now() - begun, (await call) - begun];
      const other = await usual.answered(round);
      // The first ones warm everything up.
      if (round >= 5) ours.push(arrived), durable.push(acknowledged), beyond.push(arrived - acknowledged), theirs.push(other);
    }
    const peers = [compared("that the answer is durable and acknowledged", ours, durable), compared(PEER, ours, theirs)];
    return [
      { name: "from a person's answer over HTTP until the client has the result over stdio", headline: true, ...times(ours), peers },
      { name: "what of that is left when the answer is durable and acknowledged", headline: true, ...times(beyond), peers: [] },
    ];
  } finally {
    await client.close();
    await usual.end();
    await hub.end();
  }
}

async function isWaitedFor(hub, message) {
  const { json } = await hub.call("GET", "/api/v1/requests?status=pending&limit=100");
  return json.items.find((item) => item.waiting && item.request.questions[0].message === message);
}

/** Memory while many calls wait. */
async function waiting() {
  const usual = await Usual.start();
  await usual.call(CALLS, (number) => ({ name: "ask", arguments: { message: `Question ${number}?` } }));
  const theirs = rss(usual.pid);
  await usual.end();
  const measured = [];
  for (const way of ["stdio", "HTTP"]) {
    const hub = await Hub.start();
    const transport =
      way === "stdio"
        ? new StdioClientTransport({ ...shim(hub, { wait: 600 }), stderr: "ignore" })
        : new StreamableHTTPClientTransport(address(hub, { wait: 600 }), { requestInit: { headers: { authorization: `Bearer ${hub.asker}` } } });
    const client = await connected(transport);
    try {
      many(client, CALLS, (number) => ({ name: "request_user_input", arguments: { type: "text", message: `Question ${number}?` } }));
      await until("all of them wait", async () => (await count(hub)) === CALLS, 120_000);
      const bytes = hub.memory("VmRSS") * 1024 * 1024 + (way === "stdio" ? rss(transport.pid) : 0);
      const peers = [{ name: PEER, bytes: theirs, ratio: bytes / theirs }];
      const whose = way === "stdio" ? "`askback mcp` and the hub" : "the hub";
      measured.push({ name: `memory of ${whose} with ${CALLS} calls that wait, over ${way}`, headline: true, bytes, peers });
    } finally {
      await client.close();
      await hub.end();
    }
  }
  return measured;
}

/** Memory while many scripts wait. */
async function scripts() {
  const code = (number) => `const a = await requestUserInput({type: "text", message: "Question ${number}?"}); return a.response;`;
  const call = (number) => ({ name: "execute_code", arguments: { code: code(number) } });
  const usual = await Usual.start();
  await usual.call(SCRIPTS, call);
  const theirs = { rss: rss(usual.pid), pss: pss(usual.pid) };
  await usual.end();
  const hub = await Hub.start();
  const client = await connected(new StdioClientTransport({ ...shim(hub, { wait: 600 }), stderr: "ignore" }));
  try {
    many(client, SCRIPTS, call);
    await until("all of them wait", async () => (await count(hub)) === SCRIPTS, 120_000);
    const workers = workersOf(hub.pid);
    if (workers.length === 0) throw new Error("there is no worker, and the scripts are in none");
    const bytes = sum([hub.pid, ...workers].map(rss));
    const proportional = sum([hub.pid, ...workers].map(pss));
    const peer = "contexts of node:vm in such a server";
    const name = `memory of the hub and its ${workers.length} workers with ${SCRIPTS} scripts that wait`;
    return [
      // With the pages of the program that they share counted in each.
      { name, headline: true, bytes, peers: [{ name: peer, bytes: theirs.rss, ratio: bytes / theirs.rss }] },
      {
        name: `${name}, with shared pages counted once`,
        headline: false,
        bytes: proportional,
        peers: [{ name: peer, bytes: theirs.pss, ratio: proportional / theirs.pss }],
      },
    ];
  } finally {
    await client.close();
    await hub.end();
  }
}

/** The peer, its client, and what is answered to it. */
class Usual {
  static async start() {
    const usual = new Usual();
    const transport = new StdioClientTransport({ command: process.execPath, args: [USUAL], stderr: "pipe" });
    const port = new Promise((resolve) => createInterface(transport.stderr).once("line", resolve));
    usual.client = await connected(transport);
    usual.pid = transport.pid;
    usual.origin = `http://127.0.0.1:${await port}`;
    return usual;
  }

  /** From an answer over HTTP until the client has the result, in ms. */
  async answered(number) {
    const call = timed(this.client.callTool({ name: "ask", arguments: { message: "Question?" } }, undefined, PATIENT));
    await this.#asked(number + 1);
    const begun = performance.now();
    await post(`${this.origin}/${number}`, "none", {});
    return (await call) - begun;
  }

  async call(times, call) {
    many(this.client, times, call);
    await this.#asked(times);
  }

  #asked(times) {
    return until("it is asked", async () => Number(await post(`${this.origin}/none`, "none", {})) >= times, 120_000);
  }

  async end() {
    await this.client.close();
  }
}

async function connected(transport) {
  const client = new Client({ name: "bench", version: "1.0.0" });
  await client.connect(transport);
  return client;
}

/** Calls that wait until the client is closed. */
function many(client, times, call) {
  for (let number = 0; number < times; number += 1) client.callTool(call(number), undefined, PATIENT).catch(() => {});
}

async function count(hub) {
  const { json } = await hub.call("GET", "/api/v1/requests/unattended");
  return json.pending - json.items.length;
}

/** When something was there. */
const timed = (promise) => promise.then(() => performance.now());

const agent = new Agent({ keepAlive: true });

/** Says something, over a connection that is there already. */
function post(url, token, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sent = request(url, { method: "POST", agent, headers }, (response) => {
      let text = "";
      response.on("data", (data) => (text += data));
      response.on("end", () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}

/** The processes in which a hub runs scripts. */
function workersOf(pid) {
  return readdirSync("/proc").filter((name) => {
    try {
      const isChild = readFileSync(`/proc/${name}/stat`, "utf8").split(") ").at(-1).split(" ")[1] === String(pid);
      return isChild && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("script-worker");
    } catch {
      return false;
    }
  });
}

/** Resident memory of a process, in bytes. */
function rss(pid) {
  return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+) kB/)[1]) * 1024;
}

/** The same, of which each process that shares a page has its part. */
function pss(pid) {
  return Number(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").match(/^Pss:\s+(\d+) kB/m)[1]) * 1024;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function times(samplesMs) {
  const sorted = [...samplesMs].sort((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] * NS;
  return { median_ns: at(0.5), p95_ns: at(0.95), p99_ns: at(0.99), samples: sorted.length };
}

function compared(name, ours, theirs) {
  const { median_ns, p95_ns } = times(theirs);
  return { name, median_ns, p95_ns, ratio: times(ours).median_ns / median_ns };
}

const results = [await starting(), ...(await answering()), ...(await waiting()), ...(await scripts())];
console.log(JSON.stringify(results));
