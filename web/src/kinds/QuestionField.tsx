// A question with its control, with what is expected, and with what is wrong.

import type { Checked, Given, KindName, Question } from "@askback/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Shown } from "../parts/Shown";
import { kindsTexts } from "../texts/kinds";
import { fieldId, type Control, type ControlProps, type Entry, type Problem } from "./control";
import { hintOf, inSentences, problemOf, sentence } from "./problem";
import { controlOf } from "./registry";

interface QuestionFieldProps {
  question: Question;
  entry: Entry;
  onEnter: (entry: Entry) => void;
  checked: Checked;
  isProblemShown: boolean;
  /** Begins the ids of its elements, so that none is there twice. */
  id: string;
  /** Answers the whole request; there only if the question is alone. */
  onDecide?: ((given: Given, control: Element) => void) | undefined;
  /** Where it stands among several, from 0. */
  position?: { index: number; count: number } | undefined;
}

export function QuestionField(props: QuestionFieldProps) {
  const { question, entry, onEnter, checked, isProblemShown, id, onDecide, position } = props;
  const [ownProblem, setOwnProblem] = useState<Problem>();
  const control = controlOf(question);
  const hint = hintOf(question);
  const problem = isProblemShown && !checked.ok ? (ownProblem ?? problemOf(question, entry, checked)) : undefined;
  const ids = { label: `${id}-message`, hint: `${id}-hint`, problem: `${id}-problem` };
  // What is wrong also says what is expected.
  const isHintShown = hint !== undefined && problem === undefined;
  const describedBy = isHintShown ? `${ids.hint} ${ids.problem}` : ids.problem;
  const field: ControlProps<KindName> = {
    question,
    entry,
    onEnter,
    checked,
    isProblemShown,
    id,
    labelledBy: ids.label,
    describedBy,
    onDecide,
    onProblem: setOwnProblem,
  };
  return (
    <div class="question" data-kind={question.type}>
      <Above header={question.header} position={position} />
      <Named control={control} id={id} labelId={ids.label} describedBy={describedBy} message={question.message}>
        <control.Field {...field} />
        {isHintShown && (
          <p class="hint" id={ids.hint}>
            <Shown text={sentence(hint)} layout="line" />
          </p>
        )}
      </Named>
      <p class="problem" id={ids.problem} aria-live="polite">
        {problem && <Shown text={inSentences(problem)} layout="line" />}
      </p>
    </div>
  );
}

interface AboveProps {
  header: string | undefined;
  position: QuestionFieldProps["position"];
}

/** What stands above the message: the header as a chip, and which question it is. */
function Above({ header, position }: AboveProps) {
  const isOneOfSeveral = position !== undefined && position.count > 1;
  if (header === undefined && !isOneOfSeveral) return null;
  return (
    <p class="question-above">
      {header !== undefined && (
        <bdi class="chip">
          <Shown text={header} layout="line" />
        </bdi>
      )}
      {isOneOfSeveral && <span class="question-position">{kindsTexts.position(position.index + 1, position.count)}</span>}
    </p>
  );
}

interface NamedProps {
  control: Control<KindName>;
  id: string;
  labelId: string;
  describedBy: string;
  message: string;
  children: ComponentChildren;
}

/** The message as the name of what answers it: a label of one field, or the legend of a group. */
function Named({ control, id, labelId, describedBy, message, children }: NamedProps) {
  const shown = (
    <span class="question-message" id={labelId} dir="auto">
      <Shown text={message} />
    </span>
  );
  if (control.shape === "group") {
    return (
      <fieldset class="question-body" aria-describedby={describedBy}>
        <legend>{shown}</legend>
        {children}
      </fieldset>
    );
  }
  return (
    <div class="question-body">
      <label for={fieldId(id)}>{shown}</label>
      {children}
    </div>
  );
}
