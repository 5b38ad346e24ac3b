// The end of what there is to look at: nothing is decided before it was in view or in focus.

import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isOnScreen } from "../parts/in-sight";
import { contextTexts } from "../texts/context";

/** Below the header of the page. */
const IN_VIEW: IntersectionObserverInit = { rootMargin: "-56px 0px 0px", threshold: 0.5 };

interface ContextEndProps {
  place: RefObject<HTMLParagraphElement | null>;
  /** Whether it is so far away that it should be seen what it is. */
  isFar: boolean;
}

export function ContextEnd({ place, isFar }: ContextEndProps) {
  const [isViewed, setViewed] = useState(false);
  useEffect(() => {
    const { current: end } = place;
    if (isViewed || !end) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting, boundingClientRect }) => isIntersecting && isOnScreen(boundingClientRect))) setViewed(true);
    }, IN_VIEW);
    observer.observe(end);
    return () => observer.disconnect();
  }, [isViewed]);
  return (
    <p
      ref={place}
      class={isFar ? "context-end far" : "context-end"}
      tabIndex={-1}
      data-unviewed={isViewed ? undefined : true}
      onFocus={() => setViewed(true)}
    >
      {contextTexts.end}
    </p>
  );
}
