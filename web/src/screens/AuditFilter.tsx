// What is to be seen of the audit log: room, actor, change, request and time.

import { useState } from "preact/hooks";
import type { AuditQuery } from "../hub/audit";
import { auditTexts } from "../texts/audit";

interface AuditFilterProps {
  query: AuditQuery;
  onQuery: (query: AuditQuery) => void;
  /** Reads the same again. */
  onAgain: () => void;
}

const STATUSES = ["pending", "answered", "declined", "cancelled", "expired"] as const;

export function AuditFilter({ query, onQuery, onAgain }: AuditFilterProps) {
  const [days, setDays] = useState({ from: "", until: "" });
  const [typed, setTyped] = useState({ room: query.room, by: query.by, id: query.id });
  const apply = (changed: Partial<AuditQuery>) => onQuery({ ...query, ...trimmed(typed), ...changed });
  const chooseDay = (which: "from" | "until", day: string) => {
    setDays({ ...days, [which]: day });
    apply({ [which]: momentOf(day, which === "until" ? 1 : 0) });
  };
  const field = (name: "room" | "by" | "id") => (
    <label>
      {auditTexts.fields[name]}
      <input
        type="text"
        autocomplete="off"
        value={typed[name]}
        onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
        onChange={(event) => apply({ [name]: event.currentTarget.value.trim() })}
      />
    </label>
  );
  const day = (which: "from" | "until") => (
    <label>
      {auditTexts.fields[which]}
      <input type="date" value={days[which]} onChange={(event) => chooseDay(which, event.currentTarget.value)} />
    </label>
  );
  return (
    <form
      class="audit-filter"
      role="search"
      aria-label={auditTexts.filter}
      onSubmit={(event) => {
        event.preventDefault();
        onAgain();
      }}
    >
      {field("room")}
      {field("by")}
      <label>
        {auditTexts.fields.status}
        <select value={query.status} onChange={(event) => apply({ status: event.currentTarget.value })}>
          <option value="">{auditTexts.anyChange}</option>
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {auditTexts.statuses[status]}
            </option>
          ))}
        </select>
      </label>
      {day("from")}
      {day("until")}
      {field("id")}
      <button type="submit">{auditTexts.look}</button>
    </form>
  );
}

function trimmed<Texts extends Record<string, string>>(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])) as Texts;
}

/** The moment at which a day begins in the reader's time zone, or the day so many days later. */
function momentOf(day: string, daysLater: number): string {
  const begins = new Date(`${day}T00:00:00`);
  if (Number.isNaN(begins.getTime())) return "";
  begins.setDate(begins.getDate() + daysLater);
  return begins.toISOString();
}
