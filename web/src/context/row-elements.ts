// The elements of rows: each line with its number, its hidden characters as marks, and the blanks at its end visible.

import { showPieces } from "@askback/client";
import { contextTexts } from "../texts/context";
import { ROWS_OF_BLOCK } from "./limits";
import type { Row, RowFile } from "./rows";

/** Code reads from the left whatever it says; a text begins where its first letter says. */
export type Reads = "as code" | "as text";

/** The element of a group of blocks. */
export function groupElement(): HTMLElement {
  return element("div", "rows-group");
}

/** The elements of a block of rows, under the name of the file that begins there. */
export function blockElement(rows: readonly Row[], reads: Reads): HTMLElement {
  const block = element("div", rows.length === ROWS_OF_BLOCK ? "rows-block rows-full" : "rows-block");
  const file = rows[0]?.file;
  if (file) block.append(fileHeading(file));
  const code = document.createElement("code");
  for (const row of rows) code.append(rowElement(row, reads));
  const pre = element("pre", "rows");
  pre.append(code);
  block.append(pre);
  return block;
}

function rowElement(row: Row, reads: Reads): HTMLElement {
  const shown = element("span", `row row-${row.kind}`);
  shown.dir = reads === "as code" ? "ltr" : "auto";
  if (row.line !== undefined) shown.dataset["line"] = String(row.line);
  if (row.lineBefore !== undefined) shown.dataset["before"] = String(row.lineBefore);
  if (row.goesOn) shown.dataset["goesOn"] = "";
  const end = endOfWords(row);
  appendShown(shown, row.text.slice(0, end), "block");
  if (end < row.text.length) {
    const trailing = element("span", "trailing");
    appendShown(trailing, row.text.slice(end), "block");
    shown.append(trailing);
  }
  shown.append("\n");
  return shown;
}

/** Where the blanks at the end of the line begin. The sign of an unchanged line in a diff is no such blank. */
function endOfWords({ text, goesOn }: Row): number {
  if (goesOn || text === " ") return text.length;
  let end = text.length;
  while (end > 0 && (text[end - 1] === " " || text[end - 1] === "\t")) end -= 1;
  return end;
}

/** As `Shown` does it, without a component for each row. */
function appendShown(to: HTMLElement, text: string, layout: "line" | "block"): void {
  for (const piece of showPieces(text, layout, "exact")) {
    if (piece.isMark) {
      const mark = element("mark", "hidden-character");
      mark.append(piece.text);
      to.append(mark);
    } else {
      to.append(piece.text);
    }
  }
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
