// Why the hub refuses a call or a proposal: a code to branch on, and what is wrong with which field.

import type { Problem, Verdict } from "./generated/api.js";

/** Why the hub refuses: a stable word, the same in a verdict and at the end of a problem's `type` over HTTP. */
export type ProblemCode = NonNullable<Verdict["code"]>;

/** One broken rule at one field of a proposal. */
export type HubProblem = NonNullable<Verdict["problems"]>[number];

/** One broken rule at one field of a request. */
export type ProblemError = NonNullable<Problem["errors"]>[number];
