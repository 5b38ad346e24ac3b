// The words for a request that has ended already, the same here and in the hub's verdicts.

import type { FinalStatus } from "./requests.js";

/** Why nothing can be proposed for a request any more. */
export type EndedError =
  | "Request already answered"
  | "Request was declined"
  | "Request was cancelled"
  | "Request is not pending";

/** What a late answer is told. */
export function describeEnd(status: FinalStatus): EndedError {
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
