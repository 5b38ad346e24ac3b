// A connection to a room: y-websocket's provider, with the hub's verdicts.

import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";
import { addressOf } from "./address.js";
import { describeClose, type Closed } from "./closing.js";
import type { HubVerdict } from "./verdict.js";
import { attachVerdicts } from "./verdicts.js";
import { closeWaits } from "./waiting.js";

export type { Closed } from "./closing.js";

/** What y-websocket's own options are, for those that are passed on. */
type WebsocketOptions = NonNullable<ConstructorParameters<typeof WebsocketProvider>[3]>;

/** The code of an end that nobody minds, as WebSockets have it. */
const NORMAL = 1000;

/** Where to connect, and how. */
export interface ConnectOptions extends Pick<WebsocketOptions, "awareness" | "connect" | "maxBackoffTime" | "resyncInterval"> {
  /** Where the hub is: `http://127.0.0.1:4770`, or with `https`, `ws` or `wss`. */
  url: string | URL;
  /** The room's name, or `@inbox` for all that the token may see. */
  room: string;
  /** The secret to authenticate with. It is sent as a WebSocket subprotocol, since browsers can set no headers here. */
  token?: string | undefined;
  /** The replica; a new one by default. */
  doc?: Y.Doc;
  /** A class such as `WebSocket` of the package `ws`, where there is none built in: Node before version 22. */
  WebSocketPolyfill?: WebSocketClass;
  /**
   * Whether tabs of a browser keep from telling each other; true by default. Tabs that do would send each other's proposals,
   * each in the name of its own token, and hand on what only the hub may write.
   */
  disableBc?: boolean;
  /** Hears every verdict, also on proposals from before a reload, and each that is not final. What it throws goes to the console. */
  onVerdict?: (verdict: HubVerdict) => unknown;
}

/** Anything that behaves as a browser's `WebSocket`: the types of implementations differ where it does not matter. */
export type WebSocketClass = new (url: string, protocols?: string[]) => object;

/** Connects to a room. What comes back has the document as `doc`, who else is there as `awareness`, and events by `on`. */
export function connect(options: ConnectOptions): AskbackProvider {
  return new AskbackProvider(options);
}

/**
 * A connection that brings verdicts. `destroy` ends it. While the hub is out of reach it is tried again, and each time the event
 * `connection-error` says so.
 */
export class AskbackProvider extends WebsocketProvider {
  /** Why the hub closed the connection for good, if it did; y-websocket's event `closed` says when. */
  closed: Closed | null = null;
  /**
   * Resolves when the document is first what the hub's is. Rejects with an `Error` in words if the hub closes the connection for
   * good before that, or `destroy` is called. Stays open while the hub is out of reach.
   */
  readonly ready: Promise<void>;
  #refuse: (error: Error) => void = () => {};
  readonly #detach: () => void;
  readonly #ownsAwareness: boolean;

  constructor({ url, room, token, doc = new Y.Doc(), WebSocketPolyfill, disableBc = true, onVerdict, ...rest }: ConnectOptions) {
    super(`${addressOf(url, "ws")}/sync`, encodeRoom(room), doc, {
      ...rest,
      disableBc,
      protocols: token ? protocolsOf(token) : [],
      WebSocketPolyfill: socketClass(WebSocketPolyfill),
    });
    this.#ownsAwareness = rest.awareness === undefined;
    this.ready = new Promise((resolve, reject) => {
      this.#refuse = reject;
      this.on("sync", (isSynced) => isSynced && resolve());
    });
    // Whoever does not look at it is not to be ended by it.
    this.ready.catch(() => {});
    this.on("closed", ({ code, reason }) => {
      this.closed = describeClose(code, reason);
      this.#refuse(new Error(this.closed.message, { cause: this.closed }));
    });
    this.on("status", ({ status }) => {
      if (status === "connected") this.closed = null;
    });
    this.#detach = attachVerdicts(this, onVerdict);
  }

  override destroy(): void {
    super.destroy();
    this.#detach();
    const reason = "the connection was ended by destroy";
    closeWaits(this.doc, NORMAL, reason);
    this.#refuse(new Error(reason));
    // y-websocket leaves the awareness that it made with its timer running, which keeps a Node process alive.
    if (this.#ownsAwareness) this.awareness.destroy();
  }
}

/** The subprotocols that carry a secret; the hub selects the first. */
function protocolsOf(token: string): string[] {
  if (!/^[\w-]+$/.test(token)) throw new TypeError("askback: this is not a token (expected letters, digits, - and _, as `askback token create` prints it)");
  return ["askback.v1", `askback.bearer.${token}`];
}

function encodeRoom(room: string): string {
  // Addresses take `.` and `..` for steps in a path, however they are encoded.
  if (room === "" || room === "." || room === "..") {
    throw new TypeError(`askback: no address leads to a room called "${room}" (expected another name, or @inbox)`);
  }
  return encodeURIComponent(room).replaceAll("%40", "@");
}

function socketClass(given: WebSocketClass | undefined): typeof WebSocket {
  const found = given ?? globalThis.WebSocket;
  if (!found) throw new TypeError("askback: there is no WebSocket here: pass that of the package ws as WebSocketPolyfill");
  return found as typeof WebSocket;
}
