// What is said of a context besides its text, and its rows.

import type { Envelope } from "@askback/client";
import { contextTexts } from "../texts/context";
import { readDiff } from "./diff";
import { isFormattable } from "./formattable";
import { indent } from "./json";
import { areTooLong, blocksOf, linesIn, rowsOf, rowsOfLines, type Row } from "./rows";

export type Context = NonNullable<Envelope["context"]>[number];

export type Reading = ({ as: "markdown"; isFormattable: boolean } | { as: "rows" }) & {
  /** The text as it is written, or indented. */
  blocks: () => Generator<Row[]>;
  facts: Fact[];
};

export interface Fact {
  says: string;
  /** The colour it has besides saying it. */
  tone?: "added" | "removed";
}

/** Reads the text of a context, whatever its type, in steps. */
export function* read({ type, text }: Pick<Context, "type" | "text">): Generator<undefined, Reading> {
  switch (type) {
    case "markdown":
      return yield* readAsMarkdown(text);
    case "diff":
      return yield* readAsDiff(text);
    case "json":
      return yield* readAsJson(text);
    case "code":
    case "command":
      return yield* readAsRows(yield* linesIn(text), []);
    default:
      // A hub may be newer than a page that is open.
      return yield* readAsRows(yield* linesIn(text), []);
  }
}

function* readAsMarkdown(text: string): Generator<undefined, Reading> {
  const all = yield* linesIn(text);
  return { as: "markdown", isFormattable: isFormattable(text), blocks: () => blocksOf(rowsOf(all)), facts: [lines(all.length)] };
}

function* readAsRows(all: readonly string[], further: Fact[]): Generator<undefined, Reading> {
  const facts = [lines(all.length), ...further, ...broken(yield* areTooLong(all))];
  return { as: "rows", blocks: () => blocksOf(rowsOf(all)), facts };
}

function* readAsDiff(text: string): Generator<undefined, Reading> {
  const written = yield* linesIn(text);
  const { rows, files, added, removed } = yield* readDiff(written);
  const counts: Fact[] = [
    { says: contextTexts.added(added), tone: "added" },
    { says: contextTexts.removed(removed), tone: "removed" },
  ];
  const facts: Fact[] = [
    ...(files.length > 1 ? [{ says: contextTexts.files(files.length) }] : []),
    lines(rows.length),
    // A single file has them in its own heading, right below.
    ...(files.length === 1 ? [] : counts),
    ...broken(yield* areTooLong(written)),
  ];
  return { as: "rows", blocks: () => blocksOf(rowsOfLines(rows)), facts };
}

function* readAsJson(text: string): Generator<undefined, Reading> {
  const written = yield* linesIn(text);
  const indented = yield* indent(text);
  switch (indented.is) {
    case "indented":
      return yield* readAsRows(indented.lines, areSame(indented.lines, written) ? [] : [{ says: contextTexts.indented }]);
    case "no JSON":
      return yield* readAsRows(written, [{ says: contextTexts.notJson }]);
    case "too large":
      return yield* readAsRows(written, [{ says: contextTexts.tooLargeToIndent }]);
  }
}

function areSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((line, index) => line === others[index]);
}

function lines(count: number): Fact {
  return { says: contextTexts.lines(count) };
}

function broken(isBroken: boolean): Fact[] {
  return isBroken ? [{ says: contextTexts.brokenRows }] : [];
}
