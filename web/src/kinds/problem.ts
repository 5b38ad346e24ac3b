// What is wrong with an entry and what would pass, in words for the person in front of it.

import { checkAnswer, FREE_TEXT_LENGTH, type Checked, type KindName, type Question } from "@askback/client";
import { kindsTexts } from "../texts/kinds";
import { texts } from "../texts/page";
import { captionOf, captionText } from "./caption";
import type { Entry, Problem } from "./control";

/** Kinds in which something is chosen, so that an empty entry is no wrong text but a choice not yet made. */
const CHOSEN: readonly KindName[] = ["approval", "choice", "confirm", "date", "dropdown", "rating"];

/** What the rules say, where they can say it well. */
export function problemOf(question: Question, entry: Entry, checked: Checked): Problem | undefined {
  if (checked.ok) return undefined;
  const { message, expected } = checked;
  // Its rule names options by their values, and the person sees their labels.
  if (question.type === "dropdown" && entry !== "") return { message, expected: kindsTexts.chooseFromList };
  const isEmpty = typeof entry === "string" ? entry === "" : entry.selections.length === 0;
  if (!isEmpty || !CHOSEN.includes(question.type)) return { message, expected };
  return { message: kindsTexts.nothingChosen, expected: expectedChoice(question) ?? expected };
}

/** What to choose by what the person sees, not by how it is written. */
function expectedChoice(question: Question): string | undefined {
  if (question.type === "dropdown") return kindsTexts.chooseFromList;
  if (question.type === "confirm") return kindsTexts.either(texts.labels.yes, texts.labels.no);
  if (question.type !== "approval") return undefined;
  return kindsTexts.either(captionText(captionOf(question, "approve")), captionText(captionOf(question, "reject")));
}

/** What is expected, as a phrase, where the question and its control do not say it themselves. */
export function hintOf(question: Question): string | undefined {
  if (!isHintUseful(question)) return undefined;
  if (question.type === "text") return kindsTexts.atMost(question.maxLength ?? FREE_TEXT_LENGTH);
  // What would pass instead of nothing is what is expected.
  const checked = checkAnswer(question, "");
  return checked.ok ? undefined : checked.expected;
}

function isHintUseful(question: Question): boolean {
  switch (question.type) {
    case "text":
      return question.maxLength !== undefined;
    case "number":
      return [question.min, question.max, question.step, question.integer || undefined].some((rule) => rule !== undefined);
    case "email":
      return question.domain !== undefined;
    case "date":
      return question.min !== undefined || question.max !== undefined;
    default:
      return false;
  }
}

/** What is wrong and what would pass, in two sentences. */
export function inSentences({ message, expected }: Problem): string {
  return kindsTexts.problem(sentence(message), ended(expected));
}

/** Begins with a capital letter and ends with a full stop. */
export function sentence(phrase: string): string {
  return ended(phrase.charAt(0).toUpperCase() + phrase.slice(1));
}

function ended(phrase: string): string {
  return /[.!?…]$/.test(phrase) ? phrase : `${phrase}.`;
}
