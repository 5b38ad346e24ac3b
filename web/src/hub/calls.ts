// Calls of the hub's HTTP API, authenticated by the session of this browser.

import type { Api } from "@askback/client";

const API = "/api/v1";

const UNREACHABLE = "The hub could not be reached.";

/** How long a hub may take to begin its response. No call of the page asks it to wait. */
const BEGINS_MS = 20_000;

/** How long the rest of a response may take: requests of a megabyte come over slow networks, too. */
const WHOLE_MS = 90_000;

/** What a call came to. */
export type Reply<Body> =
  | { ok: true; body: Body }
  /** `status` is 0 if the hub could not be reached. */
  | { ok: false; status: number; detail: string };

let secret: string | undefined;
let onRefused: (secret: string) => void = () => {};

/** Authenticates every call from now on. `refused` is called with the secret that the hub did not accept. */
export function authenticate(session: string | undefined, refused: (secret: string) => void): void {
  secret = session;
  onRefused = refused;
}

export function get<Body>(path: string): Promise<Reply<Body>> {
  return call("GET", API + path);
}

/** What the hub says of itself. */
export function health(): Promise<Reply<Api.Health>> {
  return call("GET", "/healthz");
}

/** With the current session, with another one, or with none (`null`). */
export function post<Body>(path: string, body: object = {}, session: string | null = secret ?? null): Promise<Reply<Body>> {
  return call("POST", API + path, JSON.stringify(body), session);
}

async function call<Body>(method: string, path: string, body?: string, sent: string | null = secret ?? null): Promise<Reply<Body>> {
  const headers: HeadersInit = sent === null ? {} : { authorization: `Bearer ${sent}` };
  // A hub that is frozen accepts connections, and does not respond.
  const limit = new AbortController();
  let timer = setTimeout(() => limit.abort(), BEGINS_MS);
  try {
    const { signal } = limit;
    const response = await fetch(path, body === undefined ? { method, headers, signal } : { method, headers, body, signal });
    clearTimeout(timer);
    timer = setTimeout(() => limit.abort(), WHOLE_MS);
    noteTime(response);
    if (response.status === 401 && sent !== null) onRefused(sent);
    const text = await response.text();
    const json: unknown = text === "" ? {} : JSON.parse(text);
    if (response.ok) return { ok: true, body: json as Body };
    // A proxy before the hub may respond with anything.
    const { detail } = json as Partial<Api.Problem>;
    return { ok: false, status: response.status, detail: String(detail ?? response.statusText) };
  } catch {
    return { ok: false, status: 0, detail: UNREACHABLE };
  } finally {
    clearTimeout(timer);
  }
}

/** How far this machine's clock is behind the hub's, which owns all deadlines. */
let behindMs = 0;

/** The header says whole seconds, so that less than two of them mean nothing. */
const NOTICED_MS = 2000;

function noteTime(response: Response): void {
  const theirs = Date.parse(response.headers.get("date") ?? "");
  if (Number.isNaN(theirs)) return;
  const difference = theirs - Date.now();
  behindMs = Math.abs(difference) < NOTICED_MS ? 0 : difference;
}

/** The time by the hub's clock, as far as it is known. */
export function hubNow(): number {
  return Date.now() + behindMs;
}
