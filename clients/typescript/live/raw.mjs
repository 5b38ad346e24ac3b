// The messages of a room's socket byte for byte, and a client that is bound by nothing.

import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import * as decoding from "lib0/decoding";
import * as encoding from "lib0/encoding";
import WebSocket from "ws";
import * as Y from "yjs";
import { until } from "./hub.mjs";

export const VERDICT = 100;

const SYNC = ["step1", "step2", "update"];

function written(write) {
  const encoder = encoding.createEncoder();
  write(encoder);
  return Buffer.from(encoding.toUint8Array(encoder));
}

const sync = (step) => (bytes) =>
  written((encoder) => {
    encoding.writeVarUint(encoder, 0);
    encoding.writeVarUint(encoder, step);
    encoding.writeVarUint8Array(encoder, bytes);
  });

export const step1 = sync(0);
export const step2 = sync(1);
export const update = sync(2);

/** What a replica that knows nothing asks with. */
export const FROM_THE_START = step1(Y.encodeStateVector(new Y.Doc()));

/** An awareness message; each entry has a client, a clock and a state. */
export const awareness = (entries) =>
  written((encoder) => {
    encoding.writeVarUint(encoder, 1);
    const states = written((inner) => {
      encoding.writeVarUint(inner, entries.length);
      for (const { client, clock, state } of entries) {
        encoding.writeVarUint(inner, client);
        encoding.writeVarUint(inner, clock);
        encoding.writeVarString(inner, typeof state === "string" ? state : JSON.stringify(state));
      }
    });
    encoding.writeVarUint8Array(encoder, states);
  });

/** The update of what somebody does in a document of their own. */
export function changes(change, doc = new Y.Doc()) {
  const before = Y.encodeStateVector(doc);
  doc.transact(() => change(doc));
  return Buffer.from(Y.encodeStateAsUpdate(doc, before));
}

export const proposing = (entries) =>
  changes((doc) => {
    for (const [key, proposal] of entries) doc.getMap("answers").set(key, proposal);
  });

/** What a message of the server is. */
export function described(message) {
  const decoder = decoding.createDecoder(message);
  switch (decoding.readVarUint(decoder)) {
    case 0:
      return { kind: SYNC[decoding.readVarUint(decoder)], payload: Buffer.from(decoding.readVarUint8Array(decoder)) };
    case 1:
      return { kind: "awareness", payload: Buffer.from(decoding.readVarUint8Array(decoder)) };
    case VERDICT:
      return { kind: "verdict", payload: JSON.parse(decoding.readVarString(decoder)) };
    default:
      throw new Error(`a message of no known kind: ${message.toString("hex")}`);
  }
}

/** The updates among messages: a second step, and what came before and after it. */
export const updates = (messages) =>
  messages.filter(({ kind }) => kind === "update" || kind === "step2").map(({ payload }) => payload);

/** The entries of an awareness message. */
export function present(payload) {
  const decoder = decoding.createDecoder(payload);
  return Array.from({ length: decoding.readVarUint(decoder) }, () => ({
    client: decoding.readVarUint(decoder),
    clock: decoding.readVarUint(decoder),
    state: JSON.parse(decoding.readVarString(decoder)),
  }));
}

/** The question for everything, two hundred times, as frames of a client: masked with zeros. */
const QUESTIONS = Buffer.concat(
  Array(200).fill(Buffer.concat([Buffer.from([0x82, 0x80 | FROM_THE_START.length, 0, 0, 0, 0]), FROM_THE_START])),
);

const HANDSHAKE = {
  Connection: "Upgrade",
  Upgrade: "websocket",
  "Sec-WebSocket-Version": "13",
  "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
};

/** A connection of bytes: shakes hands and sends, whatever it is. */
export function plain(hub, room, token, { headers = {}, sent = [] } = {}) {
  const { host, port } = new URL(hub.origin);
  const socket = connect(Number(port), "127.0.0.1");
  const all = Object.entries({ Host: host, ...HANDSHAKE, ...headers }).filter(([, value]) => value !== null);
  const head = [`GET /sync/${room}?token=${token} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`), "", ""];
  socket.on("error", () => {});
  socket.write(Buffer.concat([Buffer.from(head.join("\r\n")), ...sent]));
  return socket;
}

/** A client that asks for everything again and again, and never reads. */
export function deaf(hub, room, token) {
  const socket = plain(hub, room, token, { sent: [QUESTIONS] });
  socket.pause();
  return socket;
}

/** Reads until the server ends it: the status of its head, and the code with which it closed. */
export async function lastWord(socket) {
  let said = Buffer.alloc(0);
  socket.on("data", (data) => (said = Buffer.concat([said, data])));
  // Whoever was told goodbye goes.
  await until("a last word", () => socket.closed || frames(said).some(({ purpose }) => purpose === 8));
  socket.destroy();
  const close = frames(said).find(({ purpose }) => purpose === 8);
  return { status: Number(said.subarray(9, 12)), code: close?.carried.readUInt16BE(0) ?? null };
}

/** The whole frames of a server behind the head of its answer. */
function frames(said) {
  const found = [];
  let at = said.indexOf("\r\n\r\n") + 4;
  while (at >= 4 && at + 2 <= said.length) {
    const short = said[at + 1];
    const size = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (at + size > said.length) break;
    const length = short === 126 ? said.readUInt16BE(at + 2) : short === 127 ? Number(said.readBigUInt64BE(at + 2)) : short;
    if (at + size + length > said.length) break;
    found.push({ purpose: said[at] & 0x0f, carried: said.subarray(at + size, at + size + length) });
    at += size + length;
  }
  return found;
}

export class Raw {
  heard = [];
  /** How it ended: a close code, or the status of a call that was refused. */
  closed = null;
  status = null;

  constructor(hub, room, token, { headers, protocols = [], query, base = hub.sync } = {}) {
    const search = query ?? (token === null ? "" : `?token=${token}`);
    this.socket = new WebSocket(`${base}/${room}${search}`, protocols, { headers });
    this.socket.on("message", (data) => this.heard.push({ ...described(Buffer.from(data)), at: performance.now() }));
    this.socket.on("unexpected-response", (request, response) => {
      this.status = response.statusCode;
      request.destroy();
    });
    this.socket.on("close", (code, reason) => (this.closed ??= { code, reason: reason.toString() }));
    this.socket.on("error", () => {});
  }

  /** The subprotocol that the server has selected. */
  get protocol() {
    return this.socket.protocol;
  }

  async opened() {
    await until("a socket is open", () => this.socket.readyState === WebSocket.OPEN);
    return this;
  }

  async ended(patienceMs) {
    return (await until("a socket is closed", () => this.closed, patienceMs)).code;
  }

  send(...messages) {
    for (const message of messages) {
      if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message, () => {});
    }
    return this;
  }

  /** The first message of a kind, or the first that is as wanted. */
  hears(kind, wanted = () => true) {
    const is = (message) => message.kind === kind && wanted(message.payload);
    return until(`a socket hears ${kind}`, () => this.heard.find(is)?.payload);
  }

  leave() {
    this.socket.terminate();
  }
}
