// An answer on its way: proposed in the document, kept in this browser until the hub has judged it, and then what it said.

import {
  answerInputRequest,
  declineInputRequest,
  unsettled,
  type Given,
  type HubProblem,
  type PendingRequest,
  type Proposal,
  type Submission,
  type Unsettled,
  type Verdict,
} from "@askback/client";
import { signal } from "@preact/signals";
import { endOfOutcome, type Ended, type RequestView } from "../hub/request";
import { onResumed, onTriedAgain, replica, resume } from "../hub/room";
import { person } from "../hub/session";
import { dropDraft } from "./drafts";
import { dequeue, enqueue, readQueue } from "./queue";

/** Something that does not pass, by the path that the hub gives it. */
export type Wrong = Pick<HubProblem, "path" | "message" | "expected">;

/** Not judged: it is with the hub, or waits here until that is back. */
export interface OnItsWay {
  is: "on its way";
  key: string;
  proposal: Proposal;
  /** Whether it would survive a reload. */
  isKept: boolean;
  /** Whether another answer is being given in its place. */
  isReopened: boolean;
  /** Whether the hub could not judge it just now. */
  isTriedAgain: boolean;
}

/** How far an answer has come. */
export type Sending =
  | OnItsWay
  /** The hub has accepted it. */
  | { is: "counted"; ended: Ended }
  /** Somebody or something else was faster. */
  | { is: "late"; ended: Ended }
  /** It breaks a rule, and the request is still open. */
  | { is: "wrong"; problems: readonly Wrong[] }
  | { is: "failed"; message: string };

/** By the request's id. */
export const sendings = signal<ReadonlyMap<string, Sending>>(new Map());

export function sendAnswer(view: RequestView, given: readonly Given[]): void {
  const response = view.item.type === "form" ? given : given[0];
  if (response !== undefined) send(view, (item, by) => answerInputRequest(replica(), item, response, by));
}

/** Says no to the whole request, perhaps with a reason or a question back. */
export function sendDecline(view: RequestView, reason: string): void {
  send(view, (item, by) => declineInputRequest(replica(), item, { reason }, by));
}

/** Lets another answer be given while one is on its way. */
export function reopen(id: string): void {
  change(id, { isReopened: true });
}

function send(view: RequestView, submit: (item: PendingRequest, by: string) => Submission): void {
  if (view.ended) return;
  const earlier = unsettled(replica()).filter(({ proposal }) => proposal.requestId === view.id);
  const submission = submit(view.item as PendingRequest, person.peek()?.name ?? "");
  if (submission.success) {
    const proposed = unsettled(replica()).find(({ key }) => key === submission.key);
    if (proposed) follow(proposed, submission.verdict);
    // The new one took their place; after a reload they would be sent beside it, and perhaps before it.
    earlier.forEach(({ key }) => dequeue(key));
  } else if (submission.code === "invalid-answer") {
    put(view.id, { is: "wrong", problems: submission.problems });
  }
  // Otherwise the document shows that it has ended, and so does the screen.
}

/** Sends what an earlier visit of this person could not. The hub counts each once, however often it comes. */
export async function resumeQueue(by: string): Promise<void> {
  for (const one of await readQueue(by)) follow(one, resume(one));
}

onResumed(follow);
onTriedAgain((requestId) => change(requestId, { isTriedAgain: true }));

function follow(one: Unsettled, verdict: Promise<Verdict>): void {
  const { key, proposal } = one;
  const { requestId } = proposal;
  put(requestId, { is: "on its way", key, proposal, isKept: true, isReopened: false, isTriedAgain: false });
  void enqueue(one, person.peek()?.name ?? "").then((isKept) => isKept || change(requestId, { isKept: false }));
  void verdict.then((judged) => {
    // It is still in the document, and is sent again with the next connection.
    if (judged.via === "closed") return;
    dequeue(key);
    const state = stateOf(judged);
    if (state?.is === "counted") dropDraft(requestId);
    if (state) put(requestId, state);
    // The document alone knows how it ended, and shows it.
    else if (judged.via === "document") remove(requestId);
  });
}

function stateOf(verdict: Verdict): Sending | undefined {
  // If another answer of this page took its place, that has its own verdict.
  if (verdict.via !== "verdict") return undefined;
  if (verdict.success) return withEnd("counted", verdict.outcome);
  switch (verdict.code) {
    case "invalid-answer":
    case "invalid-parameter":
      return { is: "wrong", problems: verdict.problems };
    case "no-such-request":
      return { is: "failed", message: verdict.error };
    case "already-ended":
      return withEnd("late", verdict.outcome);
    default:
      return { is: "failed", message: verdict.message };
  }
}

function withEnd(is: "counted" | "late", outcome: Parameters<typeof endOfOutcome>[0]): Sending | undefined {
  const ended = endOfOutcome(outcome);
  return ended && { is, ended };
}

function put(id: string, state: Sending): void {
  sendings.value = new Map(sendings.peek()).set(id, state);
}

/** Says something more of what is on its way. */
function change(id: string, more: Partial<OnItsWay>): void {
  const state = sendings.peek().get(id);
  if (state?.is === "on its way") put(id, { ...state, ...more });
}

function remove(id: string): void {
  const rest = new Map(sendings.peek());
  rest.delete(id);
  sendings.value = rest;
}
