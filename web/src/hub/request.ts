// A request as the screens see it, whether it comes from the room's document or over HTTP.

import {
  isFinal,
  type Api,
  type AskbackRequest,
  type Envelope,
  type FinalRequest,
  type FinalStatus,
  type Outcome,
  type PendingRequest,
  type Question,
} from "@askback/client";
import { texts } from "../texts/page";

export type Context = NonNullable<Envelope["context"]>[number];
export type Surface = NonNullable<Outcome["surface"]>;

/** How a request ended. */
export interface Ended {
  status: FinalStatus;
  /** One for each question, or none. */
  responses: readonly string[];
  by: string;
  at: string;
  surface: Surface;
  reason: string | undefined;
  isDefault: boolean;
}

export interface RequestView {
  id: string;
  room: string;
  asker: string;
  from: string | undefined;
  title: string | undefined;
  questions: readonly Question[];
  context: readonly Context[];
  createdAt: string;
  expiresAt: string | undefined;
  /** What the asker takes if nobody answers in time. */
  defaults: readonly string[] | undefined;
  ended: Ended | undefined;
  /** Whether all of it is here: the document leaves out what is large, and the context of what has ended. */
  isWhole: boolean;
  /** As the client's functions take it. */
  item: PendingRequest | FinalRequest;
}

/** Items stay the same objects for as long as they don't change, and so do views. */
const views = new WeakMap<PendingRequest | FinalRequest, RequestView>();

export function viewOf(item: PendingRequest | FinalRequest): RequestView {
  const known = views.get(item);
  if (known) return known;
  const view = build(item);
  views.set(item, view);
  return view;
}

function build(item: PendingRequest | FinalRequest): RequestView {
  const questions = item.type === "form" ? (item.questions ?? []) : [item];
  const title = titleOf(item.title, questions);
  return {
    id: item.id,
    room: item.room,
    asker: item.asker,
    from: item.from,
    title,
    questions: questions.map((question) => withoutEcho(question, title)),
    context: item.context ?? [],
    createdAt: item.createdAt,
    expiresAt: item.expiresAt,
    defaults: item.onTimeout?.default,
    ended: isFinal(item) ? endOf(item) : undefined,
    isWhole: !item.omitted && !isFinal(item),
    item,
  };
}

/** The title of a request, unless it repeats its only question. */
function titleOf(title: string | undefined, questions: readonly Question[]): string | undefined {
  const [only, ...more] = questions;
  return more.length === 0 && only?.message === title ? undefined : title;
}

/** The question without a header that repeats the title above it or the message below it. */
function withoutEcho(question: Question, title: string | undefined): Question {
  if (question.header === undefined || (question.header !== title && question.header !== question.message)) return question;
  const { header: _echo, ...rest } = question;
  return rest as Question;
}

function endOf(item: FinalRequest): Ended {
  return {
    status: item.status,
    responses: item.responses ?? (item.response == null ? [] : [item.response]),
    by: item.answeredBy,
    at: item.answeredAt,
    surface: item.surface,
    reason: item.reason,
    isDefault: item.byDefault ?? false,
  };
}

/** What a request is called: its title, or what it asks first. */
export function nameOf(view: RequestView): string {
  return view.title ?? view.questions[0]?.message ?? view.item.message;
}

/** Characters that may pass for the end of a quotation. The hub has the same list in `show.rs`. */
const DOUBLE_QUOTATION_MARKS =
  /["\u{ab}\u{bb}\u{2ba}\u{2dd}\u{2ee}\u{2f5}\u{2f6}\u{5f4}\u{201c}-\u{201f}\u{2033}\u{2036}\u{275d}\u{275e}\u{2760}\u{276e}\u{276f}\u{2e42}\u{3003}\u{300a}\u{300b}\u{301d}-\u{301f}\u{ff02}\u{1f676}-\u{1f678}]/gu;

/**
 * The claim of a request (`from`), if it differs from the name of its token. It may be any text, and stands in quotes, which it
 * can't end by itself.
 */
export function claimOf(view: RequestView): string | undefined {
  return view.from === view.asker ? undefined : view.from?.replaceAll(DOUBLE_QUOTATION_MARKS, "'");
}

/** The asker as plain text: the token's name, and the claim beside it. */
export function askerOf(view: RequestView): string {
  const claim = claimOf(view);
  return claim === undefined ? view.asker : `${view.asker} (${texts.request.callsItself} "${claim}")`;
}

/** The form in which the hub returns every request, whatever form it was asked in. */
type CanonicalRequest = Extract<AskbackRequest, { questions: readonly Question[] }>;

export function viewOfRecord(record: Api.Record): RequestView {
  const { outcome } = record;
  const request = record.request as CanonicalRequest;
  const { questions, title, from, context } = request;
  const [first, ...more] = questions;
  const asked = first && more.length === 0
    ? { ...first, questionId: first.id ?? "1" }
    : { type: "form" as const, message: title ?? first?.message ?? "", questions };
  const about = { id: record.id, room: record.room, asker: record.asker, title, from, context, createdAt: record.createdAt };
  const until = record.expiresAt === null ? {} : { expiresAt: record.expiresAt };
  const pending = { ...asked, ...about, ...until, onTimeout: request.onTimeout, status: "pending" } as PendingRequest;
  return { ...build(pending), ended: outcome ? endOfOutcome(outcome) : undefined, isWhole: true };
}

export function endOfOutcome(outcome: Outcome): Ended | undefined {
  const { status, surface, answeredAt } = outcome;
  if (status === "pending" || surface === null || answeredAt === null) return undefined;
  return {
    status,
    responses: outcome.answers.map((answer) => answer.response),
    by: outcome.answeredBy ?? "",
    at: answeredAt,
    surface,
    reason: outcome.reason ?? undefined,
    isDefault: outcome.byDefault,
  };
}
