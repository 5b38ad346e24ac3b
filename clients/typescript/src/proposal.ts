// What a client writes into its own replica, under a fresh key, for the hub to judge.

import type * as Y from "yjs";
import { checkAnswers, problemAt, type AnswerProblem } from "./check.js";
import { checkFreeText, FREE_TEXT_LENGTH, withLineFeeds } from "./free-text.js";
import { newId } from "./id.js";
import type { Accepted, Given, Selected } from "./question.js";
import type { PendingRequest } from "./requests.js";
import { Refusal } from "./rule.js";
import { isBlank, isWellFormed } from "./text.js";

/** The root of the replica under which proposals are put. */
const ROOT = "answers";

/** An answer of a form, as it is sent. */
export type SentAnswer = { response: string } | Selected;

/** What somebody wants to become of a request. */
export interface Proposal {
  requestId: string;
  action: "answer" | "decline" | "cancel";
  response?: string;
  responses?: string[];
  selections?: readonly string[];
  custom?: string;
  answers?: SentAnswer[];
  reason?: string;
  answeredBy?: string;
  answeredAt: string;
}

/** What of a proposal the person decided. */
export type Decision = Omit<Proposal, "requestId" | "answeredBy" | "answeredAt">;

/** A decision that may be proposed, or everything that is wrong with it. */
export type Decided = { ok: true; decision: Decision } | { ok: false; problems: AnswerProblem[] };

/** Whether answers can be checked here: not if the document omits the questions. The hub checks everything again anyway. */
export function isChecked(request: PendingRequest): boolean {
  return !request.omitted?.some((what) => what !== "context");
}

/** The answers, if they pass. */
export function decideAnswer(request: PendingRequest, given: readonly Given[]): Decided {
  if (!isChecked(request)) return { ok: true, decision: { action: "answer", ...written(request, given.map(asSent)) } };
  const checked = checkAnswers(request, given);
  if (!checked.ok) return checked;
  const sent = checked.answers.map((answer, index) => canonical(answer, given[index]));
  return { ok: true, decision: { action: "answer", ...written(request, sent) } };
}

/** A refusal to answer, or the wish that nobody does, with a reason if there is one to read. */
export function decideEnd(action: "decline" | "cancel", reason: string | undefined): Decided {
  if (reason === undefined || isBlank(reason)) return { ok: true, decision: { action } };
  const text = withLineFeeds(reason);
  try {
    checkFreeText(text, FREE_TEXT_LENGTH, "tab and line feed");
    if (!isWellFormed(text)) throw new Refusal("json", "the reason has half a character", "text in Unicode");
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { ok: false, problems: [problemAt("reason", refusal)] };
  }
  return { ok: true, decision: { action, reason: text } };
}

/** Writes the proposal in the place of any other for the same request, and returns its key. */
export function propose(ydoc: Y.Doc, proposal: Proposal): string {
  const key = newId();
  ydoc.transact(() => {
    for (const earlier of unsettled(ydoc)) {
      if (earlier.proposal.requestId === proposal.requestId) forget(ydoc, earlier.key);
    }
    proposals(ydoc).set(key, proposal);
  });
  return key;
}

/** A proposal that stands in a document. */
export interface Unsettled {
  key: string;
  proposal: Proposal;
}

/** The proposals that the hub has not judged, or whose verdict has not arrived. They are sent at every connection. */
export function unsettled(ydoc: Y.Doc): Unsettled[] {
  return [...proposals(ydoc).keys()].flatMap((key) => {
    const proposal = proposalAt(ydoc, key);
    return proposal ? [{ key, proposal }] : [];
  });
}

/** The proposal under a key, if there is one: others may write here whatever they like. */
export function proposalAt(ydoc: Y.Doc, key: string): Proposal | undefined {
  const value = proposals(ydoc).get(key) as Partial<Proposal> | undefined;
  return typeof value?.requestId === "string" ? ({ action: "answer", ...value } as Proposal) : undefined;
}

/** Puts what stands under these keys into another document, and says how many there were. */
export function copyProposals(from: Y.Doc, to: Y.Doc, keys: readonly string[]): number {
  const standing = keys.filter((key) => proposals(from).has(key));
  to.transact(() => {
    for (const key of standing) proposals(to).set(key, proposals(from).get(key));
  });
  return standing.length;
}

/** Writes a proposal under the key that it had elsewhere. */
export function putBack(ydoc: Y.Doc, key: string, proposal: Proposal): void {
  proposals(ydoc).set(key, proposal);
}

/** Takes a proposal away that has been judged, so that it is not sent again at every reconnection. Others stay. */
export function forget(ydoc: Y.Doc, key: string): void {
  if (proposals(ydoc).has(key)) proposals(ydoc).delete(key);
}

function proposals(ydoc: Y.Doc): Y.Map<unknown> {
  return ydoc.getMap(ROOT);
}

/** A list stays a list, because the written form alone may read differently. */
function canonical(answer: Accepted, given: Given | undefined): SentAnswer {
  if (typeof given === "string" || !answer.selections) return { response: answer.written };
  const selected = { selections: answer.selections };
  return answer.custom === undefined ? selected : { ...selected, custom: answer.custom };
}

function asSent(given: Given): SentAnswer {
  if (typeof given === "string") return { response: given };
  return given.custom ? { selections: [...given.selections], custom: given.custom } : { selections: [...given.selections] };
}

/** One answer stands alone; several are responses if each has one, and answers otherwise. */
function written(request: PendingRequest, sent: SentAnswer[]): Partial<Decision> {
  const [only] = sent;
  if (request.type !== "form" && sent.length === 1 && only) return only as Partial<Decision>;
  const responses = sent.flatMap((answer) => ("response" in answer ? [answer.response] : []));
  return responses.length === sent.length ? { responses } : { answers: sent };
}
