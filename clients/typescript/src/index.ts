// @askback/client: answer the questions of an askback hub, and ask them.

export {
  answerInputRequest,
  cancelInputRequest,
  declineInputRequest,
  type NotSubmitted,
  type Reason,
  type Submission,
  type Submitted,
  type Which,
} from "./answering.js";
export type { HubOptions } from "./calls.js";
export { checkAnswer, checkAnswers, type AnswerProblem, type Asked, type Checked, type CheckedAnswers } from "./check.js";
export { isOnStep, nextOnStep, parseNumber } from "./decimal.js";
export type { EndedError } from "./ending.js";
export { AskAborted, AskbackError } from "./error.js";
export { FREE_TEXT_LENGTH } from "./free-text.js";
export type * as Api from "./generated/api.js";
export type { AskUserQuestion } from "./generated/ask-user-question.js";
export type { AskbackOutcome as Outcome } from "./generated/outcome.js";
export type * from "./generated/request.js";
export { ask, waitFor, type AskOptions } from "./http.js";
export { newId } from "./id.js";
export { OTHER_PLACEHOLDER } from "./kinds/choice.js";
export { offeredOptions, type OfferedOption } from "./options.js";
export type { HubProblem, ProblemCode, ProblemError } from "./problem.js";
export { unsettled, type Proposal, type Unsettled } from "./proposal.js";
export type { Accepted, Given, KindName, Question, Selected } from "./question.js";
export {
  find,
  finals,
  isFinal,
  observe,
  pending,
  type FinalRequest,
  type FinalStatus,
  type Form,
  type OneQuestion,
  type PendingRequest,
  type RequestItem,
  type Requests,
} from "./requests.js";
export type { Rule } from "./rule.js";
export { show, showPieces, type Layout, type Piece, type Purpose } from "./show.js";
export { length as countCodePoints } from "./text.js";
export {
  decodeVerdict,
  isFinalVerdict,
  type AnswerNotValid,
  type ClosedVerdict,
  type Counted,
  type DocumentVerdict,
  type FinalHubVerdict,
  type HubVerdict,
  type NotAllowed,
  type ProposalNotValid,
  type ReplacedVerdict,
  type RequestNotFound,
  type TooLate,
  type TryAgain,
  type Verdict,
} from "./verdict.js";
export { attachVerdicts, type VerdictProvider } from "./verdicts.js";
export { resumeProposal, verdictOf } from "./waiting.js";
