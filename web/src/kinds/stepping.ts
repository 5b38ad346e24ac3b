// Where a number goes by one step, in exact decimals and within its bounds.

import { isOnStep, nextOnStep, parseNumber, type NumberQuestion } from "@askback/client";

export type Direction = "up" | "down";

/** Steps tried to find a whole number among those on the question's step. */
const TRIES = 1_000;

/** The text after one step, or nothing where there is no such step: at a bound, or if the text is no number. */
export function stepped(question: NumberQuestion, text: string, direction: Direction): string | undefined {
  const isEmpty = text.trim() === "";
  const number = isEmpty ? 0 : parseNumber(text.trim());
  if (number === undefined) return undefined;
  const to = isEmpty ? begun(question, direction) : within(question, next(question, number, direction), direction);
  if (to === undefined) return undefined;
  // Only in the direction asked for, unless it is back to where numbers pass.
  const goesOn = direction === "up" ? to > number : to < number;
  return isEmpty || goesOn ? String(to) : undefined;
}

/** The text with the other sign. */
export function negated(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith("-") ? trimmed.slice(1) : `-${trimmed}`;
}

/** The first number from an empty field: the bound that is left in that direction, else one step from 0. */
function begun(question: NumberQuestion, direction: Direction): number | undefined {
  const bound = direction === "up" ? question.min : question.max;
  const start = bound ?? next(question, 0, direction);
  return start === undefined ? undefined : within(question, nearest(question, start, direction), direction);
}

/** The next number that is on the step and whole where it has to be. */
function next(question: NumberQuestion, number: number, direction: Direction): number | undefined {
  if (question.step === undefined) {
    return nextOnStep(number, question.integer ? 0 : number, 1, direction);
  }
  let to = number;
  for (let tried = 0; tried < TRIES; tried += 1) {
    to = nextOnStep(to, question.min ?? 0, question.step, direction);
    if (!question.integer || Number.isInteger(to)) return to;
  }
  return undefined;
}

/** The number itself if it is one to stop at, else the next. */
function nearest(question: NumberQuestion, number: number, direction: Direction): number | undefined {
  const isOn = question.step === undefined || isOnStep(number, question.min ?? 0, question.step);
  const isWhole = !question.integer || Number.isInteger(number);
  return isOn && isWhole ? number : next(question, number, direction);
}

/** The number, or the last one to stop at before the bound that it is beyond. */
function within(question: NumberQuestion, number: number | undefined, direction: Direction): number | undefined {
  const { min, max } = question;
  if (number === undefined) return undefined;
  if (min !== undefined && number < min) return nearest(question, min, "up");
  if (max !== undefined && number > max) return nearest(question, max, "down");
  return Number.isFinite(number) ? number : direction === "up" ? max : min;
}
