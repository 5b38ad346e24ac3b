// Who waits for a verdict, by document, and how the waiting ends.

import type * as Y from "yjs";
import { describeEnd } from "./ending.js";
import { SEPARATOR } from "./joined.js";
import { forget, proposalAt, putBack, type Proposal, type Unsettled } from "./proposal.js";
import { finals, observe, type FinalRequest } from "./requests.js";
import type { ClosedVerdict, DocumentVerdict, Verdict } from "./verdict.js";

/** Whether answers were proposed in the form in which the hub stores them, or somehow. */
export type WrittenForm = "canonical" | "any";

/** A proposal without its verdict. */
interface Waiting {
  proposal: Proposal;
  form: WrittenForm;
  verdict: Promise<Verdict>;
  resolve: (verdict: Verdict) => void;
  /** The key of a later proposal for the same request, which took this one's place in the document. */
  replacedBy?: string;
}

/** What is known of one document. */
interface Waits {
  waiting: Map<string, Waiting>;
  /** How many providers bring verdicts. While there is one, its word counts, and not what the document suggests. */
  sources: number;
  /** How the last of them ended for good. Until the next one comes, nobody need wait. */
  closed?: { code: number; reason: string } | undefined;
  /** Stops looking at the document; there only while somebody waits. */
  stop?: (() => void) | undefined;
}

/** Weak, so that a document that nobody holds takes its waits with it. */
const waitsOf = new WeakMap<Y.Doc, Waits>();

/**
 * The verdict on a proposal that stands in the document, perhaps from before a reload, or from a connection that ended for good.
 * Nothing if there is no proposal under this key, be it that it was judged or that it never was there.
 */
export function verdictOf(ydoc: Y.Doc, key: string): Promise<Verdict> | undefined {
  const found = open(ydoc).waiting.get(key);
  if (found) return found.verdict;
  const proposal = proposalAt(ydoc, key);
  return proposal && waitForVerdict(ydoc, key, proposal, "any");
}

/**
 * Puts a proposal under the key that it had in another document, which was kept over a reload, say, or could not be used any
 * more. The hub judges a key once: if the proposal was sent from there, this brings the same verdict.
 */
export function resumeProposal(ydoc: Y.Doc, { key, proposal }: Unsettled): Promise<Verdict> {
  if (!proposalAt(ydoc, key)) putBack(ydoc, key, proposal);
  const verdict = open(ydoc).waiting.get(key)?.verdict ?? waitForVerdict(ydoc, key, proposal, "any");
  endIfClosed(ydoc, key);
  return verdict;
}

/** The verdict on a proposal that stands in the document. Those that it took the place of share its fate. */
export function waitForVerdict(ydoc: Y.Doc, key: string, proposal: Proposal, form: WrittenForm): Promise<Verdict> {
  const waits = open(ydoc);
  for (const [earlier, waiting] of waits.waiting) {
    if (waiting.proposal.requestId === proposal.requestId && !proposalAt(ydoc, earlier)) waiting.replacedBy = key;
  }
  let resolve: (verdict: Verdict) => void = () => {};
  const verdict = new Promise<Verdict>((settled) => (resolve = settled));
  waits.stop ??= observe(ydoc, (requests) => judge(ydoc, requests.finals));
  waits.waiting.set(key, { proposal, form, verdict, resolve });
  judge(ydoc, finals(ydoc));
  return verdict;
}

/** Whoever has just proposed something hears at once that no connection is left to bring it to the hub. */
export function endIfClosed(ydoc: Y.Doc, key: string): void {
  const { closed, waiting } = open(ydoc);
  const found = waiting.get(key);
  if (closed && found) end(ydoc, closedVerdict(key, found, closed.code, closed.reason));
}

/** The hub has spoken for good. */
export function settle(ydoc: Y.Doc, verdict: Verdict & { via: "verdict" }): void {
  forget(ydoc, verdict.key);
  end(ydoc, verdict);
}

/** A provider brings verdicts from now on, until the function that this returns is called. */
export function expectVerdicts(ydoc: Y.Doc): () => void {
  const waits = open(ydoc);
  waits.sources += 1;
  waits.closed = undefined;
  let expected = true;
  return () => {
    if (!expected) return;
    expected = false;
    waits.sources -= 1;
    // What the hub would have said never comes now; the document has been silent about it so far.
    if (waits.sources === 0) judge(ydoc, finals(ydoc));
  };
}

