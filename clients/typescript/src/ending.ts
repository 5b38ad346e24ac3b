// The words for a request that has ended already, the same here and in the hub's verdicts.

import type { ProblemCode } from "./problem.js";
import type { FinalStatus } from "./requests.js";

/** Why nothing can be proposed for a request any more. */
export type EndedError =
  | "Request already answered"
  | "Request was declined"
  | "Request was cancelled"
  | "Request is not pending";

/** The code of every late answer, however the request ended. */
const ENDED = "already-ended" satisfies ProblemCode;

/** The code and the words for a late answer. */
export function describeEnd(status: FinalStatus): { code: typeof ENDED; error: EndedError } {
  return { code: ENDED, error: wordsFor(status) };
}

function wordsFor(status: FinalStatus): EndedError {
  switch (status) {
    case "answered":
      return "Request already answered";
    case "declined":
      return "Request was declined";
    case "cancelled":
      return "Request was cancelled";
    default:
      return "Request is not pending";
  }
}
