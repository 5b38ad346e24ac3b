// What a control of any kind is given, and what it gives back.

import type { Checked, Given, KindName, Question } from "@askback/client";
import type { ComponentType } from "preact";

/** A question of one kind. */
export type QuestionOf<Kind extends KindName> = Extract<Question, { type: Kind }>;

/** What is entered in the control of one question so far, whether it passes or not. */
export type Entry = Given;

export interface ControlProps<Kind extends KindName> {
  question: QuestionOf<Kind>;
  entry: Entry;
  onEnter: (entry: Entry) => void;
  /** What the rules say of the entry. */
  checked: Checked;
  /** Whether the person has been there, so that what is wrong should be seen. */
  isProblemShown: boolean;
  /** Begins the ids of its elements, so that none is there twice. */
  id: string;
  /** The element with the question's text. */
  labelledBy: string;
  /** The elements with hints and with what is wrong. */
  describedBy: string | undefined;
  /** Answers the whole request with this, by the control that was pressed; there only if the question is alone. */
  onDecide?: ((given: Given, control: Element) => void) | undefined;
  /** Says what is wrong in better words than the rules have, who see only the entry; or that it no longer is. */
  onProblem?: ((problem: Problem | undefined) => void) | undefined;
}

/** What is wrong with an entry, and what would pass, as a phrase. */
export type Problem = Pick<Extract<Checked, { ok: false }>, "message" | "expected">;

/** The control of one kind. */
export interface Control<Kind extends KindName> {
  Field: ComponentType<ControlProps<Kind>>;
  /** What is entered before the person does anything. */
  begin: (question: QuestionOf<Kind>) => Entry;
  /** Whether a question that is alone is answered by the control's own buttons, without one to send it. */
  decides: "by itself" | "when sent";
  /** Whether it is one field, with the id `fieldId`, or a group of several. */
  shape: "field" | "group";
}

/** The id of the element that a label names, of a control that is one field. */
export function fieldId(id: string): string {
  return `${id}-field`;
}

/** What is entered as a text, of a kind that has no list. */
export function textOf(entry: Entry): string {
  return typeof entry === "string" ? entry : (entry.selections[0] ?? "");
}