/** No connection is left: whoever waits is told so, and the proposals stay for the next one. */
export function closeWaits(ydoc: Y.Doc, code: number, reason: string): void {
  const waits = open(ydoc);
  if (waits.sources > 0) return;
  waits.closed = { code, reason };
  for (const [key, waiting] of [...waits.waiting]) {
    if (!waiting.replacedBy) end(ydoc, closedVerdict(key, waiting, code, reason));
  }
}

function closedVerdict(key: string, { proposal }: Waiting, code: number, reason: string): ClosedVerdict {
  return { via: "closed", key, requestId: proposal.requestId, success: null, code, reason };
}

function open(ydoc: Y.Doc): Waits {
  const found = waitsOf.get(ydoc);
  if (found) return found;
  const waits: Waits = { waiting: new Map(), sources: 0 };
  waitsOf.set(ydoc, waits);
  return waits;
}

/** Concludes from the document, where nobody brings verdicts. */
function judge(ydoc: Y.Doc, ended: FinalRequest[]): void {
  const waits = open(ydoc);
  if (waits.sources > 0 || waits.waiting.size === 0) return;
  const byId = new Map(ended.map((request) => [request.id, request]));
  for (const [key, waiting] of [...waits.waiting]) {
    const final = byId.get(waiting.proposal.requestId);
    if (!final) continue;
    forget(ydoc, key);
    end(ydoc, conclude(key, waiting, final));
  }
}

function end(ydoc: Y.Doc, verdict: Verdict): void {
  const { key } = verdict;
  const waits = open(ydoc);
  waits.waiting.get(key)?.resolve(verdict);
  waits.waiting.delete(key);
  // The hub judges in order: what it has not spoken to by now it was not sent, or its word was lost.
  for (const [earlier, { proposal, replacedBy }] of [...waits.waiting]) {
    if (replacedBy !== key) continue;
    const success = verdict.success ? false : null;
    const { requestId } = proposal;
    end(ydoc, { via: "replaced", key: earlier, requestId, success, code: "replaced", error: "Replaced", by: key });
  }
  if (waits.waiting.size === 0) {
    waits.stop?.();
    waits.stop = undefined;
  }
}

function conclude(key: string, waiting: Waiting, final: FinalRequest): DocumentVerdict {
  const { id, answeredBy, status } = final;
  const verdict = { via: "document" as const, key, requestId: id, answeredBy, status, request: final };
  if (couldBe(waiting, final)) return { ...verdict, success: null };
  return { ...verdict, success: false, ...describeEnd(status) };
}

/**
 * Whether the outcome is what the proposal would have made of the request. The name says nothing: the hub puts the one that
 * belongs to the token in the place of the one proposed.
 */
function couldBe({ proposal, form }: Waiting, final: FinalRequest): boolean {
  if (final.surface !== "yjs" && final.surface !== "page") return false;
  if (proposal.action !== "answer") {
    const status = proposal.action === "decline" ? "declined" : "cancelled";
    const reason = proposal.reason ?? null;
    return final.status === status && (final.reason ?? null) === reason && responsesOf(final).length === 0;
  }
  if (final.status !== "answered" && final.status !== "declined") return false;
  // What could not be checked may have been written in another form than it is stored in, and what is not shown is not known.
  if (form === "any" || !showsResponses(final)) return true;
  // A selection whose joined form is another's, too, is told apart by the list.
  const sameList = !proposal.selections || !final.selections || equal(proposal.selections, final.selections);
  return sameList && equal(proposedResponses(proposal), responsesOf(final));
}

/** Very long answers are left out of the document. */
function showsResponses(final: FinalRequest): boolean {
  return !final.omitted?.some((what) => what === "response" || what === "responses" || what === "selections");
}

function responsesOf(final: FinalRequest): readonly string[] {
  return final.responses ?? (final.response === undefined ? [] : [final.response]);
}

/** The written forms that were proposed, which are canonical already. */
function proposedResponses(proposal: Proposal): string[] {
  const join = (selections: readonly string[]) => selections.join(SEPARATOR);
  if (proposal.selections) return [join(proposal.selections)];
  if (proposal.answers) {
    return proposal.answers.map((answer) => ("response" in answer ? answer.response : join(answer.selections)));
  }
  return proposal.responses ?? (proposal.response === undefined ? [] : [proposal.response]);
}

function equal(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}
