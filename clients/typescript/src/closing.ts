// Why a hub closes a connection for good, in words.

import { show } from "./show.js";

/** A connection that is not tried again. */
export interface Closed {
  /** 4400 to 4499. */
  code: number;
  /** What the hub said. */
  reason: string;
  /** What that means and what to do, with the hub's own reason. */
  message: string;
}

const CARRY_OVER = "Begin with a new Y.Doc; `unsettled` lists the proposals to take along.";

const MESSAGES: Record<number, string> = {
  4400: "The hub could not read a message of this client.",
  4401: "The hub wants a token: there is none, or it is unknown, expired or revoked.",
  4403: "This token may not see that room.",
  4404: "There can be no room of that name.",
  4409: `This document has another history than the hub's. ${CARRY_OVER}`,
  4413: `A message was larger than the hub takes (1 MiB), or this document has grown too old. ${CARRY_OVER}`,
};

/** Describes a close code from 4400 to 4499. */
export function describeClose(code: number, reason: string): Closed {
  const means = MESSAGES[code] ?? `The hub closed the connection for good, with code ${code}.`;
  const message = reason === "" ? means : `${means} (The hub: ${show(reason, "line", "prose")})`;
  return { code, reason, message };
}
