// How much of what there is to look at has been in view.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { screenEdges } from "../parts/in-sight";

/** From where to where, as shares of the whole. */
export type Stretch = readonly [from: number, to: number];

/** The stretches with one more; those that meet become one. */
export function withStretch(stretches: readonly Stretch[], added: Stretch): Stretch[] {
  const isApart = ([from, to]: Stretch) => to < added[0] || from > added[1];
  const met = [added, ...stretches.filter((one) => !isApart(one))];
  return [...stretches.filter(isApart), [Math.min(...met.map(([from]) => from)), Math.max(...met.map(([, to]) => to))]];
}

/** Less than a line: what is missing where the whole was scrolled through, by rounding. */
const MISSED_PX = 16;

/** How many of a hundred parts the stretches of this height are: all only if no line is missing. */
export function percentOf(stretches: readonly Stretch[], height: number): number {
  const sum = stretches.reduce((sum, [from, to]) => sum + to - from, 0);
  return (1 - sum) * height < MISSED_PX ? 100 : Math.min(99, Math.floor(sum * 100));
}

/** The percentage of `looked` that was below `bar` and in the window, from when all of it is there. */
export function useViewed(bar: RefObject<HTMLElement | null>, looked: RefObject<HTMLElement | null>, isWhole: boolean): number {
  const [percent, setPercent] = useState(0);
  const stretches = useRef<Stretch[]>([]);
  useEffect(() => {
    const [above, place] = [bar.current, looked.current];
    if (!isWhole || !above || !place) return undefined;
    const look = () => {
      const { top, height } = place.getBoundingClientRect();
      const screen = screenEdges();
      const from = Math.max(0, (Math.max(above.getBoundingClientRect().bottom, screen.top) - top) / height);
      const to = Math.min(1, (screen.bottom - top) / height);
      if (to <= from) return;
      stretches.current = withStretch(stretches.current, [from, to]);
      setPercent(percentOf(stretches.current, height));
    };
    // It is told of the size once that is known, so that nothing is laid out only for this.
    const observer = new ResizeObserver(look);
    observer.observe(place);
    window.addEventListener("scroll", look, { passive: true });
    window.visualViewport?.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", look);
      window.visualViewport?.removeEventListener("scroll", look);
    };
  }, [isWhole]);
  return percent;
}
