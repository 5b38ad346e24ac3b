// What is said of a context besides its text, and its rows.

import type { Envelope } from "@askback/client";
import { contextTexts } from "../texts/context";
import { readDiff } from "./diff";
import { isFormattable } from "./formattable";
import { indent } from "./json";
import { blocksOf, isTooLong, linesOf, rowsOf, rowsOfLines, type Row } from "./rows";

export type Context = NonNullable<Envelope["context"]>[number];

export type Reading = { as: "markdown"; isFormattable: boolean; facts: Fact[] } | { as: "rows"; blocks: () => Generator<Row[]>; facts: Fact[] };

export interface Fact {
  says: string;
  /** The colour it has besides saying it. */
  tone?: "added" | "removed";
}

/** Reads the text of a context, whatever its type, in steps. */
export function* read({ type, text }: Pick<Context, "type" | "text">): Generator<undefined, Reading> {
  switch (type) {
    case "markdown":
      return { as: "markdown", isFormattable: isFormattable(text), facts: [lines(linesOf(text).length)] };
    case "diff":
      return yield* readAsDiff(text);
    case "json":
      return readAsJson(text);
    case "code":
    case "command":
      return readAsRows(text, []);
    default:
      // A hub may be newer than a page that is open.
      return readAsRows(text, []);
  }
}

function readAsRows(text: string, further: Fact[]): Reading {
  const all = linesOf(text);
  return { as: "rows", blocks: () => blocksOf(rowsOf(all)), facts: [lines(all.length), ...further, ...broken(all.some(isTooLong))] };
}

function* readAsDiff(text: string): Generator<undefined, Reading> {
  const { rows, files, added, removed } = yield* readDiff(text);
  const facts: Fact[] = [
    ...(files.length > 0 ? [{ says: contextTexts.files(files.length) }] : []),
    lines(rows.length),
    { says: contextTexts.added(added), tone: "added" },
    { says: contextTexts.removed(removed), tone: "removed" },
    ...broken(rows.some(({ text }) => isTooLong(text))),
  ];
  return { as: "rows", blocks: () => blocksOf(rowsOfLines(rows)), facts };
}

function readAsJson(text: string): Reading {
  const indented = indent(text);
  switch (indented.is) {
    case "indented":
      return readAsRows(indented.text, linesOf(indented.text).join("\n") === linesOf(text).join("\n") ? [] : [{ says: contextTexts.indented }]);
    case "no JSON":
      return readAsRows(text, [{ says: contextTexts.notJson }]);
    case "too large":
      return readAsRows(text, [{ says: contextTexts.tooLargeToIndent }]);
  }
}

function lines(count: number): Fact {
  return { says: contextTexts.lines(count) };
}

function broken(isBroken: boolean): Fact[] {
  return isBroken ? [{ says: contextTexts.brokenRows }] : [];
}
