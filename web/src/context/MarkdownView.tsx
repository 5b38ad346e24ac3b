// A Markdown text: as it is written until what formats it is there, then formatted, if it is not too large for that.

import type { VNode } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import { RowsView } from "./RowsView";
import { blocksOf, linesOf, rowsOf } from "./rows";

/** What became of the formatting; the caption says so where it is missing. */
export type Formatting = "loading" | "formatted" | "too large" | "not loaded";

interface MarkdownViewProps {
  text: string;
  isFormattable: boolean;
  onFormatting: (formatting: Formatting) => void;
  /** Hears when the text as it is written is there. */
  onDrawn: () => void;
}

export function MarkdownView({ text, isFormattable, onFormatting, onDrawn }: MarkdownViewProps) {
  const [parts, setParts] = useState<VNode[]>();
  const blocks = useCallback(() => blocksOf(rowsOf(linesOf(text))), [text]);

  useEffect(() => {
    let isCurrent = true;
    setParts(undefined);
    if (isFormattable) {
      import("./markdown-tokens").then(
        ({ format }) => {
          if (!isCurrent) return;
          const formatted = format(text);
          setParts(formatted);
          onFormatting(formatted ? "formatted" : "too large");
        },
        () => isCurrent && onFormatting("not loaded"),
      );
    }
    return () => {
      isCurrent = false;
    };
  }, [text, isFormattable, onFormatting]);

  if (!parts) return <RowsView blocks={blocks} reads="as text" onDrawn={onDrawn} />;
  return (
    <div class="markdown">
      {parts.map((part, index) => (
        <div key={index} class="markdown-part">
          {part}
        </div>
      ))}
    </div>
  );
}
