// Sends again what the hub could not judge, while the connection lasts; after a reconnect Yjs sends everything by itself.

import * as Y from "yjs";
import { backoffMs, type Backoff } from "./backoff.js";
import { updateMessage } from "./bytes.js";
import { copyProposals } from "./proposal.js";

const PAUSES: Backoff = { firstMs: 1000, longestMs: 30_000 };

/** `WebSocket.OPEN`, which not every implementation has at the same place. */
const OPEN = 1;

/** What of a provider it takes to send. */
export interface Sender {
  doc: Y.Doc;
  // What may be sent is typed differently by every implementation.
  ws?: { readonly readyState: number; send(message: any): void } | null;
}

export class Resending {
  readonly #sender: Sender;
  readonly #keys = new Set<string>();
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** The hub could not judge this one. */
  add(key: string): void {
    this.#keys.add(key);
    this.#timer ??= setTimeout(() => this.#send(), backoffMs(this.#attempt, PAUSES));
  }

  /** The hub has judged this one, so it is well again. */
  remove(key: string): void {
    this.#keys.delete(key);
    this.#attempt = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#keys.clear();
  }

  #send(): void {
    this.#timer = undefined;
    this.#attempt += 1;
    // A document of its own has these proposals alone. The whole replica may be larger than any message.
    const letter = new Y.Doc();
    const copied = copyProposals(this.#sender.doc, letter, [...this.#keys]);
    this.#keys.clear();
    const { ws } = this.#sender;
    if (copied > 0 && ws?.readyState === OPEN) ws.send(updateMessage(Y.encodeStateAsUpdate(letter)));
    letter.destroy();
  }
}
