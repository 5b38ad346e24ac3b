// Answers, declines and cancels requests by writing proposals into one's own replica of the document.

import type * as Y from "yjs";
import type { AnswerProblem } from "./check.js";
import { describeEnd } from "./ending.js";
import { decideAnswer, decideEnd, isChecked, propose, type Decided, type Proposal } from "./proposal.js";
import type { Given } from "./question.js";
import { find, isFinal, type PendingRequest } from "./requests.js";
import type { AnswerNotValid, RequestNotFound, TooLate, Verdict } from "./verdict.js";
import { endIfClosed, waitForVerdict } from "./waiting.js";

/** What a call for a request comes to, before the hub has seen it. */
export type Submission = Submitted | NotSubmitted;

/** The proposal is in the document, and goes to the hub now or at the next connection. */
export interface Submitted {
  success: true;
  /** The name of the proposal. */
  key: string;
  /**
   * What becomes of it. Never rejected. It stays open for as long as the hub is away, and if nothing brings verdicts to this
   * document, until the document itself shows that the request has ended. It ends with the connection: if the hub closes that for
   * good, or `destroy` does.
   */
  verdict: Promise<Verdict>;
}

/** Nothing was written, for a reason that the hub would have given, too; told apart by `code`. */
export type NotSubmitted =
  | Pick<RequestNotFound, "success" | "code" | "error">
  | Pick<TooLate, "success" | "code" | "error" | "status" | "answeredBy">
  | (Pick<AnswerNotValid, "success" | "code" | "error"> & { problems: AnswerProblem[] });

/** Which request: by its id, or itself, if it comes from elsewhere because the document does not show it. */
export type Which = string | PendingRequest;

/**
 * Answers a request: with a text or `{selections, custom}` if it has one question, with a list of them if it is a form.
 * The hub puts the name that belongs to the token in the place of `answeredBy`. A proposal of this document for the same request
 * that the hub has not judged is taken back, so that offline the last word is what is sent. What was sent already is judged first.
 */
export function answerInputRequest(
  ydoc: Y.Doc,
  request: Which,
  response: Given | readonly Given[],
  answeredBy: string,
): Submission {
  const given = Array.isArray(response) ? (response as readonly Given[]) : [response as Given];
  return submit(ydoc, request, answeredBy, (request) => decideAnswer(request, given));
}

/** Why a request is declined or cancelled: the text alone, or as a field. */
export type Reason = string | { reason?: string };

/** Declines to answer, perhaps with a reason or a question back. The hub puts the name that belongs to the token either way. */
export function declineInputRequest(
  ydoc: Y.Doc,
  request: Which,
  reason: Reason = {},
  answeredBy?: string,
): Submission {
  return submit(ydoc, request, answeredBy, () => decideEnd("decline", textOf(reason)));
}

/** Takes a request away, so that nobody answers it. */
export function cancelInputRequest(
  ydoc: Y.Doc,
  request: Which,
  reason: Reason = {},
  answeredBy?: string,
): Submission {
  return submit(ydoc, request, answeredBy, () => decideEnd("cancel", textOf(reason)));
}

function textOf(reason: Reason): string | undefined {
  return typeof reason === "string" ? reason : reason.reason;
}

function submit(
  ydoc: Y.Doc,
  which: Which,
  answeredBy: string | undefined,
  decide: (request: PendingRequest) => Decided,
): Submission {
  const requestId = typeof which === "string" ? which : which.id;
  // What the document knows is newer than what anybody remembers.
  const request = find(ydoc, requestId) ?? (typeof which === "string" ? undefined : which);
  if (!request) return { success: false, code: "no-such-request", error: "Request not found" };
  if (isFinal(request)) {
    const { status, answeredBy } = request;
    return { success: false, ...describeEnd(status), status, answeredBy };
  }
  const decided = decide(request);
  if (!decided.ok) {
    return { success: false, code: "invalid-answer", error: "Answer not valid", problems: decided.problems };
  }
  const signed = answeredBy === undefined ? {} : { answeredBy };
  const proposal: Proposal = { requestId, ...decided.decision, ...signed, answeredAt: new Date().toISOString() };
  const key = propose(ydoc, proposal);
  const form = isChecked(request) ? "canonical" : "any";
  const verdict = waitForVerdict(ydoc, key, proposal, form);
  endIfClosed(ydoc, key);
  return { success: true, key, verdict };
}
