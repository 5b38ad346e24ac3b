// A hub as small as it can be: one room over y-websocket's protocol, whose document only it writes, with verdicts to order.

import type { AddressInfo } from "node:net";
import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import { WebSocketServer, type WebSocket } from "ws";
import * as Y from "yjs";

/** Larger than any client makes up for itself. */
const HUB_CLIENT_ID = 2 ** 32 + 7;

/** A document as a hub writes it. */
export class HubDocument {
  readonly doc = new Y.Doc({ gc: false });
  readonly #requests = this.doc.getArray<object>("inputRequests");

  constructor() {
    this.doc.clientID = HUB_CLIENT_ID;
  }

  ask(item: object): void {
    this.#requests.push([{ room: "r", asker: "agent", createdAt: "2026-11-15T17:00:00Z", status: "pending", ...item }]);
  }

  /** Ends a request: its pending item goes, and the final one comes, in one transaction. */
  end(id: string, outcome: object): void {
    this.doc.transact(() => {
      const index = this.#requests.toArray().findIndex((item) => (item as { id: string }).id === id);
      const item = this.#requests.get(index);
      this.#requests.delete(index);
      this.#requests.push([{ ...item, answeredAt: "2026-11-15T17:40:00Z", surface: "yjs", ...outcome }]);
    });
  }

  /** Brings a replica up to date, as any provider would. */
  sync(replica: Y.Doc): void {
    Y.applyUpdate(replica, Y.encodeStateAsUpdate(this.doc, Y.encodeStateVector(replica)), "hub");
  }
}

/** A proposal as it came over a socket. */
export interface Received {
  key: string;
  proposal: Record<string, unknown>;
  reply: (verdict: object) => void;
}

/** A hub that listens on a free port of this machine. */
export class FakeHub extends HubDocument {
  /** The addresses that were called, in order. */
  readonly addresses: string[] = [];
  /** The subprotocols that were offered with each. */
  readonly protocols: string[] = [];
  /** What each new proposal is met with. */
  onProposal: (received: Received) => void = () => {};
  /** What each new connection is met with. */
  onConnection: (socket: WebSocket) => void = () => {};
  readonly #server = new WebSocketServer({ host: "127.0.0.1", port: 0 });

  static async start(): Promise<FakeHub> {
    const hub = new FakeHub();
    hub.#server.on("connection", (socket, request) => {
      hub.protocols.push(request.headers["sec-websocket-protocol"] ?? "");
      hub.addresses.push(request.url ?? "");
      hub.onConnection(socket);
      hub.#serve(socket);
    });
    await new Promise((resolve) => hub.#server.once("listening", resolve));
    return hub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Drops every connection, as a network does. */
  drop(): void {
    for (const socket of this.#server.clients) socket.terminate();
  }

  async stop(): Promise<void> {
    this.drop();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(socket: WebSocket): void {
    // What this client proposes is read in a replica of its own, and never reaches the hub's document.
    const scratch = new Y.Doc();
    scratch.getMap("answers").observe((event) => {
      for (const key of event.keysChanged) {
        const proposal = scratch.getMap("answers").get(key) as Record<string, unknown> | undefined;
        if (!proposal) continue;
        const reply = (verdict: object) => socket.send(verdictMessage({ key, requestId: proposal["requestId"], ...verdict }));
        this.onProposal({ key, proposal, reply });
      }
    });
    const update = (bytes: Uint8Array) => socket.send(syncMessage(2, bytes));
    this.doc.on("update", update);
    socket.on("close", () => this.doc.off("update", update));
    socket.on("message", (data: Buffer) => {
      const decoder = decoding.createDecoder(new Uint8Array(data));
      if (decoding.readVarUint(decoder) !== 0) return;
      const step = decoding.readVarUint(decoder);
      const bytes = decoding.readVarUint8Array(decoder);
      if (step === 0) socket.send(syncMessage(1, Y.encodeStateAsUpdate(this.doc, bytes)));
      else Y.applyUpdate(scratch, bytes);
    });
    socket.send(syncMessage(0, Y.encodeStateVector(this.doc)));
  }
}

function syncMessage(step: number, bytes: Uint8Array): Uint8Array {
  const encoder = encoding.createEncoder();
  encoding.writeVarUint(encoder, 0);
  encoding.writeVarUint(encoder, step);
  encoding.writeVarUint8Array(encoder, bytes);
  return encoding.toUint8Array(encoder);
}

/** The message that carries a verdict. */
export function verdictMessage(verdict: object): Uint8Array {
  const encoder = encoding.createEncoder();
  encoding.writeVarUint(encoder, 100);
  encoding.writeVarString(encoder, JSON.stringify(verdict));
  return encoding.toUint8Array(encoder);
}
