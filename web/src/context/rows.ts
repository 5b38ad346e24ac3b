// A text as rows, and the rows in blocks that are drawn one after another.

import { LONGEST_ROW, ROWS_OF_BLOCK, WEIGHT_BEYOND_ASCII, WEIGHT_OF_BLOCK } from "./limits";

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

/** The lines of `text`. The last line end ends the last line and begins no other. */
export function linesOf(text: string): string[] {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
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
export function isTooLong(line: string): boolean {
  return line.length > LONGEST_ROW / WEIGHT_BEYOND_ASCII && weightOf(line) > LONGEST_ROW;
}

/** Characters that become marks, nearly: each is an element. */
const MARKS = /(?![\t\n])\p{C}/gu;
const WEIGHT_OF_MARK = 16;

/** What it takes to lay out a text that is in sight. */
export function layoutWeight(text: string): number {
  const weight = weightOf(text);
  return weight > text.length ? weight + WEIGHT_OF_MARK * (text.match(MARKS)?.length ?? 0) : weight;
}

function weightOf(text: string): number {
  return /^[\t\n -~]*$/.test(text) ? text.length : text.length * WEIGHT_BEYOND_ASCII;
}

/** Where a row that begins at `from` ends: not between the halves of a character. */
function endOfRow(text: string, from: number, longest: number): number {
  const to = Math.min(from + longest, text.length);
  const isLowHalf = (text.charCodeAt(to) & 0xfc00) === 0xdc00;
  return isLowHalf && to < text.length ? to - 1 : to;
}

/** The rows in blocks of bounded size; a file begins a block. */
export function* blocksOf(rows: Iterable<Row>): Generator<Row[]> {
  let block: Row[] = [];
  let weight = 0;
  for (const row of rows) {
    const added = weightOf(row.text);
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
