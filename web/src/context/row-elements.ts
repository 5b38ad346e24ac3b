// The elements of rows: each line with its number, its hidden characters as marks, and the blanks at its end visible.

import { showPieces } from "@askback/client";
import { contextTexts } from "../texts/context";
import type { Height } from "./heights";
import type { Row, RowFile } from "./rows";

/** Code reads from the left whatever it says; a text begins where its first letter says. */
export type Reads = "as code" | "as text";

/** The element of a group of blocks. */
export function groupElement(): HTMLElement {
  return element("div", "rows-group");
}

/** The elements of a block of rows, under the name of the file that begins there. */
export function blockElement(rows: readonly Row[], height: Height, reads: Reads): HTMLElement {
  const block = element("div", `rows-block ${height.classes()}`);
  const file = rows[0]?.file;
  if (file) block.append(fileHeading(file));
  const code = document.createElement("code");
  for (const row of rows) code.append(rowElement(row, reads));
  const pre = element("pre", "rows");
  if (reads === "as code") pre.dir = "ltr";
  pre.append(code);
  block.append(pre);
  return block;
}

function rowElement(row: Row, reads: Reads): HTMLElement {
  const shown = element("span", `row row-${row.kind}`);
  if (reads === "as text") shown.dir = "auto";
  // Not by `dataset`, which is one more object for each of very many rows.
  if (row.line !== undefined) shown.setAttribute("data-line", String(row.line));
  if (row.lineBefore !== undefined) shown.setAttribute("data-before", String(row.lineBefore));
  if (row.goesOn) shown.setAttribute("data-goes-on", "");
  const end = endOfWords(row);
  const isAll = end === row.text.length;
  appendShown(shown, row.text.slice(0, end), "block", isAll ? "\n" : "");
  if (isAll) return shown;
  const trailing = element("span", "trailing");
  appendShown(trailing, row.text.slice(end), "block");
  shown.append(trailing, "\n");
  return shown;
}

/** Where the blanks at the end of the line begin. The sign of an unchanged line in a diff is no such blank. */
function endOfWords({ text, goesOn }: Row): number {
  if (goesOn || text === " ") return text.length;
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
  return end;
}

/** As `Shown` does it, without a component for each row; then `after`, in the same node if there is one. */
function appendShown(to: HTMLElement, text: string, layout: "line" | "block", after = ""): void {
  let last = "";
  for (const piece of showPieces(text, layout, "exact")) {
    if (last) to.append(last);
    last = piece.isMark ? "" : piece.text;
    if (piece.isMark) {
      const mark = element("mark", "hidden-character");
      mark.append(piece.text);
      to.append(mark);
    }
  }
  // Beside the pieces: after a carriage return it would be an ordinary line end, and hide it.
  if (last || after) to.append(last + after);
}

function fileHeading(file: RowFile): HTMLElement {
  const name = document.createElement("bdi");
  appendShown(name, file.name === "" ? contextTexts.noName : file.name, "line");
  const heading = document.createElement("h3");
  heading.dir = "ltr";
  heading.append(name);
  const added = element("span", "count-added");
  added.append(contextTexts.added(file.added));
  const removed = element("span", "count-removed");
  removed.append(contextTexts.removed(file.removed));
  const whole = element("div", "file-heading context-ours");
  whole.append(heading, added, " ", removed);
  return whole;
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, className: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = className;
  return made;
}
