// What is selected of a choice, in the order in which it was (F4), and what Other says.

import { checkAnswer, OTHER_PLACEHOLDER, type ChoiceQuestion } from "@askback/client";
import type { Entry } from "./control";

export interface Selection {
  /** Values of options, and the placeholder where Other stands. */
  selections: readonly string[];
  /** Other's text; there if, and only if, Other is selected. */
  custom?: string;
}

/** What is selected at first: what the asker has filled in, if that passes. */
export function beginSelection({ initial, ...question }: ChoiceQuestion): Selection {
  const checked = initial === undefined ? undefined : checkAnswer(question, initial);
  if (!checked?.ok) return { selections: [] };
  const { selections = [], custom } = checked;
  if (custom === undefined) return { selections };
  return { selections: selections.map((value) => (value === custom ? OTHER_PLACEHOLDER : value)), custom };
}

/** An entry may come from an older page, and then as a text. */
export function selectionOf(entry: Entry): Selection {
  if (typeof entry === "string") return { selections: entry === "" ? [] : [entry] };
  const { selections, custom } = entry;
  return typeof custom === "string" && selections.includes(OTHER_PLACEHOLDER) ? { selections, custom } : { selections };
}

/** After an option, or Other with its text, was chosen: instead of what was, or added to it; or taken away. */
export function toggled(question: ChoiceQuestion, selection: Selection, value: string, custom: string): Selection {
  const { selections } = selection;
  const isTakenAway = question.multiSelect === true && selections.includes(value);
  if (isTakenAway) return withCustom(selections.filter((selected) => selected !== value), selection.custom ?? "");
  const after = question.multiSelect === true ? [...selections, value] : [value];
  return withCustom(after, value === OTHER_PLACEHOLDER ? custom : (selection.custom ?? ""));
}

/** Other's text without Other would be taken for Other. */
function withCustom(selections: readonly string[], custom: string): Selection {
  return selections.includes(OTHER_PLACEHOLDER) ? { selections, custom } : { selections };
}
