// A part that scrolls sideways if it must; then it says so, has a name and can be reached with the keyboard. It never scrolls down by
// itself: whoever comes to the buttons has come past all of it.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { contextTexts } from "../texts/context";

interface ScrollerProps {
  name: string;
  class: string;
  children: ComponentChildren;
}

export function Scroller({ name, class: className, children }: ScrollerProps) {
  const outer = useRef<HTMLDivElement>(null);
  const inner = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);

  useEffect(() => {
    const { current: box } = outer;
    if (!box || !inner.current) return undefined;
    const observer = new ResizeObserver(() => setWide(box.scrollWidth > box.clientWidth + 1));
    observer.observe(box);
    observer.observe(inner.current);
    return () => observer.disconnect();
  }, []);

  const reached = isWide ? ({ tabIndex: 0, role: "region", "aria-label": name } as const) : {};
  return (
    <>
      <div ref={outer} class={`scroller ${className}`} {...reached}>
        <div ref={inner} class="scroller-inside">
          {children}
        </div>
      </div>
      {/* Many browsers show no scroll bar. */}
      {isWide ? <p class="context-ours scroll-hint">{contextTexts.scrollSideways}</p> : null}
    </>
  );
}
