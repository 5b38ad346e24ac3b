// Date (F8): a real calendar day, written `YYYY-MM-DD`.

import type { DateQuestion } from "../generated/request.js";
import { single, type Reader } from "../question.js";
import { keep, Refusal } from "../rule.js";
import { quote } from "../show.js";

export const readDate: Reader<"date"> = (question, given) => {
  const written = single(given);
  const { min, max } = question;
  const passes = () => expected(question);
  if (!isDay(written)) throw new Refusal("date", `${quote(written)} is not a calendar day written YYYY-MM-DD`, passes());
  // Days in their written form are in the order of the calendar.
  keep("min", min === undefined || written >= min, () => [`${written} is too early`, passes()]);
  keep("max", max === undefined || written <= max, () => [`${written} is too late`, passes()]);
  return { written };
};

/** Exactly ten characters, years 0001 to 9999: what a native date picker can give. */
function isDay(text: string): boolean {
  const shaped = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!shaped) return false;
  const [year, month, day] = [Number(shaped[1]), Number(shaped[2]), Number(shaped[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
}

function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

function expected({ min, max }: DateQuestion): string {
  if (min !== undefined && max !== undefined) return `a day from ${min} to ${max}`;
  if (min !== undefined) return `a day from ${min} on`;
  return max === undefined ? "a day such as 2026-02-28" : `a day up to ${max}`;
}
