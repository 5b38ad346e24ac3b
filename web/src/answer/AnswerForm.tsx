// Everything with which one request is answered: its questions, a review if there are several, and the way out of answering.

import { checkAnswer, type Checked, type Given, type Question } from "@askback/client";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RequestView } from "../hub/request";
import type { Entry } from "../kinds/control";
import { QuestionField } from "../kinds/QuestionField";
import { controlOf } from "../kinds/registry";
import { Shown } from "../parts/Shown";
import { texts } from "../texts/page";
import { AskBack } from "./AskBack";
import { afterPress, disturb } from "./calm";
import { drafts, writeDraft } from "./drafts";
import { Review } from "./Review";
import { sendAnswer, sendDecline, sendings, type Wrong } from "./sending";
import { keepInView, leadTo, refusalOf, type Needs, type Refusal } from "./sight";

export function AnswerForm({ view }: { view: RequestView }) {
  const { id, questions } = view;
  const draft = drafts.value.get(id);
  const entries = draft?.entries ?? questions.map((question) => controlOf(question).begin(question as never));
  const reason = draft?.reason ?? "";
  const checks = questions.map((question, index) => checkAnswer(question, entries[index] ?? ""));
  const [visited, setVisited] = useState<ReadonlySet<number>>(new Set());
  const [isReviewing, setReviewing] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const form = useRef<HTMLFormElement>(null);

  const write = (index: number, entry: Entry) =>
    writeDraft(id, { entries: entries.map((earlier, at) => (at === index ? entry : earlier)), reason });
  const visit = (index: number) => setVisited((before) => (before.has(index) ? before : new Set(before).add(index)));
  /** Does it, if the person saw what they pressed, and what it is about. */
  const deliberately = (control: Element, needs: Needs, act: () => void) => {
    const found = refusalOf(control, needs);
    setRefusal(found);
    if (found) leadTo(found, control);
    else act();
  };
  const [only] = questions;
  const decidesItself = questions.length === 1 && only !== undefined && controlOf(only).decides === "by itself";
  const passes = checks.every((check) => check.ok);
  const isRejected = questions.some((question, index) => question.type === "approval" && entries[index] === "reject");
  const decide = (given: Given, control: Element) =>
    deliberately(control, "the end", () => {
      // Should somebody else be faster, it can still be seen what it was.
      writeDraft(id, { entries: [given], reason });
      sendAnswer(view, [given]);
    });
  /** Whoever tries to send what does not pass is told why. */
  const explain = (event: KeyboardEvent) => {
    const isTry = event.key === "Enter" && (event.ctrlKey || event.metaKey || !(event.target instanceof HTMLTextAreaElement));
    if (isTry && !passes && !decidesItself) setVisited(new Set(questions.keys()));
  };

  // What a press would do is another thing now.
  useLayoutEffect(disturb, [isReviewing]);

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!passes || decidesItself) return;
    if (questions.length > 1 && !isReviewing) return setReviewing(true);
    const control = event.submitter ?? form.current;
    if (control) deliberately(control, "the end", () => sendAnswer(view, entries));
  };

  return (
    <>
      <form
        ref={form}
        class="answer"
        aria-label={texts.answer.form}
        onSubmit={submit}
        onKeyDown={explain}
        onFocusIn={keepInView}
        noValidate
        autocomplete="off"
      >
        <Problems view={view} />
        {/* Where that led to. */}
        <Refused why={refusal === "end not viewed" ? refusal : undefined} />
        {isReviewing ? (
          <Review view={view} checks={checks} onChange={(index) => change(setReviewing, form, index)} />
        ) : (
          <Questions
            questions={questions}
            entries={entries}
            checks={checks}
            visited={visited}
            onEnter={write}
            onVisit={visit}
            onDecide={decidesItself ? decide : undefined}
          />
        )}
        {decidesItself ? null : (
          <Send checks={checks} isReviewing={isReviewing} onFirst={(index) => (visit(index), focusQuestion(form, index))} />
        )}
        {isRejected && !passes ? <p class="muted">{texts.answer.rejecting}</p> : null}
        <Refused why={refusal === "end not viewed" ? undefined : refusal} />
      </form>
      <AskBack
        reason={reason}
        onReason={(text) => writeDraft(id, { entries, reason: text })}
        onSend={(control) => deliberately(control, "its control", () => sendDecline(view, reason))}
      />
    </>
  );
}

