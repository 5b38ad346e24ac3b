// The official Python SDKs behind the same face as those for TypeScript: `python/peer.py` in an environment of its own.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { inProject } from "./programs.mjs";
import { address, shim } from "./typescript.mjs";

/** Where `cargo xtask needs` has put the SDK of a major version. */
const python = (version) => inProject(`target/mcp-python-v${version}/bin/python`);

export class Python {
  #child;
  #calls = new Map();
  #next = 1;
  #complaints = "";
  /** The dialogs that it was to show. */
  dialogs = [];

  /** Connects: see `TypeScript.connect`. Without a name it sends the SDK's own. */
  static async connect(hub, { version, over, era, name, dialog, wait }) {
    const peer = new Python();
    const way = over === "stdio" ? shim(hub, { wait }) : { url: address(hub, { wait }).href, token: hub.asker };
    const options = JSON.stringify({ over, era, name, dialog, ...way });
    peer.#child = spawn(python(version), [inProject("tests/mcp/python/peer.py"), options]);
    peer.#child.stderr.on("data", (data) => (peer.#complaints += data));
    peer.ended = new Promise((resolve) => peer.#child.once("close", resolve));
    const lines = createInterface(peer.#child.stdout)[Symbol.asyncIterator]();
    const { value, done } = await lines.next();
    if (done) throw new Error(`it does not connect: ${peer.#complaints}`);
    Object.assign(peer, JSON.parse(value));
    peer.#listen(lines);
    return peer;
  }

  async #listen(lines) {
    for await (const line of lines) this.#hear(JSON.parse(line));
    for (const { reject } of this.#calls.values()) reject(new Error(`it is gone: ${this.#complaints}`));
  }

  #hear({ id, progress, dialog, result, error }) {
    const call = this.#calls.get(id);
    if (dialog) this.dialogs.push(dialog);
    else if (progress) call?.progress?.(progress);
    else if (error) call?.reject(Object.assign(new Error(error.message), { code: error.code }));
    else call?.resolve(result);
  }

  #ask(order, progress) {
    const id = this.#next++;
    this.#child.stdin.write(`${JSON.stringify({ id, ...order })}\n`);
    return { id, done: new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject, progress })) };
  }

  async tools() {
    return (await this.#ask({ do: "tools" }).done).tools;
  }

  /** Calls a tool: see `TypeScript.call`. */
  async call(tool, input, { progress, signal, patience } = {}) {
    const { id, done } = this.#ask({ do: "call", tool, input, patience, progress: progress !== undefined }, progress);
    signal?.addEventListener("abort", () => this.#child.stdin.write(`${JSON.stringify({ do: "cancel", id })}\n`));
    const result = await done;
    return { text: result.content[0].text, structured: result.structuredContent, isError: result.isError === true };
  }

  async end() {
    this.#child.stdin.end();
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 5000);
    await this.ended;
    clearTimeout(late);
    // It says so, and nothing else, where a server does not end a session as it expects.
    if (/termination failed/i.test(this.#complaints)) throw new Error(this.#complaints);
  }
}
