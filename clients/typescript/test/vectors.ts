// Runs the shared vectors (F16). The runner returns what failed, so that mutants can ask for failures.

import { readFileSync } from "node:fs";
import type { Checked, Given, KindName, Question } from "@askback/client";

export const KINDS: readonly KindName[] = [
  "approval",
  "text",
  "multiline",
  "choice",
  "confirm",
  "number",
  "email",
  "date",
  "dropdown",
  "rating",
];

/** Anything that checks an answer: ours, or a mutant. */
export type Check = (question: Question, given: Given) => Checked;

export interface AnswerVector {
  given: Given;
  written?: string;
  refused?: string;
  selections?: string[];
  custom?: string | null;
}

export interface Case {
  question: Question;
  answers?: AnswerVector[];
  problems?: unknown[];
}

/** The cases of a vector file, with its shorthand for long texts and lists written out. */
export function cases<Kind = Case>(name: string): Kind[] {
  const file = new URL(`../../../vectors/${name}.json`, import.meta.url);
  return (expand(JSON.parse(readFileSync(file, "utf8"))) as { cases: Kind[] }).cases;
}

/** What goes wrong in the vectors of one kind. */
export function failures(kind: string, check: Check): string[] {
  return cases(kind).flatMap(({ question, answers = [] }) =>
    answers.flatMap((vector) => fails(question, vector, check).map((why) => `${JSON.stringify(vector).slice(0, 200)}: ${why}`)),
  );
}

function fails(question: Question, vector: AnswerVector, check: Check): string[] {
  const checked = check(question, vector.given);
  if (!checked.ok) {
    if (checked.rule !== vector.refused) return [`refused by ${checked.rule}: ${checked.message}`];
    return checked.expected ? [] : [`"${checked.message}" does not say what would pass`];
  }
  if (vector.refused) return [`accepted as "${checked.written}"`];
  const differs = (what: string, found: unknown, expected: unknown) =>
    JSON.stringify(found) === JSON.stringify(expected) ? [] : [`${what} is ${JSON.stringify(found)}`];
  return [
    ...differs("written", checked.written, vector.written),
    ...("selections" in vector ? differs("selections", checked.selections ?? [], vector.selections) : []),
    ...("custom" in vector ? differs("custom", checked.custom ?? null, vector.custom) : []),
    ...readsBack(question, checked, vector.given, check).map((why) => `it does not read back: ${why}`),
  ];
}

/** Every accepted answer is accepted again as the same answer, as a list and, if it came as a string, as that. */
function readsBack(question: Question, checked: Checked & { ok: true }, given: Given, check: Check): string[] {
  const { written, selections, custom } = checked;
  const again = check(question, selections ? { selections, custom: custom ?? null } : written);
  if (JSON.stringify(again) !== JSON.stringify(checked)) return [JSON.stringify(again)];
  const alone = check(question, written);
  const same = typeof given === "string" ? JSON.stringify(alone) === JSON.stringify(checked) : alone.ok;
  return same ? [] : [JSON.stringify(alone)];
}

function expand(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== "object" || value === null) return value;
  const { $repeat, $times, $list, $item } = value as { $repeat?: string; $times?: number; $list?: number; $item?: unknown };
  if ($repeat !== undefined) return $repeat.repeat($times ?? 0);
  if ($list !== undefined) return Array.from({ length: $list }, (_, index) => numbered($item, index + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expand(inner)]));
}

function numbered(item: unknown, number: number): unknown {
  if (typeof item === "string") return item.replaceAll("#", String(number));
  if (typeof item !== "object" || item === null) return item;
  return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, numbered(inner, number)]));
}
