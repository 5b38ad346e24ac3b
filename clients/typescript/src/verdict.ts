// What becomes of a proposal, and how the hub's word on it is read.

import { readVarUint, type ByteReader } from "./bytes.js";
import type { EndedError } from "./ending.js";
import type { Verdict as Message } from "./generated/api.js";
import type { ProblemCode } from "./problem.js";
import type { FinalRequest, FinalStatus } from "./requests.js";

/** The type of the message that carries a verdict. */
export const VERDICT_MESSAGE = 100;

/** What a promise of a verdict resolves to. */
export type Verdict = FinalHubVerdict | DocumentVerdict | ReplacedVerdict | ClosedVerdict;

/** The hub's own word, told apart by `success` and then by `code`. */
export type HubVerdict = FinalHubVerdict | TryAgain;

/** The hub's own word on a proposal that it has judged. */
export type FinalHubVerdict = Counted | TooLate | AnswerNotValid | ProposalNotValid | RequestNotFound | NotAllowed;

/** Fields of the hub's message that a kind of verdict always has. */
type Has<Field extends keyof Message> = { [Name in Field]-?: NonNullable<Message[Name]> };

/** Which proposal the hub speaks of. */
interface OfHub extends Pick<Message, "key" | "requestId" | "success"> {
  via: "verdict";
}

/** This proposal is what ended the request. */
export interface Counted extends OfHub, Has<"status" | "outcome"> {
  success: true;
  status: FinalStatus;
}

/** The proposal does not count: a code to branch on, and the same in a few words for people. */
interface Refused extends OfHub, Has<"code" | "error"> {
  success: false;
}

/** Another answer was faster, or the deadline was. */
export interface TooLate extends Refused, Has<"answeredBy" | "status" | "outcome"> {
  code: "already-ended";
  error: EndedError;
  status: FinalStatus;
}

/** The answer breaks a rule of its question. The request is still pending. */
export interface AnswerNotValid extends Refused, Has<"status" | "problems"> {
  code: "invalid-answer";
  error: "Answer not valid";
  status: "pending";
}

/** The value under the key is not a proposal. */
export interface ProposalNotValid extends Refused, Has<"problems"> {
  code: "invalid-parameter";
  error: "Proposal not valid";
}

/** There is no such request in this room. */
export interface RequestNotFound extends Refused {
  code: "no-such-request";
  error: "Request not found";
}

/** The token may not do this. */
export interface NotAllowed extends Refused, Has<"message"> {
  code: Exclude<ProblemCode, (TooLate | AnswerNotValid | ProposalNotValid | RequestNotFound | TryAgain)["code"]>;
  error: "Not allowed";
}

/** The hub could not judge just now. The client sends the proposal again; only `onVerdict` hears of it. */
export interface TryAgain extends Refused, Has<"message"> {
  code: (typeof TRANSIENT)[number];
  error: "Try again";
}

/** Codes after which the same proposal may count later. */
const TRANSIENT = ["too-many", "stopping", "store-full", "store-failed"] as const satisfies readonly ProblemCode[];

/** What the document lets one conclude, where no provider brings verdicts. */
export interface DocumentVerdict {
  via: "document";
  key: string;
  requestId: string;
  /**
   * False if what counts is not what was proposed. Null if it is the same: then the document can't tell whether this
   * proposal made it so or an equal one of somebody else. Never true.
   */
  success: false | null;
  /** Where `success` is false, as in the hub's word on a late answer. */
  code?: TooLate["code"];
  error?: TooLate["error"];
  answeredBy: string;
  status: FinalRequest["status"];
  request: FinalRequest;
}

/** A later proposal for the same request took this one's place before the hub said anything to it. */
export interface ReplacedVerdict {
  via: "replaced";
  key: string;
  requestId: string;
  /** False if the later one counted. Null otherwise: this one may have been sent, and its verdict lost with a connection. */
  success: false | null;
  code: "replaced";
  error: "Replaced";
  /** The key of the later one. */
  by: string;
}

/**
 * The connection ended for good before the hub said anything. If the proposal was sent it may have counted. It is still in the
 * document: whoever connects that again sends it again, and `verdictOf` waits for the verdict anew.
 */
export interface ClosedVerdict {
  via: "closed";
  key: string;
  requestId: string;
  success: null;
  /** 4400 to 4499 if the hub ended it; 1000 if `destroy` did. */
  code: number;
  reason: string;
}

/** Whether the hub has judged the proposal; if it has not, the proposal is sent again. */
export function isFinalVerdict(verdict: HubVerdict): verdict is FinalHubVerdict {
  return verdict.success || !(TRANSIENT as readonly ProblemCode[]).includes(verdict.code);
}

/** Reads a verdict whose message type has been read already. */
export function readVerdict(reader: ByteReader): HubVerdict {
  const length = readVarUint(reader);
  const end = reader.pos + length;
  if (end > reader.arr.length) throw new Error("a verdict ends before its time");
  const text = new TextDecoder().decode(reader.arr.subarray(reader.pos, end));
  reader.pos = end;
  const verdict = JSON.parse(text) as Message | null;
  if (typeof verdict?.key !== "string" || typeof verdict.success !== "boolean") throw new Error(`this is no verdict: ${text}`);
  return { ...verdict, via: "verdict" } as HubVerdict;
}

/** Reads a whole message, or nothing if it is of another type. */
export function decodeVerdict(message: Uint8Array): HubVerdict | undefined {
  const reader = { arr: message, pos: 0 };
  return readVarUint(reader) === VERDICT_MESSAGE ? readVerdict(reader) : undefined;
}
