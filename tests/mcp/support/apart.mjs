// A client in a process of its own, so that it can be killed: the first TypeScript SDK, told from outside what to do.

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export class Apart {
  #child;
  #calls = new Map();
  #next = 0;
  /** The process of its shim, if it has one. */
  shim;

  static start() {
    const client = new Apart();
    client.#child = fork(fileURLToPath(import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    client.#child.on("message", ({ id, value, why }) => {
      const { resolve, reject } = client.#calls.get(id);
      client.#calls.delete(id);
      if (why === undefined) resolve(value);
      else reject(new Error(why));
    });
    client.#child.on("exit", () => {
      for (const { reject } of client.#calls.values()) reject(new Error("the client is dead"));
    });
    return client;
  }

  /** Connects it: to a server that it starts itself (`stdio`), or to one behind a `url` with `headers`. */
  async connect(server) {
    this.shim = await this.#tell({ connect: server });
    return this;
  }

  get pid() {
    return this.#child.pid;
  }

  call(name, input) {
    return this.#tell({ call: { name, arguments: input } });
  }

  /** Asks so often which tools there are, and does not wait for what it is told. Resolves when all of it is on its way. */
  flood(count) {
    return this.#tell({ flood: count });
  }

  #tell(message) {
    const id = this.#next++;
    this.#child.send({ id, ...message });
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  /** Stops it where it is, so that it reads nothing. */
  freeze() {
    process.kill(this.pid, "SIGSTOP");
  }

  async kill() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }
}

/** The client itself. */
async function run() {
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
  const client = new Client({ name: "story", version: "1.0.0" });
  const connect = async ({ stdio, url, headers }) => {
    const transport = stdio ? new StdioClientTransport({ ...stdio, stderr: "ignore" }) : new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    await client.connect(transport);
    return transport.pid;
  };
  const call = async (params) => {
    const { content, structuredContent, isError } = await client.callTool(params);
    return { text: content[0].text, structured: structuredContent, isError: isError === true };
  };
  const flood = async (count) => {
    for (let sent = 0; sent < count; sent += 1) client.listTools().catch(() => {});
    // Once around the loop: by then it was written.
    await new Promise((resolve) => setImmediate(resolve));
  };
  process.on("message", async ({ id, ...told }) => {
    try {
      const value = told.connect ? await connect(told.connect) : told.call ? await call(told.call) : await flood(told.flood);
      process.send({ id, value });
    } catch (error) {
      process.send({ id, why: error.message });
    }
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run();
