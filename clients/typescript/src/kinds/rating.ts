// Rating (F10): a whole number on a short scale.

import { single, type Reader } from "../question.js";
import { keep, Refusal } from "../rule.js";
import { quote } from "../show.js";

/** What has no room in 64 bits is no whole number to the hub, and so to nobody. */
const LONGEST = "-9223372036854775808".length;

export const readRating: Reader<"rating"> = (question, given) => {
  const { min = 1, max = 5 } = question;
  const expected = `a whole number from ${min} to ${max}`;
  const written = single(given);
  // Only the written form itself: no "05", no "+5", no "5.0".
  const shaped = /^(?:0|-?[1-9]\d*)$/.test(written) && written.length <= LONGEST;
  const whole = shaped ? BigInt(written) : undefined;
  if (whole === undefined || BigInt.asIntN(64, whole) !== whole) {
    throw new Refusal("integer", `${quote(written)} is not a whole number`, expected);
  }
  keep("min", whole >= min, () => [`${written} is too low`, expected]);
  keep("max", whole <= max, () => [`${written} is too high`, expected]);
  return { written };
};
