// Requests that the document does not show, or not whole: they come over HTTP.

import type { Api } from "@askback/client";
import { signal } from "@preact/signals";
import { get } from "./calls";
import { viewOfRecord, type RequestView } from "./request";

/** What is known of one. */
export type Fetched =
  | { is: "coming" }
  | { is: "there"; view: RequestView }
  | { is: "missing" }
  | { is: "failed"; detail: string };

export const fetched = signal<ReadonlyMap<string, Fetched>>(new Map());

/** Brings a request, unless it is here or on its way. */
export async function bring(id: string): Promise<void> {
  const known = fetched.peek().get(id);
  if (known && known.is !== "failed") return;
  put(id, { is: "coming" });
  const reply = await get<Api.Record>(`/requests/${encodeURIComponent(id)}/request`);
  if (reply.ok) put(id, { is: "there", view: viewOfRecord(reply.body) });
  else if (reply.status === 404 || reply.status === 400) put(id, { is: "missing" });
  else put(id, { is: "failed", detail: reply.detail });
}

/** So many are remembered; each may be a megabyte. */
const REMEMBERED = 20;

function put(id: string, state: Fetched): void {
  const rest = [...fetched.peek()].filter(([other]) => other !== id);
  fetched.value = new Map([...rest.slice(1 - REMEMBERED), [id, state]]);
}

/** A page of all requests, the newest first. */
export interface OlderPage {
  views: RequestView[];
  next: string | null;
}

/** Requests on a page of the history. */
const LIMIT = 50;

/** Requests of one call, at most. */
const NEWEST = 200;

/** The newest pending requests and the newest of all; undefined if the hub could not be reached. */
export async function newestRequests(): Promise<RequestView[] | undefined> {
  const queries = [`status=pending&limit=${NEWEST}`, `limit=${NEWEST}`];
  const replies = await Promise.all(queries.map((query) => get<Api.RecordPage>(`/requests?${query}`)));
  const pages = replies.flatMap((reply) => (reply.ok ? [reply.body] : []));
  return pages.length < queries.length ? undefined : pages.flatMap((page) => page.items.map(viewOfRecord));
}

export async function olderRequests(cursor: string | null, room: string): Promise<OlderPage | undefined> {
  const query = new URLSearchParams({ limit: String(LIMIT), ...(cursor === null ? {} : { cursor }), ...(room === "" ? {} : { room }) });
  const reply = await get<Api.RecordPage>(`/requests?${query}`);
  if (!reply.ok) return undefined;
  return { views: reply.body.items.map(viewOfRecord), next: reply.body.next };
}
