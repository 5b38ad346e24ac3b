// What an outcome means to a person: a rejected approval is a decline that says no, and neither is a success.

import type { Ended, RequestView } from "../hub/request";

export type Result = Ended["status"] | "rejected";

/** The status of an outcome, or "rejected" for a decline that rejects an approval. */
export function resultOf(view: RequestView, { status, responses }: Ended): Result {
  const isRejected = status === "declined" && view.questions.some(({ type }, index) => type === "approval" && responses[index] === "reject");
  return isRejected ? "rejected" : status;
}
