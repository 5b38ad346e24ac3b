// Whether what there is to look at is long, so that what is below it is not in view beside its beginning.

import type { Context } from "./reading";

/** Letters in a line of text on a desk. */
const COLUMNS = 80;

/** About the height of a line, in pixels, and the share of the window that a context may take before what is below it is out of view. */
const LINE_PX = 20;
const SHORT = 0.5;

/** Whether the contexts together are. */
export function areLong(contexts: readonly Context[]): boolean {
  const most = (window.innerHeight * SHORT) / LINE_PX;
  let lines = 0;
  for (const { text } of contexts) {
    for (let at = 0; at < text.length && lines <= most; lines += 1) {
      // A line that is longer goes on in the next.
      const end = text.slice(at, at + COLUMNS).indexOf("\n");
      at += end < 0 ? COLUMNS : end + 1;
    }
  }
  return lines > most;
}
