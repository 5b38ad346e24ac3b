// One thing to look at before deciding, shown whole: text, changes, code, a command or JSON.

import { show } from "@askback/client";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Shown } from "../parts/Shown";
import { contextTexts } from "../texts/context";
import { CopyButton } from "./CopyButton";
import { FileBar } from "./FileBar";
import { MarkdownView, type Formatting } from "./MarkdownView";
import { read, type Context, type Fact, type Reading } from "./reading";
import { RowsView } from "./RowsView";
import { Scroller } from "./Scroller";
import { inSlices, type Steps } from "./slices";
import type { Budget } from "./work";

interface ContextViewProps {
  context: Context;
  /** Which of the contexts it is. */
  order: number;
  /** What formatting all of them may take. */
  budget: Budget;
  /** Hears when all of it can be seen. */
  onWhole: () => void;
}

export function ContextView({ context, order, budget, onWhole }: ContextViewProps) {
  const { type, text, title, language } = context;
  const [reading, setReading] = useState<Reading>();
  const body = useRef<HTMLDivElement>(null);
  const [formatting, setFormatting] = useState<Formatting>("loading");
  // What matters may stand at the end of a line, and a decision must not be made while it is out of view.
  const [wraps, setWraps] = useState(true);
  const onFormatting = useCallback((became: Formatting) => setFormatting(became), []);

  const kind = contextTexts.kinds[type];
  const name = title ? show(title, "line", "exact") : kind;
  const facts = reading?.as === "markdown" ? [...reading.facts, ...said(reading.isFormattable ? formatting : "too large")] : (reading?.facts ?? []);

  useLayoutEffect(() => {
    function* reads(): Steps {
      setReading(yield* read({ type, text }));
    }
    return inSlices(reads(), order);
  }, [type, text, order]);
  const [isDrawn, setDrawn] = useState(false);
  const onDrawn = useCallback(() => setDrawn(true), []);
  const isLoading = !reading || (reading.as === "markdown" && reading.isFormattable && formatting === "loading");
  const isFormatted = reading?.as === "markdown" && (formatting === "formatted" || formatting === "formatted in part");
  const isWhole = isFormatted || (isDrawn && !isLoading);
  useEffect(() => (isWhole ? onWhole() : undefined), [isWhole]);
  return (
    <figure class={`context context-${type}`} aria-label={name} aria-busy={isLoading ? "true" : undefined}>
      <figcaption class="context-caption">
        <span class="context-title">
          <bdi>{title ? <Shown text={title} layout="line" /> : kind}</bdi>
        </span>
        <span class="context-facts">
          {title ? <span>{kind}</span> : null}
          {language ? (
            <bdi>
              <Shown text={language} layout="line" />
            </bdi>
          ) : null}
          {facts.map(({ says, tone }) => (
            <span key={says} class={tone ? `count-${tone}` : undefined}>
              {says}
            </span>
          ))}
        </span>
      </figcaption>
      <div class="context-tools">
        {reading?.as === "rows" ? (
          <button type="button" class="context-tool" aria-pressed={wraps} aria-label={contextTexts.wrapOf(name)} onClick={() => setWraps(!wraps)}>
            {contextTexts.wrap}
          </button>
        ) : null}
        <CopyButton text={text} name={name} shown={body} />
      </div>
      {type === "diff" ? <FileBar rows={body} /> : null}
      <Scroller name={name} class={`context-body ${type === "markdown" || wraps ? "wraps" : "scrolls"}`}>
        <div ref={body} class="context-text">
          {reading === undefined ? <p class="context-ours still-drawing">{contextTexts.drawing(0)}</p> : null}
          {reading?.as === "markdown" ? (
            <MarkdownView {...{ text, budget, order, onFormatting, onDrawn }} isFormattable={reading.isFormattable} blocks={reading.blocks} />
          ) : null}
          {reading?.as === "rows" ? <RowsView {...{ budget, order, onDrawn }} blocks={reading.blocks} reads="as code" /> : null}
        </div>
      </Scroller>
    </figure>
  );
}


function said(formatting: Formatting): Fact[] {
  switch (formatting) {
    case "too large":
      return [{ says: contextTexts.tooLargeToFormat }];
    case "formatted in part":
      return [{ says: contextTexts.formattedInPart }];
    case "not loaded":
      return [{ says: contextTexts.notFormatted }];
    case "loading":
    case "formatted":
      return [];
  }
}
