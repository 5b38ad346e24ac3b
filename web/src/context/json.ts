// JSON text indented for reading: only blanks between its tokens change, never a number, a key or their order.

import { DEEPEST_INDENTED, LONGEST_INDENTATION, LONGEST_INDENTED } from "./limits";
import { Step } from "./work";

export type Indented = { is: "indented"; lines: string[] } | { is: "no JSON" | "too large" };

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Indents a text in steps. */
export function* indent(text: string): Generator<undefined, Indented> {
  if (text.length > LONGEST_INDENTED) return { is: "too large" };
  if (!isJson(text)) return { is: "no JSON" };
  yield;
  const lines: string[] = [];
  let line = "";
  let written = 0;
  let before = "";
  let depth = 0;
  const step = new Step();
  for (const [token] of text.matchAll(TOKEN)) {
    const isEnd = token === "}" || token === "]";
    if (isEnd) depth -= 1;
    const isEmpty = isEnd && opens(before);
    if ((isEnd || opens(before) || before === ",") && !isEmpty) {
      lines.push(line);
      line = "  ".repeat(depth);
      written += 1 + line.length;
    }
    line += token === ":" ? ": " : token;
    written += token.length;
    if (opens(token)) depth += 1;
    if (depth > DEEPEST_INDENTED || written > LONGEST_INDENTATION) return { is: "too large" };
    before = token;
    if (step.endsWith(token)) yield;
  }
  lines.push(line);
  return { is: "indented", lines };
}

function opens(token: string): boolean {
  return token === "{" || token === "[";
}

function isJson(text: string): boolean {
  try {
    // Only to know whether it is: what this makes of numbers and of keys that are there twice is not used.
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
