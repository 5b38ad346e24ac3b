// Calls of the HTTP API for one request, each repeated until there is an answer that counts.

import { addressOf } from "./address.js";
import { backoffMs, type Backoff } from "./backoff.js";
import { AskAborted, AskbackError, type ProblemDetails } from "./error.js";

/** How much longer than it should take a call may take before it counts as lost. */
const SLACK_MS = 15_000;

/** The least that a hub has to answer, however soon the caller gives up. */
const LEAST_SLACK_MS = 1000;

/** The pause before another try. */
const PAUSES: Backoff = { firstMs: 250, longestMs: 10_000 };

/** The longest pause that a hub can ask for by `Retry-After`. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** How long a hub may be out of reach, unless the caller says otherwise. */
const GIVE_UP_AFTER_MS = 300_000;

/** Answers after which the same call may well succeed: a limit, a hub that stops, a gateway without one behind it. */
const PASSING: readonly number[] = [429, 502, 503, 504];

/** Which hub to call, and as whom. */
export interface HubOptions {
  /** Where the hub is, such as `http://127.0.0.1:4770`. */
  url: string | URL;
  /** Whom to call as; a browser that is logged in needs none. */
  token?: string | undefined;
  /** Ends the waiting. The request stays pending; the `AskAborted` that is thrown says its id. */
  signal?: AbortSignal;
  /**
   * How long the hub may be out of reach before an `AskbackError` says so, in milliseconds; five minutes by default. One that accepts
   * a call and does not answer has a second at least.
   */
  giveUpAfterMs?: number;
  /**
   * Hears, before each pause, why a call is tried again, and how often it was tried: a wrong port is otherwise silent until the end.
   * What it throws ends the trying.
   */
  onRetry?: (error: AskbackError, attempt: number) => void;
  /** Another `fetch` than the built-in one. */
  fetch?: typeof fetch;
}

/** One call. */
interface Call {
  method: "GET" | "POST";
  /** What follows `/api/v1/requests`. */
  path: string;
  body?: string;
  /** How long the hub takes on purpose. */
  takesMs?: number;
}

/** What one try came to: an answer, or why to come back, and when if the hub said so. */
type Tried = { answer: unknown } | { error: AskbackError; retryAfterMs?: number };

export class Calls {
  readonly #options: HubOptions;
  readonly #requestId: string;
  readonly #address: string;

  constructor(options: HubOptions, requestId: string) {
    this.#options = options;
    this.#requestId = requestId;
    this.#address = `${addressOf(options.url, "http")}/api/v1/requests`;
  }

  /** Makes the call until it is answered. A call with side effects must be one that can be made twice. */
  async send<Answer>(call: Call): Promise<Answer> {
    const began = Date.now();
    for (let attempt = 0; ; attempt += 1) {
      const tried = await this.#try(call);
      if ("answer" in tried) return tried.answer as Answer;
      const pauseMs = tried.retryAfterMs ?? backoffMs(attempt, PAUSES);
      const { giveUpAfterMs = GIVE_UP_AFTER_MS, onRetry } = this.#options;
      if (Date.now() + pauseMs - began > giveUpAfterMs) throw tried.error;
      onRetry?.(tried.error, attempt + 1);
      await this.pause(pauseMs);
    }
  }

  /** Waits a while, unless the signal ends it. */
  async pause(pauseMs: number): Promise<void> {
    const { signal } = this.#options;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, pauseMs);
      signal?.addEventListener("abort", done);
      function done() {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      }
    });
    this.#throwIfAborted();
  }

  async #try(call: Call): Promise<Tried> {
    this.#throwIfAborted();
    try {
      const { status, retryAfter, text } = await this.#fetch(call);
      return this.#read(status, retryAfter, text);
    } catch (error) {
      if (error instanceof AskbackError) throw error;
      this.#throwIfAborted();
      const detail = `the hub at ${this.#address} can't be reached: ${reasonOf(error)}`;
      return { error: new AskbackError(0, { type: "unreachable", detail }, this.#requestId, { cause: error }) };
    }
  }

  async #fetch({ method, path, body, takesMs = 0 }: Call): Promise<{ status: number; retryAfter: string | null; text: string }> {
    const { token, signal, giveUpAfterMs = GIVE_UP_AFTER_MS, fetch = globalThis.fetch } = this.#options;
    const headers = new Headers({ accept: "application/json, application/problem+json" });
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    if (body !== undefined) headers.set("content-type", "application/json");
    const limit = new AbortController();
    // A hub that does not answer is out of reach as well.
    const slackMs = Math.min(SLACK_MS, Math.max(giveUpAfterMs, LEAST_SLACK_MS));
    const timer = setTimeout(() => limit.abort(new Error("it does not answer")), takesMs + slackMs);
    const abort = () => limit.abort(signal?.reason);
    signal?.addEventListener("abort", abort);
    try {
      const response = await fetch(this.#address + path, { method, headers, body: body ?? null, signal: limit.signal });
      return { status: response.status, retryAfter: response.headers.get("retry-after"), text: await response.text() };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** An answer that counts, one after which to come back, or one that refuses. */
  #read(status: number, retryAfter: string | null, text: string): Tried {
    const json = tryParse(text);
    if (status >= 200 && status < 300 && json) return { answer: json };
    const problem: ProblemDetails = json ?? { detail: `what answers at ${this.#address} with status ${status} is no hub` };
    const error = new AskbackError(status, problem, this.#requestId);
    if (!PASSING.includes(status)) throw error;
    const seconds = Number(retryAfter ?? Number.NaN);
    return seconds >= 0 ? { error, retryAfterMs: Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) } : { error };
  }

  #throwIfAborted(): void {
    const { signal } = this.#options;
    if (signal?.aborted) throw new AskAborted(this.#requestId, signal.reason);
  }
}

/** `fetch` itself only says that it failed; why is behind it. */
function reasonOf(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const { code, message: why = code } = (cause ?? {}) as { code?: string; message?: string };
  return why || code ? `${message} (${why || code})` : message;
}

function tryParse(text: string): object | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === "object" && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}
