// Rows of code, of a diff or of text as it is written, drawn a few at a time until all are there.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { contextTexts } from "../texts/context";
import { DRAWING_MS } from "./limits";
import { blockElement, type Reads } from "./row-elements";
import type { Row } from "./rows";

interface RowsViewProps {
  /** Begins to make the rows, block by block. */
  blocks: () => Generator<Row[]>;
  reads: Reads;
  /** Hears when all of them are there. */
  onDrawn: () => void;
}

/**
 * The rows are put into the page without Preact, which would keep and compare something for each of them:
 * there may be hundreds of thousands, and none of them ever changes.
 */
export function RowsView({ blocks, reads, onDrawn }: RowsViewProps) {
  const place = useRef<HTMLDivElement>(null);
  const left = useRef<Generator<Row[]>>(undefined);
  /** How many rows are drawn, until all are. */
  const [drawn, setDrawn] = useState<number | "all">(0);

  const drawMore = () => {
    const until = performance.now() + DRAWING_MS;
    let rows = 0;
    do {
      const next = left.current?.next();
      if (!next || next.done) return setDrawn("all");
      place.current?.append(blockElement(next.value, reads));
      rows += next.value.length;
    } while (performance.now() < until);
    return setDrawn((before) => (before === "all" ? rows : before + rows));
  };

  // What fits into the first slice is there before anything is painted.
  useLayoutEffect(() => {
    left.current = blocks();
    place.current?.replaceChildren();
    setDrawn(0);
    drawMore();
  }, [blocks, reads]);
  useEffect(() => (drawn === "all" ? onDrawn() : whenIdle(drawMore)), [drawn]);

  return (
    <>
      <div ref={place} />
      {drawn === "all" ? null : <p class="context-ours still-drawing">{contextTexts.drawing(drawn)}</p>}
    </>
  );
}

/** How long a page that is never idle waits for the next rows, in milliseconds. */
const LONGEST_WAIT_MS = 50;

/** Calls back in a task of its own; gives back what takes that back. Safari knows no idle callback. */
function whenIdle(call: () => void): () => void {
  if ("requestIdleCallback" in globalThis) {
    const id = requestIdleCallback(call, { timeout: LONGEST_WAIT_MS });
    return () => cancelIdleCallback(id);
  }
  const id = setTimeout(call, 0);
  return () => clearTimeout(id);
}
