// Whether a Markdown text is formatted at all, decided before the lexer sees it.

import { showPieces } from "@askback/client";
import { DEEPEST_NESTING, LONGEST_FORMATTED, MOST_FORMATTED_LINES, MOST_FORMATTED_MARKS } from "./limits";

/** What begins a quote or an item of a list. */
const CONTAINER = "(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]|$))";
const DEEP_IN_A_LINE = new RegExp(`^(?:[ \\t]*${CONTAINER}){${DEEPEST_NESTING}}`, "m");
const DEEP_BY_INDENTATION = new RegExp(`^(?:  |\\t){${DEEPEST_NESTING}}[ \\t]*${CONTAINER}`, "m");

export function isFormattable(text: string): boolean {
  if (text.length > LONGEST_FORMATTED) return false;
  // A carriage return alone would overwrite the line on a terminal; the lexer would make an ordinary line end of it.
  if (/\r(?!\n)/.test(text)) return false;
  const source = text.replaceAll("\r\n", "\n");
  if (DEEP_IN_A_LINE.test(source) || DEEP_BY_INDENTATION.test(source)) return false;
  if (source.split("\n").length > MOST_FORMATTED_LINES) return false;
  return showPieces(source, "block", "exact").length <= 2 * MOST_FORMATTED_MARKS;
}
