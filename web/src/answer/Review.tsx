// The answers of a form before they are sent, each with the way back to it.

import type { Checked } from "@askback/client";
import { useEffect, useRef } from "preact/hooks";
import type { RequestView } from "../hub/request";
import { line } from "../parts/line";
import { Shown } from "../parts/Shown";
import { texts } from "../texts/page";
import { Response } from "./Response";

interface ReviewProps {
  view: RequestView;
  checks: readonly Checked[];
  onChange: (index: number) => void;
}

export function Review({ view, checks, onChange }: ReviewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="review">
      <h2 ref={heading} tabIndex={-1}>
        {texts.answer.reviewTitle}
      </h2>
      <dl>
        {view.questions.map((question, index) => {
          const check = checks[index];
          return (
            <div key={index} class="reviewed">
              <dt dir="auto">
                <Shown text={question.message} />
              </dt>
              <dd dir="auto">
                <Response question={question} response={check?.ok ? check.written : ""} />
              </dd>
              <dd class="change">
                <button
                  type="button"
                  class="quiet"
                  aria-label={texts.answer.changeWhat(line(question.message))}
                  onClick={() => onChange(index)}
                >
                  {texts.answer.change}
                </button>
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
