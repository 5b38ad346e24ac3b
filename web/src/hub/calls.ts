// Calls of the hub's HTTP API, by the cookie of whoever is logged in.

const API = "/api/v1";

/** What a call came to. */
export type Reply<Body> =
  | { ok: true; body: Body }
  /** `status` is 0 if the hub could not be reached. */
  | { ok: false; status: number; detail: string };

export function get<Body>(path: string): Promise<Reply<Body>> {
  return call("GET", path);
}

export function post<Body>(path: string, body: object = {}): Promise<Reply<Body>> {
  return call("POST", path, JSON.stringify(body));
}

async function call<Body>(method: string, path: string, body?: string): Promise<Reply<Body>> {
  try {
    const response = await fetch(API + path, body === undefined ? { method } : { method, body });
    noteTime(response);
    const text = await response.text();
    const json = text === "" ? {} : JSON.parse(text);
    if (response.ok) return { ok: true, body: json as Body };
    return { ok: false, status: response.status, detail: String(json.detail ?? response.statusText) };
  } catch (error) {
    return { ok: false, status: 0, detail: String(error) };
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
