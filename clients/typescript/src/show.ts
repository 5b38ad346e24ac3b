// The one way agent text reaches a screen: what would act on the screen, or hide from it, becomes a visible mark.

import { INVISIBLE } from "./text.js";

/** How much room the text has: in a line, line breaks and tabs are marked too. */
export type Layout = "line" | "block";

/** What the reader does with it: reads it, or approves exactly this, where every invisible character is marked. */
export type Purpose = "prose" | "exact";

/** Code points of somebody's text that a message of ours quotes. */
const QUOTED_LENGTH = 60;

const BIDI = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";

/** Invisible alone, but emoji and many scripts are wrong without them. */
const SHAPES_ITS_NEIGHBOURS = "\\u200c\\u200d\\ufe00-\\ufe0f\\u034f\\u00ad";

const HIDDEN = {
  prose: new RegExp(`[\\p{Cc}${BIDI}]|(?![${SHAPES_ITS_NEIGHBOURS}])[${INVISIBLE}]`, "gu"),
  exact: new RegExp(`[\\p{Cc}${INVISIBLE}]|(?! )\\s`, "gu"),
};

/** A stretch of text as it is, or the mark of one character that would not be seen. */
export interface Piece {
  text: string;
  isMark: boolean;
}

/** `text` with every hidden character written as `<U+202E>`. It is still text: HTML needs its own escaping. */
export function show(text: string, layout: Layout, purpose: Purpose): string {
  return lines(text, layout).replace(HIDDEN[purpose], (character) => (stays(character, layout) ? character : mark(character)));
}

/** The same in pieces, for a screen on which a mark looks different from text that spells one. */
export function showPieces(text: string, layout: Layout, purpose: Purpose): Piece[] {
  const whole = lines(text, layout);
  const pieces: Piece[] = [];
  let from = 0;
  const add = (text: string, isMark: boolean) => text === "" || pieces.push({ text, isMark });
  for (const { 0: character, index } of whole.matchAll(HIDDEN[purpose])) {
    if (stays(character, layout)) continue;
    add(whole.slice(from, index), false);
    add(mark(character), true);
    from = index + character.length;
  }
  add(whole.slice(from), false);
  return pieces;
}

function stays(character: string, layout: Layout): boolean {
  return layout === "block" && (character === "\n" || character === "\t");
}

/** A carriage return before a line feed is an ordinary line end; alone it would overwrite the line. */
function lines(text: string, layout: Layout): string {
  return layout === "block" ? text.replace(/\r\n/g, "\n") : text;
}

/** `text` in quotes, on one line and not too long, for use inside a sentence of ours. */
export function quote(text: string): string {
  // Two units at most make a code point, so a long text need not be taken apart as a whole.
  const points = [...text.slice(0, 2 * QUOTED_LENGTH + 2)];
  const head = points.slice(0, QUOTED_LENGTH).join("");
  return `"${show(head, "line", "exact")}${head.length < text.length ? "…" : ""}"`;
}

function mark(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `<U+${point.toString(16).toUpperCase().padStart(4, "0")}>`;
}
