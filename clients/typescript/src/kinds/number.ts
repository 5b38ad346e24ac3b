// Number (F6): one finite number, its bounds and steps checked in exact decimals.

import { isOnStep, parseNumber } from "../decimal.js";
import { checkTyped, FREE_TEXT_LENGTH } from "../free-text.js";
import type { NumberQuestion } from "../generated/request.js";
import { single, type Reader } from "../question.js";
import { keep, Refusal } from "../rule.js";
import { quote } from "../show.js";

export const readNumber: Reader<"number"> = (question, given) => {
  const text = single(given).trim();
  const passes = () => expected(question);
  checkTyped(text, FREE_TEXT_LENGTH, passes);
  const number = parseNumber(text);
  if (number === undefined) {
    throw new Refusal("number", `${quote(text)} is not a finite number written like -1, 0.5 or 1e3`, passes());
  }
  const { min, max, step, integer } = question;
  const written = String(number);
  keep("integer", !integer || Number.isInteger(number), () => [`${written} is not whole`, passes()]);
  keep("min", min === undefined || number >= min, () => [`${written} is too small`, passes()]);
  keep("max", max === undefined || number <= max, () => [`${written} is too large`, passes()]);
  const onStep = step === undefined || isOnStep(number, min ?? 0, step);
  keep("step", onStep, () => [`${written} is between two steps`, passes()]);
  return { written };
};

function expected({ min, max, step, integer }: NumberQuestion): string {
  const both = min !== undefined && max !== undefined;
  return [
    integer ? "a whole number" : "a number",
    min === undefined ? "" : ` ${both ? "from" : "of at least"} ${min}`,
    max === undefined ? "" : ` ${both ? "to" : "of at most"} ${max}`,
    step === undefined ? "" : ` in steps of ${step}`,
  ].join("");
}
