// A text as rows, and the rows in blocks that are drawn one after another.

import { showPieces } from "@askback/client";
import { LONGEST_ROW, ROWS_OF_BLOCK, WEIGHT_BEYOND_ASCII, WEIGHT_OF_ACCENT, WEIGHT_OF_BLOCK, WEIGHT_OF_MARK } from "./limits";
import { Step } from "./work";

/** What a row of a diff is; every other text has plain rows. */
export type RowKind = "plain" | "added" | "removed" | "hunk" | "header";

export interface Row {
  text: string;
  kind: RowKind;
  /** The number of its line, and of the line before the change; none where a line goes on in a further row. */
  line?: number;
  lineBefore?: number;
  /** Whether the line goes on in the next row. */
  goesOn: boolean;
  /** The file of a diff that begins here. */
  file?: RowFile;
}

export interface RowFile {
  name: string;
  added: number;
  removed: number;
}

/** The lines of `text`, read in steps. The last line end ends the last line and begins no other. */
export function* linesIn(text: string): Generator<undefined, string[]> {
  const lines: string[] = [];
  const step = new Step();
  for (let from = 0; from < text.length; ) {
    const at = text.indexOf("\n", from);
    const end = at < 0 ? text.length : at;
    const line = text.slice(from, at > from && text[at - 1] === "\r" ? at - 1 : end);
    lines.push(line);
    from = end + 1;
    if (step.endsWith(line)) yield;
  }
  return lines.length > 0 ? lines : [""];
}

/** The lines of a text of bounded length. */
export function linesOf(text: string): string[] {
  const reading = linesIn(text);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** Whether any of the lines goes on in further rows, found in steps. */
export function* areTooLong(lines: readonly string[]): Generator<undefined, boolean> {
  const step = new Step();
  for (const line of lines) {
    if (isTooLong(line)) return true;
    if (step.endsWith(line)) yield;
  }
  return false;
}

/** The rows of numbered lines, made one by one as they are drawn. */
export function* rowsOf(lines: readonly string[]): Generator<Row> {
  let line = 0;
  for (const text of lines) {
    const row: Row = { text, kind: "plain", line: (line += 1), goesOn: false };
    if (isTooLong(text)) yield* partsOf(row);
    else yield row;
  }
}

/** Rows of one line each, those that are too long in several. */
export function* rowsOfLines(lines: readonly Row[]): Generator<Row> {
  for (const row of lines) {
    if (isTooLong(row.text)) yield* partsOf(row);
    else yield row;
  }
}

function* partsOf(line: Row): Generator<Row> {
  const { text, kind } = line;
  const longest = Math.floor((LONGEST_ROW * text.length) / weightOf(text));
  for (let from = 0, to; from < text.length; from = to) {
    to = endOfRow(text, from, longest);
    const part = { text: text.slice(from, to), goesOn: to < text.length };
    yield from === 0 ? { ...line, ...part } : { kind, ...part };
  }
}

/** Whether a line goes on in further rows. */
function isTooLong(line: string): boolean {
  if (line.length > LONGEST_ROW) return true;
  return line.length > LONGEST_ROW / (WEIGHT_BEYOND_ASCII + WEIGHT_OF_MARK) && weightOfRow(line) > LONGEST_ROW;
}

/** Characters that are drawn onto others: a letter may carry hundreds. */
const ACCENTS = /\p{M}/gu;

/** What it takes to lay out a text that is in sight. */
export function layoutWeight(text: string): number {
  const weight = weightOfRow(text);
  return weight > text.length ? weight + WEIGHT_OF_ACCENT * (text.match(ACCENTS)?.length ?? 0) : weight;
}

/** What a row holds of a text. Accents do not count: some languages are written with many. */
function weightOfRow(text: string): number {
  const weight = weightOf(text);
  return weight > text.length ? weight + WEIGHT_OF_MARK * marksIn(text) : weight;
}

/** The hidden characters of a text: each becomes an element. */
function marksIn(text: string): number {
  return showPieces(text, "block", "exact").filter(({ isMark }) => isMark).length;
}

function weightOf(text: string): number {
  return /^[\t\n -~]*$/.test(text) ? text.length : text.length * WEIGHT_BEYOND_ASCII;
}

/** Where a row that begins at `from` ends. */
function endOfRow(text: string, from: number, longest: number): number {
  let to = endOfPart(text, from + longest);
  for (;;) {
    const weight = weightOfRow(text.slice(from, to));
    if (weight <= LONGEST_ROW) return to;
    // It has many marks: a part of it that has as many for its length fits, and is looked at again.
    to = endOfPart(text, from + Math.floor((LONGEST_ROW * (to - from)) / weight));
  }
}

/** Where a part ends that would end at `to`: not between the halves of a character. */
export function endOfPart(text: string, to: number): number {
  if (to >= text.length) return text.length;
  const isLowHalf = (text.charCodeAt(to) & 0xfc00) === 0xdc00;
  return isLowHalf ? to - 1 : to;
}

/** The rows in blocks of bounded size; a file begins a block. */
export function* blocksOf(rows: Iterable<Row>): Generator<Row[]> {
  let block: Row[] = [];
  let weight = 0;
  for (const row of rows) {
    const added = weightOfRow(row.text);
    const isFull = block.length >= ROWS_OF_BLOCK || weight + added > WEIGHT_OF_BLOCK;
    if (block.length > 0 && (isFull || row.file)) {
      yield block;
      block = [];
      weight = 0;
    }
    block.push(row);
    weight += added;
  }
  if (block.length > 0) yield block;
}
