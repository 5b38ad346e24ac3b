// What a decision needs besides a press: its control is in view, and so was the end of what there is to look at. It guards the page alone.

import { isOnScreen } from "../parts/in-sight";
import { disturb, isDeliberate, isPointing } from "./calm";

/** Why a press decides nothing. */
export type Refusal = "hurried" | "control out of view" | "end not viewed";

/** Answers need the end of what there is to look at; declining needs only its own button. */
export type Needs = "the end" | "its control";

/** Says why pressing `control` decides nothing, unless it does. */
export function refusalOf(control: Element, needs: Needs): Refusal | undefined {
  if (!isDeliberate()) return "hurried";
  if (!isInView(control) && !isSentFromField(control)) return "control out of view";
  const end = needs === "the end" ? unviewedEnd() : null;
  return end && !isInView(end) ? "end not viewed" : undefined;
}

/** Shows what a refusal is about. */
export function leadTo(refusal: Refusal, control: Element): void {
  const end = unviewedEnd();
  if (refusal === "control out of view") settle(() => scrollTo(control, "center"));
  if (refusal === "end not viewed" && end) goTo(end);
}

/** The end of the contexts, as long as it was neither in view nor in focus. */
function unviewedEnd(): HTMLElement | null {
  return document.querySelector<HTMLElement>("[data-unviewed]");
}

/** Whether an answer is sent by a key in its own field, which is in view. */
function isSentFromField(control: Element): boolean {
  const { activeElement } = document;
  const place = control.closest("form, [data-sends]");
  return activeElement !== null && activeElement.matches("input, textarea") && place?.contains(activeElement) === true && isInView(activeElement);
}

/** Whether the middle of an element is on the screen, and nothing lies over it. */
function isInView(element: Element): boolean {
  const place = element.closest("label") ?? element;
  const edges = place.getBoundingClientRect();
  const { left, top, width, height } = edges;
  return isOnScreen(edges) && place.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}

/** Takes the focus and the window to an element. */
export function goTo(element: HTMLElement): void {
  element.focus({ preventScroll: true });
  settle(() => scrollTo(element, "start"));
}

/** For what gets the focus: also rows that are laid out after that do not push it out of view. What is pointed at stays where it is. */
export function keepInView({ target }: FocusEvent): void {
  if (target instanceof Element && !isPointing()) settle(() => scrollTo(target, "nearest"));
}

function scrollTo(element: Element, block: ScrollLogicalPosition): void {
  element.scrollIntoView({ block, behavior: "instant" });
}

/** Frames in which rows that come near may turn out higher than expected. */
const FRAMES = 20;

let latest = 0;

/** Where the window was when that began: the browser itself moves it to what gets the focus. */
let before = 0;

/** Moves the window, and again while what is laid out on the way moves it elsewhere. A key, a wheel or a finger ends it. */
export function settle(move: () => void): void {
  latest += 1;
  const own = latest;
  const step = (left: number) => {
    if (left === 0 || own !== latest) return;
    move();
    if (window.scrollY !== before) disturb();
    before = window.scrollY;
    requestAnimationFrame(() => step(left - 1));
  };
  step(FRAMES);
}

function stop(): void {
  latest += 1;
  before = window.scrollY;
}

for (const type of ["keydown", "wheel", "touchstart", "pointerdown"]) window.addEventListener(type, stop, { capture: true, passive: true });