const REFUSED: Record<Refusal, string> = {
  hurried: texts.answer.calm,
  "control out of view": texts.answer.outOfView,
  "end not viewed": texts.answer.endNotViewed,
};

/** Says that a press decided nothing, and why. */
function Refused({ why }: { why: Refusal | undefined }) {
  return (
    <p class="calm" role="alert">
      {why === undefined ? "" : REFUSED[why]}
    </p>
  );
}

interface QuestionsProps {
  questions: readonly Question[];
  entries: readonly Entry[];
  checks: readonly Checked[];
  visited: ReadonlySet<number>;
  onEnter: (index: number, entry: Entry) => void;
  onVisit: (index: number) => void;
  onDecide: ((given: Given, control: Element) => void) | undefined;
}

function Questions({ questions, entries, checks, visited, onEnter, onVisit, onDecide }: QuestionsProps) {
  const count = questions.length;
  return (
    <div class="questions">
      {questions.map((question, index) => (
        <div
          key={index}
          class="question-place"
          data-question={index}
          onFocusOut={(event) => hasLeft(event) && afterPress(() => onVisit(index))}
        >
          <QuestionField
            id={`q${index}`}
            question={question}
            entry={entries[index] ?? ""}
            checked={checks[index] as Checked}
            isProblemShown={visited.has(index)}
            onEnter={(entry) => onEnter(index, entry)}
            onDecide={onDecide}
            position={count > 1 ? { index, count } : undefined}
          />
        </div>
      ))}
    </div>
  );
}

/** How far one is, and the button that goes on. */
function Send({ checks, isReviewing, onFirst }: { checks: readonly Checked[]; isReviewing: boolean; onFirst: (index: number) => void }) {
  const done = checks.filter((check) => check.ok).length;
  const count = checks.length;
  const label = count === 1 ? texts.answer.send : isReviewing ? texts.answer.sendAll : texts.answer.review;
  const first = checks.findIndex((check) => !check.ok);
  return (
    <div class="send">
      {count > 1 ? (
        <div class="progress">
          <progress max={count} value={done} aria-label={texts.answer.progress(done, count)} />
          <span>{texts.answer.progress(done, count)}</span>
          {first >= 0 && done > 0 ? (
            <button type="button" class="quiet" onClick={() => onFirst(first)}>
              {texts.answer.first}
            </button>
          ) : null}
        </div>
      ) : null}
      <button type="submit" class="primary" disabled={done < count} data-send>
        {label}
      </button>
    </div>
  );
}

/** What the hub said of the last try. */
function Problems({ view }: { view: RequestView }) {
  const sending = sendings.value.get(view.id);
  if (sending?.is !== "wrong" && sending?.is !== "failed") return null;
  const problems: readonly Wrong[] = sending.is === "wrong" ? sending.problems : [];
  return (
    <div class="notice error" role="alert">
      <p>{sending.is === "wrong" ? texts.answer.wrong : `${texts.answer.failed} ${sending.message}`}</p>
      {problems.length > 0 ? (
        <ul>
          {problems.map(({ path, message, expected }) => (
            <li key={path}>
              {view.questions.length > 1 ? `${questionOf(path)} ` : ""}
              <Shown text={`${message}. ${texts.answer.expected(expected)}`} layout="line" />
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Which question a path such as `responses[1]` is about. */
function questionOf(path: string): string {
  const index = /\[(\d+)\]/.exec(path)?.[1];
  return index === undefined ? "" : texts.answer.inQuestion(Number(index) + 1);
}

function hasLeft(event: FocusEvent): boolean {
  const { currentTarget, relatedTarget } = event;
  return !(currentTarget instanceof Node && relatedTarget instanceof Node && currentTarget.contains(relatedTarget));
}

/** Back from the review, to the question that is to be changed. */
function change(setReviewing: (is: boolean) => void, form: { current: HTMLFormElement | null }, index: number): void {
  setReviewing(false);
  // Once it is there again.
  setTimeout(() => focusQuestion(form, index));
}

function focusQuestion(form: { current: HTMLFormElement | null }, index: number): void {
  const place = form.current?.querySelector(`[data-question="${index}"]`);
  const control = place?.querySelector<HTMLElement>("input:checked, input:not([type=radio]), textarea, input, button");
  control?.focus();
  place?.scrollIntoView({ block: "center" });
}
