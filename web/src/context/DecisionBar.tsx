// What is asked, above what there is to look at and beside it as one scrolls, with how much of that was in view and the way to the decision.

import type { Question } from "@askback/client";
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import { Shown } from "../parts/Shown";
import { contextTexts } from "../texts/context";
import { useViewed } from "./viewed";

interface DecisionBarProps {
  questions: readonly Question[];
  /** The element of all contexts. */
  looked: RefObject<HTMLElement | null>;
  /** Whether all of them are there, and can be decided on. */
  isWhole: boolean;
  onJump: () => void;
}

export function DecisionBar({ questions, looked, isWhole, onJump }: DecisionBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const percent = useViewed(bar, looked, isWhole);
  const more = questions.length - 1;
  return (
    <div ref={bar} class="decision-bar">
      <p class="decision-asked" dir="auto">
        <Shown text={questions[0]?.message ?? ""} layout="line" />
      </p>
      <p class="decision-viewed">
        {more > 0 ? `${contextTexts.moreQuestions(more)} · ` : ""}
        {contextTexts.viewed(percent)}
      </p>
      <button type="button" disabled={!isWhole} onClick={onJump}>
        {contextTexts.jump}
      </button>
      <progress max={100} value={percent} aria-hidden="true" />
    </div>
  );
}
