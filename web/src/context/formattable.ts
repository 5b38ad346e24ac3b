// Whether a Markdown text is formatted at all, decided before the lexer sees it.

import { showPieces } from "@askback/client";
import {
  DEEPEST_NESTING,
  LONGEST_FORMATTED,
  MOST_EMPHASIS_WORK,
  MOST_FORMATTED_LINES,
  MOST_FORMATTED_MARKS,
  MOST_PARAGRAPH_WORK,
} from "./limits";

/** What begins a quote or an item of a list. */
const CONTAINER = "(?:>|(?:[-+*]|\\d{1,9}[.)])(?=[ \\t]|$))";
const DEEP_IN_A_LINE = new RegExp(`^(?:[ \\t]*${CONTAINER}){${DEEPEST_NESTING}}`, "m");
const DEEP_BY_INDENTATION = new RegExp(`^(?:  |\\t){${DEEPEST_NESTING},}[ \\t]*${CONTAINER}`, "m");

/** What surely ends a paragraph: a blank line, or an item of a list that says something. */
const END_OF_PARAGRAPH = /\n[ \t]*\n|\n(?= {0,3}[-+*][ \t]+[^\s])/;

const EMPHASIS = /\*+|_+|~+/g;

export function isFormattable(text: string): boolean {
  if (text.length > LONGEST_FORMATTED) return false;
  // A carriage return alone would overwrite the line on a terminal; the lexer would make an ordinary line end of it.
  if (/\r(?!\n)/.test(text)) return false;
  const source = text.replaceAll("\r\n", "\n");
  if (DEEP_IN_A_LINE.test(source) || DEEP_BY_INDENTATION.test(source)) return false;
  if (source.split("\n").length > MOST_FORMATTED_LINES) return false;
  return isQuicklyRead(source) && showPieces(source, "block", "exact").length <= 2 * MOST_FORMATTED_MARKS;
}

function isQuicklyRead(source: string): boolean {
  let work = 0;
  let emphasis = 0;
  for (const paragraph of source.split(END_OF_PARAGRAPH)) {
    work += paragraph.length ** 2;
    emphasis += (paragraph.match(EMPHASIS)?.length ?? 0) ** 2;
  }
  return work <= MOST_PARAGRAPH_WORK && emphasis <= MOST_EMPHASIS_WORK;
}
