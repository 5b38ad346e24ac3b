// Whether what there is to look at is long, so that what is below it is not in view beside its beginning.

import type { Context } from "./reading";

/** Letters in a line of text at most, the width of one in pixels, and the fewest: a phone has few. */
const COLUMNS = 80;
const LETTER_PX = 9;
const FEWEST_COLUMNS = 16;

/** Lines that the heading and the edges of a context take, and on a phone, where the buttons of the heading are below it. */
const HEADING_LINES = 3;
const NARROW_HEADING_LINES = 6;

/** About the height of a line, in pixels, and the share of the window that a context may take before what is below it is out of view. */
const LINE_PX = 20;
const SHORT = 0.5;

/** Whether the contexts together are. */
export function areLong(contexts: readonly Context[]): boolean {
  const most = (window.innerHeight * SHORT) / LINE_PX;
  const columns = Math.min(COLUMNS, Math.max(FEWEST_COLUMNS, Math.floor(window.innerWidth / LETTER_PX)));
  const heading = columns < COLUMNS ? NARROW_HEADING_LINES : HEADING_LINES;
  let lines = 0;
  for (const { text } of contexts) {
    lines += heading;
    for (let at = 0; at < text.length && lines <= most; lines += 1) {
      // A line that is longer goes on in the next.
      const end = text.slice(at, at + columns).indexOf("\n");
      at += end < 0 ? columns : end + 1;
    }
  }
  return lines > most;
}
