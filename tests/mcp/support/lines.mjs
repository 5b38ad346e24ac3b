// The shim with nobody between it and the story: bytes go in, and lines come out.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "../../../clients/typescript/live/hub.mjs";
import { shim } from "./typescript.mjs";

export const INITIALIZE = {
  jsonrpc: "2.0",
  id: "initialize",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "story", version: "1.0.0" } },
};
export const INITIALIZED = { jsonrpc: "2.0", method: "notifications/initialized" };

export class Lines {
  static #all = [];
  #child;
  #rest = "";
  /** All that it has said, each as the JSON that it is. */
  heard = [];
  /** What it has said on its standard error. */
  complaints = "";

  static start(hub, options = {}) {
    const lines = new Lines();
    const { command, args, env } = shim(hub, options);
    lines.#child = spawn(command, args, { env, stdio: "pipe" });
    Lines.#all.push(lines);
    lines.#child.stdout.setEncoding("utf8").on("data", (data) => lines.#hear(data));
    lines.#child.stderr.setEncoding("utf8").on("data", (data) => (lines.complaints += data));
    lines.#child.stdin.on("error", () => {});
    return lines;
  }

  /** Ends those that a story has left, for it may have failed: a shim whose hub is gone would start another one. */
  static async endAll() {
    for (const lines of Lines.#all) await lines.kill();
  }

  /** One that has shaken hands. */
  static async initialized(hub, options) {
    const lines = Lines.start(hub, options);
    lines.say(INITIALIZE, INITIALIZED);
    await lines.answer("initialize");
    return lines;
  }

  #hear(data) {
    const lines = (this.#rest + data).split("\n");
    this.#rest = lines.pop();
    this.heard.push(...lines.map((line) => JSON.parse(line)));
  }

  get pid() {
    return this.#child.pid;
  }

  get isUp() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Sends messages, each in a line of its own. */
  say(...messages) {
    for (const message of messages) this.send(`${JSON.stringify(message)}\n`);
    return this;
  }

  /** Sends whatever it is. Says whether it was taken at once. */
  send(bytes) {
    return this.#child.stdin.write(bytes);
  }

  /** What is said to the message with this id. */
  answer(id) {
    return until(`an answer to ${JSON.stringify(id)}: ${this.complaints}`, () => {
      assert.ok(this.isUp || this.heard.some((message) => message.id === id), `the shim has ended: ${this.complaints}`);
      return this.heard.find((message) => message.id === id && !message.method);
    });
  }

  /** The next complaint about something that has no id. */
  async complaint() {
    const found = await until("a complaint", () => this.heard.find((message) => message.error && (message.id === undefined || message.id === null)));
    this.heard.splice(this.heard.indexOf(found), 1);
    return found;
  }

  call(id, name, input, meta) {
    return this.say({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: input, ...(meta ? { _meta: meta } : {}) } });
  }

  /** Reads nothing any more. */
  deafen() {
    this.#child.stdout.pause();
    return this;
  }

  listen() {
    this.#child.stdout.resume();
  }

  /** That nothing more will come. Gives the exit code. */
  async hangUp() {
    this.#child.stdin.end();
    if (this.isUp) await once(this.#child, "exit");
    return this.#child.exitCode;
  }

  async kill() {
    if (!this.isUp) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}
