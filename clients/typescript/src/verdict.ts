// What becomes of a proposal, and how the hub's word on it is read.

import { readVarUint, type ByteReader } from "./bytes.js";
import type { EndedError } from "./ending.js";
import type { AskbackOutcome } from "./generated/outcome.js";
import type { FinalRequest, FinalStatus } from "./requests.js";

/** The type of the message that carries a verdict. */
export const VERDICT_MESSAGE = 100;

/** What is wrong with a proposal, in the hub's words. */
export interface HubProblem {
  path: string;
  rule: string;
  message: string;
  /** What would pass, as a phrase. */
  expected: string;
}

/** What a promise of a verdict resolves to. */
export type Verdict = Exclude<HubVerdict, TryAgain> | DocumentVerdict | ReplacedVerdict | ClosedVerdict;

/** The hub's own word, told apart by `success` and then by `error`. */
export type HubVerdict = Counted | TooLate | AnswerNotValid | ProposalNotValid | RequestNotFound | NotAllowed | TryAgain;

/** Which proposal the hub speaks of. */
interface OfHub {
  via: "verdict";
  key: string;
  /** None if what was proposed has none. */
  requestId: string | null;
}

/** This proposal is what ended the request. */
export interface Counted extends OfHub {
  success: true;
  status: FinalStatus;
  outcome: AskbackOutcome;
}

/** Somebody was faster, or time was. */
export interface TooLate extends OfHub {
  success: false;
  error: EndedError;
  answeredBy: string;
  status: FinalStatus;
  outcome: AskbackOutcome;
}

/** The answer breaks a rule of its question. The request is still pending. */
export interface AnswerNotValid extends OfHub {
  success: false;
  error: "Answer not valid";
  status: "pending";
  problems: HubProblem[];
}

/** What stands under the key is no proposal. */
export interface ProposalNotValid extends OfHub {
  success: false;
  error: "Proposal not valid";
  problems: HubProblem[];
}

/** There is no such request in this room. */
export interface RequestNotFound extends OfHub {
  success: false;
  error: "Request not found";
}

/** The token may not do this. */
export interface NotAllowed extends OfHub {
  success: false;
  error: "Not allowed";
  message: string;
}

/** The hub could not judge just now. It is asked again by itself; only `onVerdict` hears of it. */
export interface TryAgain extends OfHub {
  success: false;
  error: "Try again";
  message: string;
}

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
  error?: EndedError;
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

/** Whether the hub has judged: after "Try again" the proposal is sent again. */
export function isFinalVerdict(verdict: HubVerdict): verdict is Exclude<HubVerdict, TryAgain> {
  return verdict.success || verdict.error !== "Try again";
}

/** Reads a verdict whose message type has been read already. */
export function readVerdict(reader: ByteReader): HubVerdict {
  const length = readVarUint(reader);
  const end = reader.pos + length;
  if (end > reader.arr.length) throw new Error("a verdict ends before its time");
  const text = new TextDecoder().decode(reader.arr.subarray(reader.pos, end));
  reader.pos = end;
  const verdict = JSON.parse(text) as HubVerdict;
  if (typeof verdict?.key !== "string" || typeof verdict.success !== "boolean") throw new Error(`this is no verdict: ${text}`);
  return { ...verdict, via: "verdict" };
}

/** Reads a whole message, or nothing if it is of another type. */
export function decodeVerdict(message: Uint8Array): HubVerdict | undefined {
  const reader = { arr: message, pos: 0 };
  return readVarUint(reader) === VERDICT_MESSAGE ? readVerdict(reader) : undefined;
}
