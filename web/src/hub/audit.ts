// The audit log of the hub, read from its end, and whole for an export.

import type { Api } from "@askback/client";
import { get, health } from "./calls";

/** Which events are wanted; what is empty lets everything through. */
export interface AuditQuery {
  room: string;
  by: string;
  status: string;
  id: string;
  /** Moments as the hub takes them. */
  from: string;
  until: string;
}

/** Events of one call, at most. */
const LIMIT = 200;

/** Events on a page of the screen, at least, if there are more. */
const PAGE_EVENTS = 50;

/** Numbers that are looked through at first for a page, and at most in one call: a filter may let few of them through. */
const FIRST_WIDTH = 100;
const LARGEST_WIDTH = 50_000;

export interface AuditPage {
  /** The newest first. */
  events: Api.Event[];
  /** The number up to which there may be older ones; 0 if these are all. */
  upTo: number;
}

/** The number of the newest event. */
export async function lastEvent(): Promise<number | undefined> {
  const reply = await health();
  return reply.ok ? reply.body.lastEvent : undefined;
}

/** The newest events up to a number. The hub tells events forward only, so this looks through ever wider ranges before it. */
export async function eventsBefore(query: AuditQuery, upTo: number): Promise<AuditPage | string> {
  const events: Api.Event[] = [];
  let end = upTo;
  for (let width = FIRST_WIDTH; end > 0 && events.length < PAGE_EVENTS; width = Math.min(2 * width, LARGEST_WIDTH)) {
    const start = Math.max(0, end - width);
    const range = await eventsIn(query, start, end);
    if (typeof range === "string") return range;
    events.push(...range.reverse());
    end = start;
  }
  return { events, upTo: end };
}

/** Those with a number after `start`, to `end`. */
async function eventsIn(query: AuditQuery, start: number, end: number): Promise<Api.Event[] | string> {
  const found: Api.Event[] = [];
  for await (const page of pages(query, start)) {
    if (typeof page === "string") return page;
    found.push(...page.filter(({ number }) => number <= end));
    if ((page.at(-1)?.number ?? 0) >= end) break;
  }
  return found;
}

/** All pages after an event, the oldest first; a text says what went wrong, and ends them. */
export async function* pages(query: AuditQuery, after: number): AsyncGenerator<Api.Event[] | string, void> {
  const asked = Object.entries(query).filter(([, value]) => value !== "");
  let cursor: string | null = null;
  do {
    const parameters = new URLSearchParams([...asked, ["after", String(after)], ["limit", String(LIMIT)]]);
    if (cursor !== null) parameters.set("cursor", cursor);
    const reply: Awaited<ReturnType<typeof get<Api.EventPage>>> = await get<Api.EventPage>(`/audit?${parameters}`);
    if (!reply.ok) return yield reply.detail;
    yield reply.body.items;
    cursor = reply.body.next;
  } while (cursor !== null);
}
