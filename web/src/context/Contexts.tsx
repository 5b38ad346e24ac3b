// Everything that is to be looked at before a request is answered.

import { useRef, useState } from "preact/hooks";
import type { Context } from "../hub/request";
import { texts } from "../texts/page";
import { ContextView } from "./ContextView";
import { measureColumns } from "./heights";
import { Budget } from "./work";

export interface ContextsProps {
  contexts: readonly Context[];
  /** Hears when all of them can be seen, to their last line. */
  onWhole: () => void;
}

export function Contexts({ contexts, onWhole }: ContextsProps) {
  const whole = useRef(new Set<number>());
  const [budget] = useState(() => new Budget());
  const note = (index: number) => {
    whole.current.add(index);
    if (whole.current.size === contexts.length) onWhole();
  };
  return (
    <section ref={measureColumns} class="contexts" aria-labelledby="look">
      <h2 id="look" class="visually-hidden">
        {texts.request.look}
      </h2>
      {contexts.map((context, index) => (
        <ContextView key={index} context={context} order={index} budget={budget} onWhole={() => note(index)} />
      ))}
    </section>
  );
}
