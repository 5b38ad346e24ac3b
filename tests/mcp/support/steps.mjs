// The steps of one call, from the start of the shim to the answer in the client's hands, each of which can be held.

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../../clients/typescript/live/hub.mjs";
import { Gate } from "./gate.mjs";
import { answer, asked } from "./person.mjs";
import { TypeScript, address, shim } from "./typescript.mjs";

export const TOOL = "request_user_input";
export const approval = (message) => ({ type: "approval", message });

export const isAsking = ({ method, url }) => method === "POST" && url.startsWith("/api/v1/requests?");
const isWaiting = ({ method, url }) => method === "GET" && /^\/api\/v1\/requests\/[^/]+\?wait=/.test(url);
export const isDelivering = ({ method, url }) => method === "POST" && url.endsWith("/delivery");
const isCalling = ({ method, body }) => method === "POST" && body.includes('"tools/call"');

/**
 * Over stdio, and how far the call has come at each. Where something is held, the call is at that step until it is let go: on its way to
 * the hub ("request"), or the hub's word on its way back ("answer").
 */
export const STDIO = [
  { step: "the shim has started", reached: "nothing", isBefore: true },
  { step: "the client is connected", reached: "nothing" },
  { step: "the question is sent", reached: "nothing", hold: ["request", isAsking] },
  { step: "the question is kept, and nobody was told so", reached: "asked", hold: ["answer", isAsking] },
  { step: "the question is pending", reached: "asked" },
  { step: "it is answered, and the shim was not told so", reached: "answered", hold: ["answer", isWaiting] },
  { step: "the shim has the answer", reached: "answered", hold: ["request", isDelivering] },
  { step: "the answer is on its way to the client", reached: "leaving", hold: ["answer", isDelivering] },
  { step: "the client has the answer", reached: "delivered" },
];

/** Over HTTP, where the hub is its own shim: what is on its way there is out of its hands. */
export const HTTP = [
  { step: "the client is connected", reached: "nothing" },
  { step: "the question is sent", reached: "nothing", hold: ["request", isCalling] },
  { step: "the question is pending", reached: "asked" },
  { step: "the client has the answer", reached: "delivered" },
];

/** One call, on a way to the hub that is its own. */
export class Case {
  #held;
  #folder;
  /** The request, as soon as there is one. */
  id;

  static async make(hub, step, message) {
    const made = new Case();
    const gate = await Gate.before(hub);
    Object.assign(made, { hub, gate, step, message });
    made.through = { asker: hub.asker, folder: hub.folder, origin: gate.origin, remote: gate.origin };
    return made;
  }

  end() {
    this.gate.end();
    if (this.#folder) rmSync(this.#folder, { recursive: true });
  }

  /** A client in this process. */
  peer(over, options = {}) {
    return TypeScript.connect(this.through, { version: 1, over, era: "2025-11-25", ...options });
  }

  /** What starts a shim that says who it is, and goes no further until it is told to. */
  stopped() {
    this.#folder = mkdtempSync(join(tmpdir(), "askback-killed-"));
    const { command, args, env } = shim(this.through);
    const script = 'echo $$ > "$0.new"; mv "$0.new" "$0"; kill -STOP $$; exec "$@"';
    return { command: "sh", args: ["-c", script, this.#file, command, ...args], env };
  }

  get #file() {
    return join(this.#folder, "pid");
  }

  /** That shim, when it has come so far. */
  async starting() {
    return Number(await until("the shim has started", () => existsSync(this.#file) && readFileSync(this.#file, "utf8")));
  }

  /** Has a client call, and brings the call to the step. */
  async bring(client) {
    const { reached, hold } = this.step;
    if (reached === "nothing" && !hold) return;
    this.#held = hold && this.gate.hold(...hold);
    this.call = client.call(TOOL, approval(this.message));
    this.call.catch(() => {});
    if (reached !== "nothing") this.id = (await asked(this.hub, this.message)).id;
    if (reached !== "nothing" && reached !== "asked") await answer(this.hub, this.message, "approve");
    await this.#held?.reached();
    if (reached === "delivered") await this.call;
  }

  /** Lets go what is held. */
  goOn() {
    this.#held?.release();
  }

  /** How a client comes to the hub on this way. */
  server(over) {
    const headers = { authorization: `Bearer ${this.hub.asker}` };
    return over === "stdio" ? { stdio: shim(this.through) } : { url: address(this.through).href, headers };
  }

  /** Kills the hub, which everybody notices, and starts it again. */
  async killHub() {
    await this.hub.stop("SIGKILL");
    this.gate.cut();
    await this.hub.resume();
    this.goOn();
  }
}
