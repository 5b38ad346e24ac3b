// Reads the requests out of a room's document, which the hub alone writes.

import type * as Y from "yjs";
import type { AskbackOutcome } from "./generated/outcome.js";
import type { Envelope } from "./generated/request.js";
import type { Question } from "./question.js";

/** The root of the document under which the hub puts requests. */
const ROOT = "inputRequests";

/** What every request has, in the document. */
export interface RequestItem {
  id: string;
  room: string;
  asker: string;
  title?: string;
  from?: string;
  context?: NonNullable<Envelope["context"]>;
  createdAt: string;
  timeout?: number;
  expiresAt?: string;
  /** What the asker takes if nobody answers in time. */
  onTimeout?: NonNullable<Envelope["onTimeout"]>;
  /** What was too large for the document; it is at `GET /api/v1/requests/{id}/request`. */
  omitted?: ("context" | "options" | "questions" | "response" | "responses" | "selections")[];
}

/** One question, inline. Its own id is `questionId`: `id` is the request's. */
export type OneQuestion = Question & { questionId: string };

/** Several questions. */
export interface Form {
  type: "form";
  message: string;
  questions: Question[];
}

/** A request that waits for its outcome. */
export type PendingRequest = RequestItem & (OneQuestion | Form) & { status: "pending" };

/** How a request can end. */
export type FinalStatus = Exclude<AskbackOutcome["status"], "pending">;

/** A request that has its outcome. */
export type FinalRequest = RequestItem &
  (OneQuestion | Form) & {
    status: FinalStatus;
    /** The answer to one question, in its written form. */
    response?: string;
    /** The answers to a form, in their written forms. */
    responses?: string[];
    /** What was selected, of a single choice or dropdown. */
    selections?: string[];
    answeredBy: string;
    answeredAt: string;
    surface: NonNullable<AskbackOutcome["surface"]>;
    reason?: string;
    byDefault?: boolean;
  };

/** The requests of a document, each once: as final if it is, else as pending; in the order of the document. */
export interface Requests {
  pending: PendingRequest[];
  finals: FinalRequest[];
}

/** The requests that wait for an answer, the oldest first. */
export function pending(ydoc: Y.Doc): PendingRequest[] {
  return [...read(ydoc).pending.values()];
}

/** The requests that have ended, in the order in which they did. */
export function finals(ydoc: Y.Doc): FinalRequest[] {
  return [...read(ydoc).finals.values()];
}

/** The request with this id, if the document has it. */
export function find(ydoc: Y.Doc, id: string): PendingRequest | FinalRequest | undefined {
  const index = read(ydoc);
  return index.finals.get(id) ?? index.pending.get(id);
}

/** Calls back at once, and whenever requests come or go, until the function that it returns is called. */
export function observe(ydoc: Y.Doc, callback: (requests: Requests) => void): () => void {
  const tell = () => callback({ pending: pending(ydoc), finals: finals(ydoc) });
  const root = ydoc.getArray(ROOT);
  root.observe(tell);
  tell();
  return () => root.unobserve(tell);
}

/** Whether a request has ended. */
export function isFinal(request: PendingRequest | FinalRequest): request is FinalRequest {
  return request.status !== "pending";
}

/** The requests by their ids, in the order of the document. */
interface Index {
  pending: Map<string, PendingRequest>;
  finals: Map<string, FinalRequest>;
}

/** What was read of a document, until its requests change. */
interface Cache {
  index?: Index | undefined;
  /** How many transactions have begun and not come to their observers; until then they may change at any moment. */
  transactions: number;
}

/** Weak, so that a document that nobody holds takes its cache with it. */
const caches = new WeakMap<Y.Doc, Cache>();

function read(ydoc: Y.Doc): Index {
  const cache = caches.get(ydoc) ?? startCache(ydoc);
  if (cache.transactions > 0) return build(ydoc);
  return (cache.index ??= build(ydoc));
}

function startCache(ydoc: Y.Doc): Cache {
  const root = ydoc.getArray(ROOT);
  // A transaction that is under way has begun unheard.
  const cache: Cache = { transactions: ydoc._transaction === null ? 0 : 1 };
  ydoc.on("beforeTransaction", () => (cache.transactions += 1));
  // Before any observer, so that none of them reads what was.
  ydoc.on("beforeObserverCalls", ({ changed }) => {
    cache.transactions = Math.max(0, cache.transactions - 1);
    if ((changed as Map<unknown, unknown>).has(root)) cache.index = undefined;
  });
  // It forgets its listeners then, though it may be used on.
  ydoc.on("destroy", () => caches.delete(ydoc));
  caches.set(ydoc, cache);
  return cache;
}

/** A final beats a pending of the same id, and of two alike the one that came last counts. */
function build(ydoc: Y.Doc): Index {
  const all = items(ydoc);
  const finals = new Map(all.filter(isFinal).map((item) => [item.id, item]));
  const open = all.filter((item) => !isFinal(item) && !finals.has(item.id)) as PendingRequest[];
  return { pending: new Map(open.map((item) => [item.id, item])), finals };
}

/** What a newer hub may put beside requests is left alone. */
function items(ydoc: Y.Doc): (PendingRequest | FinalRequest)[] {
  return ydoc.getArray<PendingRequest | FinalRequest>(ROOT).toArray().filter(isItem);
}

function isItem(item: unknown): item is PendingRequest | FinalRequest {
  const { id, status } = (typeof item === "object" && item !== null ? item : {}) as Partial<PendingRequest>;
  return typeof id === "string" && typeof status === "string";
}
