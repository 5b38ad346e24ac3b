// Writes the events of the audit log that a query finds into a file: JSON Lines or CSV.

import type { Api } from "@askback/client";
import { useRef, useState } from "preact/hooks";
import { pages, type AuditQuery } from "../hub/audit";
import { auditTexts } from "../texts/audit";
import { csvHead, csvRow } from "./csv";

/** Events of one file. A browser holds all of it in memory. */
const MOST_EVENTS = 50_000;

/** Characters of one file: a request may have a megabyte. */
const MOST_CHARACTERS = 200_000_000;

const FORMATS = {
  jsonl: { type: "application/jsonl", head: "", row: (event: Api.Event) => `${JSON.stringify(event)}\n` },
  csv: { type: "text/csv", head: csvHead(), row: csvRow },
} as const;

type Format = keyof typeof FORMATS;

export function Exporting({ query }: { query: AuditQuery }) {
  const [said, setSaid] = useState("");
  const [isBusy, setBusy] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  const save = async (format: Format) => {
    setBusy(true);
    setSaid(auditTexts.exporting(0));
    const { parts, count, problem } = await collect(query, format, (count) => setSaid(auditTexts.exporting(count)));
    setBusy(false);
    setSaid(problem ?? auditTexts.exported(count));
    const file = URL.createObjectURL(new Blob(parts, { type: FORMATS[format].type }));
    const { current } = link;
    if (current && count > 0) {
      current.href = file;
      current.download = `askback-audit.${format}`;
      current.click();
    }
    setTimeout(() => URL.revokeObjectURL(file), KEPT_MS);
  };
  return (
    <div class="exporting">
      <button type="button" disabled={isBusy} onClick={() => void save("jsonl")}>
        {auditTexts.exportJson}
      </button>
      <button type="button" disabled={isBusy} onClick={() => void save("csv")}>
        {auditTexts.exportCsv}
      </button>
      <a ref={link} hidden />
      <span role="status" class="muted">
        {said}
      </span>
    </div>
  );
}

/** As long as a browser may take to begin to save a file. */
const KEPT_MS = 60_000;

interface Collected {
  parts: string[];
  count: number;
  /** Why these are not all. */
  problem: string | undefined;
}

async function collect(query: AuditQuery, format: Format, onCount: (count: number) => void): Promise<Collected> {
  const { head, row } = FORMATS[format];
  const parts: string[] = [head];
  let count = 0;
  let characters = 0;
  for await (const page of pages(query, 0)) {
    if (typeof page === "string") return { parts, count, problem: auditTexts.exportFailed(count, page) };
    const text = page.map(row).join("");
    characters += text.length;
    if (count + page.length > MOST_EVENTS || characters > MOST_CHARACTERS) return { parts, count, problem: auditTexts.exportTooLarge(count) };
    parts.push(text);
    count += page.length;
    onCount(count);
  }
  return { parts, count, problem: undefined };
}
