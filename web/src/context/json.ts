// JSON text indented for reading: only blanks between its tokens change, never a number, a key or their order.

import { DEEPEST_INDENTED, LONGEST_INDENTATION, LONGEST_INDENTED } from "./limits";

export type Indented = { is: "indented"; text: string } | { is: "no JSON" | "too large" };

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

export function indent(text: string): Indented {
  if (text.length > LONGEST_INDENTED) return { is: "too large" };
  try {
    // Only to know whether it is JSON: what it makes of numbers and of keys that are there twice is not used.
    JSON.parse(text);
  } catch {
    return { is: "no JSON" };
  }
  const tokens = text.match(TOKEN) ?? [];
  let written = "";
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    const isEnd = token === "}" || token === "]";
    if (isEnd) depth -= 1;
    const isEmpty = isEnd && (before === "{" || before === "[");
    const breaks = before === "{" || before === "[" || before === "," || isEnd;
    if (breaks && !isEmpty) written += `\n${"  ".repeat(depth)}`;
    written += token === ":" ? ": " : token;
    if (token === "{" || token === "[") depth += 1;
    if (depth > DEEPEST_INDENTED || written.length > LONGEST_INDENTATION) return { is: "too large" };
  }
  return { is: "indented", text: written };
}
