// A Markdown text: as it is written until what formats it is there, then formatted part by part, if it is not too large for that.

import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { contextTexts } from "../texts/context";
import { RowsView } from "./RowsView";
import type { Row } from "./rows";
import { inSlices, type Steps } from "./slices";
import type { Budget } from "./work";

/** What became of the formatting; the caption says so where it is missing. */
export type Formatting = "loading" | "formatted" | "formatted in part" | "too large" | "not loaded";

interface MarkdownViewProps {
  text: string;
  isFormattable: boolean;
  /** The text as it is written. */
  blocks: () => Generator<Row[]>;
  budget: Budget;
  /** Which of the contexts it is: they are formatted in their order. */
  order: number;
  onFormatting: (formatting: Formatting) => void;
  /** Hears when the text as it is written is there. */
  onDrawn: () => void;
}

/** What formats, once it is there. */
let loaded: typeof import("./markdown-tokens") | undefined;

export function MarkdownView({ text, isFormattable, blocks, budget, order, onFormatting, onDrawn }: MarkdownViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const [formatter, setFormatter] = useState(isFormattable ? loaded : undefined);
  const [isAll, setAll] = useState(false);

  useEffect(() => {
    if (!isFormattable) return;
    import("./markdown-tokens").then(
      (module) => setFormatter((loaded = module)),
      () => onFormatting("not loaded"),
    );
  }, [isFormattable, onFormatting]);

  useLayoutEffect(() => {
    if (!formatter) return undefined;
    const { format } = formatter;
    const parts: HTMLElement[] = [];
    function* drawing(): Steps {
      let became: Formatting = "formatted";
      for (const part of format(text, budget)) {
        if (part) {
          const element = document.createElement("div");
          element.className = "markdown-part";
          // By itself, so that the time that it takes is seen, and ends the slice.
          render(part.shown, element);
          place.current?.append(element);
          parts.push(element);
          if (part.isAsWritten) became = "formatted in part";
        }
        yield part?.weight;
      }
      setAll(true);
      onFormatting(became);
    }
    const stop = inSlices(drawing(), order);
    return () => {
      stop();
      for (const part of parts) {
        render(null, part);
        part.remove();
      }
    };
  }, [formatter, text, budget, order, onFormatting]);

  if (!formatter) return <RowsView {...{ blocks, budget, order, onDrawn }} reads="as text" />;
  return (
    <>
      <div ref={place} class="markdown" />
      {isAll ? null : <p class="context-ours still-drawing">{contextTexts.formatting}</p>}
    </>
  );
}
