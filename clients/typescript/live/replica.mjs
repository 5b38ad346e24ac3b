// A replica of a room as anybody has one: yjs and y-websocket as they come from npm, and a listener for verdicts.

import { randomUUID } from "node:crypto";
import * as decoding from "lib0/decoding";
import WebSocket from "ws";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";
import { until } from "./hub.mjs";
import { VERDICT, described, updates } from "./raw.mjs";

export class Replica {
  /** Verdicts in the order in which they came. */
  verdicts = [];
  /** Each message of the server: what it is, its bytes, and when it came. */
  heard = [];
  /** With which code the server closed for good. */
  closed = null;

  #sockets = [];

  constructor(hub, room, token, { doc = new Y.Doc(), connect = true, headers } = {}) {
    this.doc = doc;
    const [heard, sockets] = [this.heard, this.#sockets];
    // The same socket, which also writes down what it hears.
    class Overheard extends WebSocket {
      constructor(address, protocols) {
        super(address, protocols, { headers });
        sockets.push(this);
        this.on("message", (data) => heard.push({ ...described(Buffer.from(data)), at: performance.now() }));
      }
    }
    const params = token === null ? {} : { token };
    this.provider = new WebsocketProvider(hub.sync, room, doc, {
      params,
      connect,
      WebSocketPolyfill: Overheard,
      disableBc: true,
      maxBackoffTime: 400,
    });
    this.provider.messageHandlers[VERDICT] = (_encoder, decoder) =>
      this.verdicts.push(JSON.parse(decoding.readVarString(decoder)));
    this.provider.on("closed", (event) => (this.closed = event));
  }

  get awareness() {
    return this.provider.awareness;
  }

  async synced() {
    await until("a replica is in step", () => {
      if (this.closed) throw new Error(`closed: ${JSON.stringify(this.closed)}`);
      return this.provider.synced;
    });
    return this;
  }

  async refused() {
    return (await until("a replica is refused", () => this.closed)).code;
  }

  get items() {
    return this.doc.getArray("inputRequests").toJSON();
  }

  /** A request as readers are to see it: how it ended stands above that it was pending. */
  find(id) {
    const found = this.items.filter((item) => item.id === id);
    return found.find((item) => item.status !== "pending") ?? found[0];
  }

  /** Waits until a request is there with this status. */
  sees(id, status = "pending") {
    return until(`a replica sees ${id} ${status}`, () => {
      const found = this.find(id);
      return found?.status === status && found;
    });
  }

  /** Proposes something, and gives the key. */
  propose(proposal, key = randomUUID()) {
    this.doc.getMap("answers").set(key, proposal);
    return key;
  }

  verdict(key) {
    return until(`a verdict on ${key}`, () => this.verdicts.find((verdict) => verdict.key === key));
  }

  /** Proposes something, and gives the verdict. */
  decide(proposal, key) {
    return this.verdict(this.propose(proposal, key));
  }

  async offline() {
    this.provider.disconnect();
    await until("a replica is alone", () => !this.provider.wsconnected);
  }

  online() {
    this.provider.connect();
    return this.synced();
  }

  /** All of the replica, as Yjs writes it. */
  get bytes() {
    return Buffer.from(Y.encodeStateAsUpdate(this.doc));
  }

  /** Bytes of all updates that the server has told. */
  get bytesTold() {
    return updates(this.heard).reduce((sum, payload) => sum + payload.length, 0);
  }

  leave() {
    this.provider.destroy();
    this.doc.destroy();
    // A socket that closes politely waits for half a minute for a hub that is gone.
    for (const socket of this.#sockets) socket.terminate();
  }
}
