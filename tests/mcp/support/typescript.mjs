// The official TypeScript SDKs behind one face, so that one story is told with all of them.

import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { pause } from "../../../clients/typescript/live/hub.mjs";
import { ASKBACK } from "./programs.mjs";

export const NEWEST = "2026-07-28";

/** What differs between the two. */
const SDKS = {
  1: { Client: Client1, Stdio: Stdio1, Http: Http1, elicitation: ElicitRequestSchema },
  2: { Client: Client2, Stdio: Stdio2, Http: Http2, elicitation: "elicitation/create" },
};

/** Where the hub's MCP server is, for a client that comes by HTTP. */
export function address(hub, { room = "shop", wait } = {}) {
  const url = new URL("/mcp", hub.origin);
  url.searchParams.set("room", room);
  if (wait !== undefined) url.searchParams.set("wait", String(wait));
  return url;
}

/** What starts the shim, for a client that comes by stdio. A hub that is `remote` is reached by its address and with a token. */
export function shim(hub, { room = "shop", wait } = {}) {
  const args = ["mcp", "--room", room, ...(wait === undefined ? [] : ["--wait", `${wait}s`])];
  const remote = hub.remote ? { ASKBACK_HUB: hub.remote, ASKBACK_TOKEN: hub.asker } : {};
  return { command: ASKBACK, args, env: { PATH: process.env.PATH, ASKBACK_DATA: hub.folder, ...remote } };
}

export class TypeScript {
  #client;
  #transport;
  /** The revision of the protocol that was agreed upon. */
  era;
  /** The dialogs that it was to show. */
  dialogs = [];

  /**
   * Connects a client of the SDK's major `version`, `over` "stdio" or "http", in the words of an `era` of the protocol. With a
   * `dialog` it can show dialogs: what its person does about which, `{about, action, content?, after?}` (in ms), or a function that
   * gives it. `wait` is the budget of a call, in seconds.
   * `server` is what it starts instead of the shim.
   */
  static async connect(hub, { version, over, era, name = "story", dialog, wait, server = shim(hub, { wait }) }) {
    const peer = new TypeScript();
    const { Client, Stdio, Http, elicitation } = SDKS[version];
    peer.#client = new Client(
      { name, version: "1.0.0" },
      {
        capabilities: dialog ? { elicitation: { form: {} } } : {},
        versionNegotiation: { mode: era === NEWEST ? { pin: era } : "legacy" },
      },
    );
    if (dialog) {
      peer.#client.setRequestHandler(elicitation, async ({ params }) => {
        peer.dialogs.push(params);
        if (typeof dialog === "function") return dialog();
        const { after = 0, action, content } = dialog.find(({ about }) => params.message.includes(about));
        await pause(after);
        return { action, content };
      });
    }
    const requestInit = { headers: { authorization: `Bearer ${hub.asker}` } };
    peer.#transport = over === "stdio" ? new Stdio({ ...server, stderr: "ignore" }) : new Http(address(hub, { wait }), { requestInit });
    // Version 1 tells its transport and nobody else what was agreed upon.
    const told = peer.#transport.setProtocolVersion?.bind(peer.#transport);
    peer.#transport.setProtocolVersion = (agreed) => {
      peer.era = agreed;
      told?.(agreed);
    };
    await peer.#client.connect(peer.#transport);
    return peer;
  }

  get server() {
    return this.#client.getServerVersion();
  }

  get capabilities() {
    return this.#client.getServerCapabilities();
  }

  /** The process of the shim. */
  get pid() {
    return this.#transport.pid;
  }

  async tools() {
    return (await this.#client.listTools()).tools;
  }

  /** Calls a tool. `progress` is called with what is told meanwhile; `signal` calls it off; `patience` in ms is a limit of the client. */
  async call(name, input, { progress, signal, patience } = {}) {
    const options = { onprogress: progress, signal, timeout: patience };
    const params = { name, arguments: input };
    const result = await (this.#client instanceof Client1 ? this.#client.callTool(params, undefined, options) : this.#client.callTool(params, options));
    return { text: result.content[0].text, structured: result.structuredContent, isError: result.isError === true };
  }

  async end() {
    // Over HTTP, with a session, it tells the server; it throws unless that succeeds.
    await this.#transport.terminateSession?.();
    await this.#client.close();
  }
}
