// Everything that is to be looked at before a request is answered.

import type { Question } from "@askback/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { goTo } from "../answer/sight";
import type { Context } from "../hub/request";
import { texts } from "../texts/page";
import { ContextEnd } from "./ContextEnd";
import { ContextView } from "./ContextView";
import { DecisionBar } from "./DecisionBar";
import { watchEnd } from "./end-key";
import { measureColumns } from "./heights";
import { areLong } from "./long";
import { Budget } from "./work";

export interface ContextsProps {
  contexts: readonly Context[];
  /** What is asked about them. */
  questions: readonly Question[];
  /** Whether it can still be answered. */
  isOpen: boolean;
  /** Hears when all of them can be seen, to their last line. */
  onWhole: () => void;
}

export function Contexts({ contexts, questions, isOpen, onWhole }: ContextsProps) {
  const whole = useRef(new Set<number>());
  const looked = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLParagraphElement>(null);
  const [budget] = useState(() => new Budget());
  const [isLong] = useState(() => areLong(contexts));
  const [isWhole, setWhole] = useState(false);
  useEffect(watchEnd, []);
  const note = (index: number) => {
    whole.current.add(index);
    if (whole.current.size < contexts.length) return;
    setWhole(true);
    onWhole();
  };
  return (
    <section ref={measureColumns} aria-labelledby="look">
      <h2 id="look" class="visually-hidden">
        {texts.request.look}
      </h2>
      {isOpen && isLong ? (
        <DecisionBar questions={questions} looked={looked} isWhole={isWhole} onJump={() => end.current && goTo(end.current)} />
      ) : null}
      <div ref={looked} class="contexts">
        {contexts.map((context, index) => (
          <ContextView key={index} context={context} order={index} budget={budget} onWhole={() => note(index)} />
        ))}
      </div>
      {isOpen && isWhole ? <ContextEnd place={end} isFar={isLong} /> : null}
    </section>
  );
}
