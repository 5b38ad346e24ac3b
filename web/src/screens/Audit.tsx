// The audit log: what happened, who did it and where, with filters, and as a file.

import type { Api } from "@askback/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { pathOf } from "../address";
import { eventsBefore, lastEvent, type AuditQuery } from "../hub/audit";
import { nameOf } from "../hub/request";
import { inRoom } from "../hub/room";
import { shortLine } from "../parts/line";
import { Shown } from "../parts/Shown";
import { useScreen } from "../parts/screen";
import { calendar } from "../time";
import { auditTexts } from "../texts/audit";
import { texts } from "../texts/page";
import { AuditFilter } from "./AuditFilter";
import { Exporting } from "./Exporting";

const ALL: AuditQuery = { room: "", by: "", status: "", id: "", from: "", until: "" };

/** What has been read so far. */
interface Log {
  events: readonly Api.Event[];
  /** Up to which number there may be older ones. */
  upTo: number;
  state: "looking" | "there" | "failed";
  detail: string;
}

const NOTHING_YET: Log = { events: [], upTo: 0, state: "looking", detail: "" };

export function Audit() {
  const heading = useScreen(texts.app.audit);
  const [query, setQuery] = useState(ALL);
  const { log, older, again } = useLog(query);
  return (
    <div class="audit">
      <h1 ref={heading} tabIndex={-1}>
        {texts.app.audit}
      </h1>
      <AuditFilter query={query} onQuery={setQuery} onAgain={again} />
      <Exporting query={query} />
      {log.events.length === 0 ? null : <Events events={log.events} />}
      <p role="status" class={log.state === "failed" ? "problem" : "muted"}>
        {statusOf(log)}
      </p>
      {log.upTo > 0 && log.state !== "looking" ? (
        <button type="button" onClick={older}>
          {auditTexts.older}
        </button>
      ) : null}
    </div>
  );
}

function statusOf({ state, events, upTo, detail }: Log): string {
  if (state === "looking") return auditTexts.looking;
  if (state === "failed") return detail;
  if (upTo > 0) return "";
  return events.length === 0 ? auditTexts.none : auditTexts.all;
}

/** The events that a query finds, the newest first. */
function useLog(query: AuditQuery) {
  const [log, setLog] = useState(NOTHING_YET);
  const [attempt, setAttempt] = useState(0);
  /** Of which query an answer is awaited: one to an older query comes to nothing. */
  const current = useRef<object>(undefined);
  const read = async (before: Pick<Log, "events" | "upTo"> | undefined) => {
    const token = (current.current = {});
    setLog({ ...NOTHING_YET, ...before });
    const upTo = before?.upTo ?? (await lastEvent());
    const page = upTo === undefined ? auditTexts.unreachable : await eventsBefore(query, upTo);
    if (current.current !== token) return;
    if (typeof page === "string") setLog({ ...NOTHING_YET, ...before, upTo: before?.upTo ?? 0, state: "failed", detail: page });
    else setLog({ events: [...(before?.events ?? []), ...page.events], upTo: page.upTo, state: "there", detail: "" });
  };
  useEffect(() => {
    void read(undefined);
    return () => (current.current = undefined);
  }, [query, attempt]);
  return { log, older: () => void read(log), again: () => setAttempt(attempt + 1) };
}

function Events({ events }: { events: readonly Api.Event[] }) {
  return (
    <ul role="list" class="events">
      {events.map((event) => (
        <Event key={event.number} event={event} />
      ))}
    </ul>
  );
}

function Event({ event }: { event: Api.Event }) {
  const change = changeOf(event);
  return (
    <li class="event">
      <time dateTime={event.at}>{calendar(event.at)}</time>
      <span class={`badge ${change}`}>
        <span class={`icon icon-${change}`} aria-hidden="true" />
        {auditTexts.changes[change]}
      </span>
      <a href={pathOf(event.id)} data-here class="event-name" dir="auto">
        <Shown text={shortLine(titleOf(event), TITLE_LENGTH)} layout="line" />
      </a>
      <span class="event-about muted">
        {auditTexts.by}{" "}
        <bdi>
          <Shown text={event.by} layout="line" />
        </bdi>{" "}
        {surfaceOf(event)} {texts.request.in}{" "}
        <bdi>
          <Shown text={event.room} layout="line" />
        </bdi>
        {" · "}
        {auditTexts.number(event.number)}
      </span>
      <Answer event={event} />
    </li>
  );
}

/** Characters of a title or an answer in the log; all of it is with the request and in the export. */
const TITLE_LENGTH = 120;

function Answer({ event: { outcome } }: { event: Api.Event }) {
  const said = [...(outcome?.answers ?? []).map(({ response }) => response), ...(outcome?.reason == null ? [] : [outcome.reason])].join(", ");
  if (said === "") return null;
  return (
    <span class="event-answer" dir="auto">
      <Shown text={shortLine(said, TITLE_LENGTH)} layout="line" />
    </span>
  );
}

type Change = keyof typeof auditTexts.changes;

function changeOf({ event, outcome }: Api.Event): Change {
  const change = event.slice("request.".length) as Change;
  return change === "declined" && outcome?.answers.some(({ response }) => response === "reject") ? "rejected" : change;
}

function surfaceOf({ surface }: Api.Event): string {
  return surface !== null && Object.hasOwn(texts.ended.surfaces, surface) ? texts.ended.surfaces[surface as keyof typeof texts.ended.surfaces] : "";
}

/** What the request is called, where that is known; the log names it when it begins. */
function titleOf({ request, id }: Api.Event): string {
  const asked = request as { title?: string; questions?: readonly { message: string }[] } | undefined;
  const view = inRoom(id);
  return asked?.title ?? asked?.questions?.[0]?.message ?? (view ? nameOf(view) : id);
}
