// Nothing is decided by a click or a key that was meant for something else: for what stood there a moment ago, or to bring the
// window to the front.

import { useCallback, useEffect, useState } from "preact/hooks";

/** As long as it takes to see that something else is there. */
export const CALM_MS = 400;

let lastChange = -CALM_MS;

/** Something else is on the screen from now on. */
export function disturb(): void {
  lastChange = performance.now();
}

/** When the last press began. */
let pressedAt = -Infinity;

/** Whether a key is being held down: it presses again and again, and means nothing by it. */
let isHeld = false;

/** A press that is older led to something else. What no press led to is a screen reader's doing: that found the button by name. */
const PRESS_MS = 1000;

/** Whether the press that leads to a decision began on a screen that had stood still. */
export function isDeliberate(): boolean {
  if (isHeld) return false;
  const now = performance.now();
  const began = now - pressedAt < PRESS_MS ? pressedAt : now;
  return began - lastChange >= CALM_MS;
}

/** For what comes and goes above the buttons, and moves them. What is drawn as one scrolls to it does not: the browser holds on to what is seen. */
export function useStanding(): (element: Element | null) => void {
  const [observer] = useState(() => new ResizeObserver(disturb));
  useEffect(() => () => observer.disconnect(), []);
  return useCallback((element: Element | null) => {
    observer.disconnect();
    if (element) observer.observe(element);
  }, []);
}

let isPressing = false;

/** Whether a mouse or a finger is down. */
export function isPointing(): boolean {
  return isPressing;
}

/** Does it once nothing is being pressed: what it moves would not be where the press began, and the click would be lost. */
export function afterPress(act: () => void): void {
  if (!isPressing) return act();
  const end = () => setTimeout(act);
  window.addEventListener("pointerup", end, { once: true });
}

export function watchPresses(): void {
  window.addEventListener("focus", disturb);
  document.addEventListener("visibilitychange", disturb);
  window.addEventListener(
    "pointerdown",
    () => {
      pressedAt = performance.now();
      isPressing = true;
    },
    { capture: true },
  );
  for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => (isPressing = false), { capture: true });
  window.addEventListener(
    "keydown",
    (event) => {
      isHeld = event.repeat;
      if (!event.repeat) pressedAt = performance.now();
    },
    { capture: true },
  );
  window.addEventListener("keyup", () => (isHeld = false), { capture: true });
  // A key that is let go elsewhere is not held here.
  window.addEventListener("blur", () => (isHeld = false));
}
