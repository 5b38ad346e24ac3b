// A hub of its own for a test: a real process in a folder that goes with it, called as anything calls it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as path } from "node:path";
import { Raw } from "./raw.mjs";
import { Replica } from "./replica.mjs";

// Every provider of y-websocket listens for the end of the process.
process.setMaxListeners(0);

const BINARY = process.env.ASKBACK_BIN;

/** Longer than anything takes that does not hang. */
const PATIENCE_MS = 15_000;

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until something is so, and gives it. */
export async function until(what, is, patienceMs = PATIENCE_MS) {
  const end = performance.now() + patienceMs;
  for (;;) {
    const found = await is();
    if (found) return found;
    if (performance.now() > end) throw new Error(`never: ${what}`);
    await pause(3);
  }
}

/** Holds something against some of its fields. */
export function has(actual, expected, about) {
  const found = Object.fromEntries(Object.keys(expected).map((name) => [name, actual[name]]));
  assert.deepEqual(found, expected, about);
}

/** Runs so many at a time, and gives what they give in order. */
export async function each(items, atOnce, run) {
  const results = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const index = next++;
      results[index] = await run(items[index], index);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

export class Hub {
  #folder = mkdtempSync(path(tmpdir(), "askback-live-"));
  #child;
  #port = 0;
  #guests = new Set();
  #arguments;
  /** What it has said on its standard error, which is its log. */
  log = "";

  static async start(...args) {
    return Hub.configured("", ...args);
  }

  /** Starts one with this config.toml. */
  static async configured(config, ...args) {
    if (!BINARY) throw new Error("ASKBACK_BIN is to name the binary");
    const hub = new Hub();
    writeFileSync(path(hub.#folder, "config.toml"), config);
    hub.#arguments = args;
    await hub.resume();
    const token = (name) => readFileSync(path(hub.#folder, name), "utf8").trim();
    hub.person = token("person.token");
    hub.asker = (await hub.give({ role: "asker", name: "bot" })).secret;
    return hub;
  }

  /** Starts it in its folder, where it was before if it was anywhere. */
  async resume() {
    const env = { ...process.env, ASKBACK_DATA: this.#folder };
    const args = ["serve", "--listen", `127.0.0.1:${this.#port}`, ...this.#arguments];
    this.#child = spawn(BINARY, args, { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child.stderr.on("data", (data) => (this.log += data));
    this.#child.stdout.resume();
    const { pid } = this.#child;
    // Whoever was killed has left theirs behind.
    const { url } = await until("the hub listens", () => {
      if (!this.isUp) throw new Error(`the hub does not start: ${this.log}`);
      const announced = this.#announced();
      return announced?.pid === pid && announced;
    });
    this.#port = Number(new URL(url).port);
  }

  #announced() {
    try {
      return JSON.parse(readFileSync(path(this.#folder, "hub.json"), "utf8"));
    } catch {
      return null;
    }
  }

  get folder() {
    return this.#folder;
  }

  get origin() {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Where y-websocket puts the name of a room behind. */
  get sync() {
    return `ws://127.0.0.1:${this.#port}/sync`;
  }

  get isUp() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Ends it, be it as a service manager does (SIGTERM) or as a system does that runs out of memory (SIGKILL). */
  async stop(signal) {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill(signal);
    await ended;
  }

  async restart(signal) {
    await this.stop(signal);
    await this.resume();
  }

  /** Its process. */
  get pid() {
    return this.#child.pid;
  }

  /** Memory of its process in MB: "VmRSS" now, "VmHWM" at most so far. */
  memory(which) {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
    return Number(status.match(new RegExp(`${which}:\\s+(\\d+) kB`))[1]) / 1024;
  }

  async call(method, address, { token = this.person, body, headers = {} } = {}) {
    const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
    const init = { method, headers: { ...authorization, ...headers }, body: body && JSON.stringify(body) };
    const response = await fetch(this.origin + address, init);
    const text = await response.text();
    let json = null;
    try {
      json = JSON.parse(text);
    } catch {
      // Not everything is JSON.
    }
    return { status: response.status, headers: response.headers, text, json };
  }

  async #expect(status, method, address, options) {
    const answer = await this.call(method, address, options);
    if (answer.status !== status) throw new Error(`${method} ${address}: ${answer.status} ${answer.text}`);
    return answer.json;
  }

  /** Has an admin give a token. */
  async give(token) {
    const given = await this.#expect(201, "POST", "/api/v1/tokens", { body: token });
    return { secret: given.token, number: given.number };
  }

  async revoke(token) {
    await this.#expect(204, "DELETE", `/api/v1/tokens/${token.number}`);
  }

  /** Asks, and gives the id. */
  async ask(request, token = this.asker) {
    return (await this.#expect(201, "POST", "/api/v1/requests", { token, body: request })).id;
  }

  /** Asks as many short questions in a room. */
  askMany(room, count) {
    const numbers = Array.from({ length: count }, (_, number) => number);
    return each(numbers, 32, (number) => this.ask({ room, type: "text", message: `Question ${number}?` }));
  }

  outcome(id, seconds = 0) {
    return this.#expect(200, "GET", `/api/v1/requests/${id}?wait=${seconds}`, { token: this.asker });
  }

  answer(id, text, token = this.person) {
    return this.#expect(200, "POST", `/api/v1/requests/${id}/answer`, { token, body: { responses: [text] } });
  }

  /** An unmodified Yjs client in a room. */
  join(room, token = this.person, options = {}) {
    return this.#keep(new Replica(this, room, token, options));
  }

  /** A client that may send anything. */
  raw(room, token = this.person, options = {}) {
    return this.#keep(new Raw(this, room, token, options));
  }

  #keep(guest) {
    this.#guests.add(guest);
    return guest;
  }

  async end() {
    for (const guest of this.#guests) guest.leave();
    if (this.isUp) await this.stop("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
