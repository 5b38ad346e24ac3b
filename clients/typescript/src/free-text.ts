// The rules of what people type (F14), the same for texts, Other and reasons.

import { keep } from "./rule.js";
import { quote } from "./show.js";
import { isBlank, length } from "./text.js";

/** Code points of free text that a person types, unless the question sets less. */
export const FREE_TEXT_LENGTH = 10_000;

/** Which control characters a text takes. */
export type Controls = "none" | "tab" | "tab and line feed";

const REFUSED: Record<Controls, RegExp> = {
  none: /\p{Cc}/u,
  tab: /(?!\t)\p{Cc}/u,
  "tab and line feed": /(?![\t\n])\p{Cc}/u,
};

const EXPECTED: Record<Controls, string> = {
  none: "one line without control characters",
  tab: "one line without control characters other than tab",
  "tab and line feed": "text without control characters other than tab and line feed",
};

/** Something to read, not too long, and no control characters but those allowed. */
export function checkFreeText(given: string, maxLength: number, controls: Controls): void {
  checkTyped(given, maxLength, () => "something to read");
  keep("control", !REFUSED[controls].test(given), () => [`${quote(given)} has a control character`, EXPECTED[controls]]);
}

/** Something to read, and not too long to look at more closely. */
export function checkTyped(given: string, maxLength: number, expected: () => string): void {
  const points = length(given);
  keep("length", points <= maxLength, () => [`${points} characters are too many`, `at most ${maxLength} characters`]);
  keep("blank", !isBlank(given), () => ["the answer is blank", expected()]);
}

/** The text with every line end written as a line feed (F2). */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
