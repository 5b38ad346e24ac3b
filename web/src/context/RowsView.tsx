// Rows of code, of a diff or of text as it is written, drawn a few at a time until all are there.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { contextTexts } from "../texts/context";
import { Height, UNIT_OF_GROUP } from "./heights";
import { BLOCKS_OF_GROUP, SHARE_OUT_OF_SIGHT } from "./limits";
import { blockElement, groupElement, type Reads } from "./row-elements";
import { layoutWeight, type Row } from "./rows";
import { inSlices, type Steps } from "./slices";
import type { Budget } from "./work";

/** Blocks that are laid out at once, in so many contexts. The style sheet says so, too. */
const BLOCKS_LAID_OUT = 2;
const CONTEXTS_LAID_OUT = 4;

/** What a row adds to the weight of its text, and a block to that of its rows. */
const WEIGHT_OF_ROW = 20;
const WEIGHT_OF_EACH_BLOCK = 400;

interface RowsViewProps {
  /** Begins to make the rows, block by block. */
  blocks: () => Generator<Row[]>;
  reads: Reads;
  /** What all contexts may take. */
  budget: Budget;
  /** Which of the contexts it is: they are drawn in their order. */
  order: number;
  /** Hears when all of them are there. */
  onDrawn: () => void;
}

/**
 * The rows are put into the page without Preact, which would keep and compare something for each of them:
 * there may be hundreds of thousands, and none of them ever changes.
 */
export function RowsView({ blocks, reads, budget, order, onDrawn }: RowsViewProps) {
  const place = useRef<HTMLDivElement>(null);
  /** How many rows are drawn, until all are. */
  const [drawn, setDrawn] = useState<number | "all">(0);

  useLayoutEffect(() => {
    place.current?.replaceChildren();
    setDrawn(0);
    function* drawing(): Steps {
      let rows = 0;
      let count = 0;
      let group = groupElement();
      let height = new Height();
      for (const block of blocks()) {
        if (count % BLOCKS_OF_GROUP === 0) {
          give(group, height);
          group = groupElement();
          height = new Height();
          place.current?.append(group);
        }
        group.append(blockElement(block, height.add(block), reads));
        rows += block.length;
        count += 1;
        setDrawn(rows);
        yield weightOf(block) * (budget.see(block.length) || isLaidOut(count, order) ? 1 : SHARE_OUT_OF_SIGHT);
      }
      give(group, height);
      setDrawn("all");
    }
    return inSlices(drawing(), order);
  }, [blocks, reads, budget, order]);
  useEffect(() => (drawn === "all" ? onDrawn() : undefined), [drawn]);

  return (
    <>
      <div ref={place} />
      {drawn === "all" ? null : <p class="context-ours still-drawing">{contextTexts.drawing(drawn)}</p>}
    </>
  );
}

/** Says how high a group is, once all of it is there: sooner, the browser would look at its rows again for each block. */
function give(group: HTMLElement, height: Height): void {
  group.className += ` ${height.classes(UNIT_OF_GROUP)}`;
}

function isLaidOut(count: number, order: number): boolean {
  return count <= BLOCKS_LAID_OUT && order < CONTEXTS_LAID_OUT;
}

function weightOf(block: readonly Row[]): number {
  const name = block[0]?.file?.name ?? "";
  return block.reduce((sum, { text }) => sum + WEIGHT_OF_ROW + layoutWeight(text), WEIGHT_OF_EACH_BLOCK + layoutWeight(name));
}
