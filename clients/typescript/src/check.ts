// Whether answers pass, by the same rules as in the hub, so that a surface can say so before it sends them (F15).

import { KINDS } from "./kinds/registry.js";
import type { HubProblem } from "./problem.js";
import type { Accepted, Given, KindName, Question, Reader, Selected } from "./question.js";
import { Refusal, type Rule } from "./rule.js";
import { isWellFormed } from "./text.js";

/** An answer that passes, or the rule it breaks and what would pass. */
export type Checked = ({ ok: true } & Accepted) | { ok: false; rule: Rule; message: string; expected: string };

/** One broken rule at one place, such as `responses[1]`, or `answers[1]` where some are given as lists; as the hub says it. */
export interface AnswerProblem extends HubProblem {
  rule: Rule;
}

/** All answers of a request, or everything that is wrong with them. */
export type CheckedAnswers = { ok: true; answers: Accepted[] } | { ok: false; problems: AnswerProblem[] };

/** One question inline, as in a document or a request, or several of them. */
export type Asked = Question | { readonly questions: readonly Question[] };

/** Checks one answer against its question. The question is one that a hub has accepted: it is not checked itself. */
export function checkAnswer(question: Question, given: Given): Checked {
  try {
    checkShape(given);
    return { ok: true, ...readerOf(question.type)(question as never, given) };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const { rule, message, expected } = refusal;
    return { ok: false, rule, message, expected };
  }
}

/** Checks one answer for each question of a request, in order. */
export function checkAnswers(asked: Asked, responses: readonly Given[]): CheckedAnswers {
  // As over HTTP, written forms are called responses, and lists make them answers.
  const path = responses.some((given) => typeof given === "object") ? "answers" : "responses";
  const questions = "questions" in asked ? asked.questions : [asked];
  if (responses.length !== questions.length) {
    const message = `${counted(responses.length, "answer")} came for ${counted(questions.length, "question")}`;
    return { ok: false, problems: [{ path, rule: "answers", message, expected: "one answer for each question" }] };
  }
  const answers: Accepted[] = [];
  const problems: AnswerProblem[] = [];
  for (const [index, question] of questions.entries()) {
    const checked = checkAnswer(question, responses[index] as Given);
    if (checked.ok) {
      const { ok: _, ...answer } = checked;
      answers.push(answer);
    } else {
      problems.push(problemAt(`${path}[${index}]`, checked));
    }
  }
  return problems.length === 0 ? { ok: true, answers } : { ok: false, problems };
}

/** A refusal, and what it is about. */
export function problemAt(path: string, { rule, message, expected }: Omit<AnswerProblem, "path">): AnswerProblem {
  return { path, rule, message, expected };
}

function readerOf(kind: string): Reader<KindName> {
  if (Object.hasOwn(KINDS, kind)) return KINDS[kind as KindName] as Reader<KindName>;
  throw new Refusal("type", `questions of type ${kind} are newer than this client`, "a newer @askback/client");
}

/** Callers without types, and texts from outside, may bring anything. */
function checkShape(given: Given): void {
  const texts = typeof given === "string" ? [given] : isSelected(given) ? [...given.selections, given.custom ?? ""] : undefined;
  if (!texts?.every((text) => typeof text === "string")) {
    throw new Refusal("type", "this is no answer", "a text, or an object such as {selections: [\"A\"], custom: \"mine\"}");
  }
  if (!texts.every(isWellFormed)) throw new Refusal("json", "the text has half a character", "text in Unicode");
}

function isSelected(given: unknown): given is Selected {
  return typeof given === "object" && given !== null && Array.isArray((given as Selected).selections);
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
