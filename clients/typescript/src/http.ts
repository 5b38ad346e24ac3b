// Asks over HTTP, and waits for the outcome through whatever happens on the way.

import { Calls, type HubOptions } from "./calls.js";
import type { Record as RequestRecord } from "./generated/api.js";
import type { AskbackOutcome } from "./generated/outcome.js";
import type { AskbackRequest } from "./generated/request.js";
import { newId } from "./id.js";

/** Seconds that the hub waits in one call; it allows no more. */
const WAIT_S = 60;

/** A hub that says "pending" sooner than this does not wait; it is not to be called in a tight circle. */
const TOO_SOON_MS = 1000;

/** How to ask. */
export interface AskOptions extends HubOptions {
  /** Asking twice with the same key is asking once, also by another process; it becomes the request's `key`. */
  key?: string;
  /** The request's id, a UUID of version 7; a fresh one by default. Whoever chooses it can find the request whatever happens. */
  id?: string;
}

/**
 * Asks, and waits for the outcome for as long as it takes. Tries again while the hub stops or can't be reached, without ever
 * asking twice; throws `AskbackError` if the hub refuses, and `AskAborted` if the signal ends the waiting.
 */
export async function ask(request: AskbackRequest, { key, id = newId(), ...options }: AskOptions): Promise<AskbackOutcome> {
  const body = JSON.stringify(key === undefined ? request : { ...request, key });
  const path = `?id=${encodeURIComponent(id)}`;
  const asked = await new Calls(options, id).send<RequestRecord>({ method: "POST", path, body });
  // With a key it may be a request that was there before, under an id of its own.
  return waitFor(asked.id, options);
}

/** Waits for the outcome of a request, also of one that another process asked. */
export async function waitFor(id: string, options: HubOptions): Promise<AskbackOutcome> {
  const calls = new Calls(options, id);
  const path = `/${encodeURIComponent(id)}?wait=${WAIT_S}`;
  for (;;) {
    const began = Date.now();
    const outcome = await calls.send<AskbackOutcome>({ method: "GET", path, takesMs: WAIT_S * 1000 });
    if (outcome.status !== "pending") return outcome;
    if (Date.now() - began < TOO_SOON_MS) await calls.pause(TOO_SOON_MS);
  }
}
