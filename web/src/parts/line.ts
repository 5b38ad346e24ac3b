// Text of others where only a text can stand: in titles, notifications, names for screen readers.

import { show } from "@askback/client";

/** On one line, with every hidden character marked. */
export function line(text: string): string {
  return show(text, "line", "exact");
}

/** The same, and not too long. */
export function shortLine(text: string, length: number): string {
  const points = [...text.slice(0, 2 * length + 2)];
  return line(points.slice(0, length).join("")) + (points.length > length ? "…" : "");
}
