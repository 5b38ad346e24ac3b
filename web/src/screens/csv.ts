// Events of the audit log as rows of CSV (RFC 4180), which spreadsheets open without running anything in them.

import type { Api } from "@askback/client";

const COLUMNS: readonly [name: string, value: (event: Api.Event) => string | number | null | undefined][] = [
  ["number", ({ number }) => number],
  ["at", ({ at }) => at],
  ["event", ({ event }) => event],
  ["by", ({ by }) => by],
  ["surface", ({ surface }) => surface],
  ["room", ({ room }) => room],
  ["asker", ({ asker }) => asker],
  ["id", ({ id }) => id],
  ["title", ({ request }) => titleOf(request)],
  ["answers", ({ outcome }) => outcome?.answers.map(({ response }) => response).join("\n")],
  ["reason", ({ outcome }) => outcome?.reason],
];

export function csvHead(): string {
  return rowOf(COLUMNS.map(([name]) => name));
}

export function csvRow(event: Api.Event): string {
  return rowOf(COLUMNS.map(([, value]) => String(value(event) ?? "")));
}

function titleOf(request: Api.Event["request"]): string | undefined {
  const asked = request as { title?: string; questions?: readonly { message: string }[] } | undefined;
  return asked?.title ?? asked?.questions?.[0]?.message;
}

/** Where a spreadsheet could begin a formula: in a cell, or where one that splits lines elsewhere would begin one. What is not seen may precede it. */
const FORMULA = /(^|[;\t\r\n])(?=[\s\p{Cf}\p{Cc}]*[=+\-@＝＋－＠])/gu;

function rowOf(cells: readonly string[]): string {
  const quoted = cells.map((cell) => `"${cell.replace(FORMULA, "$1'").replaceAll('"', '""')}"`);
  return `${quoted.join(",")}\r\n`;
}
