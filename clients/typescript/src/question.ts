// Questions as they stand in a request, and answers as they are given to them.

import type { AskbackRequest } from "./generated/request.js";
import { Refusal } from "./rule.js";
import { quote } from "./show.js";

/** A question of any kind. */
export type Question = Extract<AskbackRequest, { questions: readonly { type: string }[] }>["questions"][number];

/** The name of a kind. */
export type KindName = Question["type"];

/** An answer nobody has checked yet: its written form, or a list with Other's text beside it. */
export type Given = string | Selected;

/** What was selected. `__other__`, or the custom text itself, says where Other stands; otherwise it comes last. */
export interface Selected {
  selections: readonly string[];
  custom?: string | null;
}

/** An answer that passed its question's rules. */
export interface Accepted {
  /** The one string that stands for it everywhere. */
  written: string;
  /** What was chosen, in order, Other's text among it; only of a choice or a dropdown. */
  selections?: string[];
  /** Other's text, if Other was selected. */
  custom?: string;
}

/** Reads an answer to a question of one kind, or throws the refusal. */
export type Reader<Kind extends KindName> = (question: Extract<Question, { type: Kind }>, given: Given) => Accepted;

/** The one text of a kind that has neither a list nor Other. */
export function single(given: Given): string {
  if (typeof given === "string") return given;
  if (given.custom) throw new Refusal("answers", "the question has no Other", "one text, and no custom one");
  const [only, ...more] = given.selections;
  if (only !== undefined && more.length === 0) return only;
  throw new Refusal("answers", `${given.selections.length} selections for a question that takes one answer`, "one text");
}

/** One of a few words, exactly as written. */
export function chooseWord(given: Given, words: readonly [string, string]): Accepted {
  const written = single(given);
  if (words.includes(written)) return { written };
  throw new Refusal("word", `${quote(written)} is neither ${words.join(" nor ")}`, words.join(" or "));
}
