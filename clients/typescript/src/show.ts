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

/** `text` with every hidden character written as `<U+202E>`. It is still text: HTML needs its own escaping. */
export function show(text: string, layout: Layout, purpose: Purpose): string {
  const stays = (character: string) => layout === "block" && (character === "\n" || character === "\t");
  // A carriage return before a line feed is an ordinary line end; alone it would overwrite the line.
  const lines = layout === "block" ? text.replace(/\r\n/g, "\n") : text;
  return lines.replace(HIDDEN[purpose], (character) => (stays(character) ? character : mark(character)));
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
