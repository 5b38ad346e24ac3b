// What goes wrong over HTTP, as something to catch.

import type { Problem } from "./generated/api.js";
import type { AskbackOutcome } from "./generated/outcome.js";
import type { ProblemError } from "./problem.js";

/** The body of an error, by RFC 9457. A server that is not a hub may leave out any field, and has types of its own. */
export type ProblemDetails = { [Field in keyof Problem]?: Field extends "type" ? string : Problem[Field] };

/** The hub refused a call, or could not be reached for too long. */
export class AskbackError extends Error {
  override readonly name = "AskbackError";
  /** The status of the answer; 0 if there was none. */
  readonly status: number;
  /** The end of the problem's type, to branch on: `invalid-request`, `forbidden`, …; `unreachable` if nobody answered. */
  readonly type: string;
  /** What is wrong with which field. */
  readonly errors: readonly ProblemError[];
  /** The request; it may have been asked if the hub could not be reached. */
  readonly requestId: string;
  /** The outcome that counts, where the request has ended. */
  readonly outcome: AskbackOutcome | undefined;

  constructor(status: number, problem: ProblemDetails, requestId: string, options?: ErrorOptions) {
    const errors = problem.errors ?? [];
    const details = errors.map(({ path, message, expected }) => `${path}: ${message} (expected ${expected})`);
    const said = problem.detail ?? problem.title ?? `the hub answered with status ${status}`;
    // The hub's own summary names the first problems already.
    super([said, ...details.filter((detail) => !said.includes(detail))].join("\n  "), options);
    this.status = status;
    this.type = problem.type?.split(":").at(-1) ?? "";
    this.errors = errors;
    this.requestId = requestId;
    this.outcome = problem.outcome;
  }
}

/** The caller's signal ended the waiting. The request stays as it is. */
export class AskAborted extends Error {
  /** As whatever a signal aborts is called. */
  override readonly name = "AbortError";
  /** With this id `waitFor` goes on waiting. */
  readonly requestId: string;

  constructor(requestId: string, reason: unknown) {
    super(`waiting was aborted; request ${requestId} stays pending if the hub has it`, { cause: reason });
    this.requestId = requestId;
  }
}
