// The name of the file that one is in the middle of, at the top of the window while its own heading is out of view.

import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface FileBarProps {
  /** The rows of the diff. */
  rows: RefObject<HTMLElement | null>;
}

/** The style sheet has a place for each step of so many pixels. */
const STEP_PX = 8;
const STEPS = 30;

/** A copy for the eye: a screen reader has the headings themselves. */
export function FileBar({ rows }: FileBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let isPlanned = false;
    const show = () => {
      isPlanned = false;
      if (bar.current && rows.current) update(bar.current, rows.current);
    };
    const plan = () => {
      if (!isPlanned) requestAnimationFrame(show);
      isPlanned = true;
    };
    document.addEventListener("scroll", plan, { passive: true });
    window.addEventListener("resize", plan);
    return () => {
      document.removeEventListener("scroll", plan);
      window.removeEventListener("resize", plan);
    };
  }, [rows]);
  return <div ref={bar} class="file-bar" aria-hidden="true" />;
}

/** Shows the heading of the file whose rows begin below what covers the top of the window. */
function update(bar: HTMLElement, rows: HTMLElement): void {
  const { left, top, bottom, width } = rows.getBoundingClientRect();
  const covered = coveredHeight();
  const isAround = top < covered && bottom > covered + bar.offsetHeight;
  // The bar itself is seen through.
  const at = isAround ? document.elementFromPoint(left + width / 2, covered + 1) : null;
  const name = at && rows.contains(at) ? headingAbove(at, covered)?.firstElementChild : undefined;
  if (bar.textContent !== (name?.textContent ?? "")) bar.replaceChildren(...(name ? [name.cloneNode(true)] : []));
  const place = name ? `file-bar below-${Math.min(STEPS, Math.floor(covered / STEP_PX))}` : "file-bar";
  if (bar.className !== place) bar.className = place;
}

/** How much of the window's top the bars of the page cover. */
function coveredHeight(): number {
  const bars = [...document.querySelectorAll<HTMLElement>(".top, .decision-bar")].filter((bar) => getComputedStyle(bar).position === "sticky");
  return bars.reduce((covered, bar) => {
    const { top, bottom } = bar.getBoundingClientRect();
    return top <= covered + 1 ? Math.max(covered, bottom) : covered;
  }, 0);
}

/** The heading of the file to which a row belongs, unless it can be seen itself: that of its block, or of the nearest one before it. */
function headingAbove(row: Element, covered: number): Element | undefined {
  let block = row.closest(".rows-block");
  const own = block?.querySelector(":scope > .file-heading");
  if (own) return own.getBoundingClientRect().bottom > covered + 1 ? undefined : own;
  while (block) {
    const heading = block.querySelector(":scope > .file-heading");
    if (heading) return heading;
    block = block.previousElementSibling ?? block.parentElement?.previousElementSibling?.lastElementChild ?? null;
  }
  return undefined;
}
