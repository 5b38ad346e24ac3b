// Keys for those who like them: they move and choose, and never answer by themselves. They can be switched off (WCAG 2.1.4).

import { signal } from "@preact/signals";
import { go, pathOf, place } from "./address";
import { isOn } from "./settings";
import { nextWaiting } from "./order";

/** Whether the list of keys is open. */
export const isHelpOpen = signal(false);

/** The button that sends what one is at: the answer, or the question back. */
function sender(target: EventTarget | null): HTMLElement | null {
  const around = target instanceof Element ? target.closest("[data-sends]") : null;
  return (around ?? document).querySelector<HTMLElement>(around ? "[data-send-this]" : "[data-send]");
}

/** Whoever types goes on typing for so long after the field is gone, because somebody else has answered. */
const TYPING_MS = 1000;

let typedAt = -Infinity;

function isStillTyping(event: KeyboardEvent): boolean {
  const isLetter = event.key.length === 1 || event.key === "Backspace";
  const isGoingOn = isLetter && event.timeStamp - typedAt < TYPING_MS;
  // Enter, Tab and the like end it.
  typedAt = isLetter && (isTyping(event.target) || isGoingOn) ? event.timeStamp : -Infinity;
  return isTyping(event.target) || isGoingOn;
}

export function watchKeys(): void {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    // What lies behind a dialog is not to be answered.
    if (document.querySelector("dialog[open]")) return;
    const isSend = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (isStillTyping(event) && !isSend) return;
    if (isSend) return press(event, sender(event.target), "click");
    if (!isOn("shortcuts") || event.ctrlKey || event.metaKey || event.altKey) return;
    act(event);
  });
}

function act(event: KeyboardEvent): void {
  if (/^[0-9]$/.test(event.key)) return digit(event);
  switch (event.key) {
    case "?":
      event.preventDefault();
      isHelpOpen.value = true;
      return;
    case "j":
      return press(event, neighbour(1), "focus");
    case "k":
      return press(event, neighbour(-1), "focus");
    case "n":
      return next(event);
    case "i":
      event.preventDefault();
      return go("/");
  }
}

/** Chooses an option. Where that would already be the answer, it only moves there: Enter decides. */
function digit(event: KeyboardEvent): void {
  const within = question(event.target) ?? document;
  const found = within.querySelector<HTMLElement>(`[data-digit="${event.key}"]`);
  if (!found) return;
  found.focus();
  press(event, found, found.hasAttribute("data-digit-focus") ? "focus" : "click");
}

/** The question that has the focus, or else the first. */
function question(target: EventTarget | null): Element | null {
  const around = target instanceof Element ? target.closest("[data-question]") : null;
  return around ?? document.querySelector("[data-question]");
}

function neighbour(step: 1 | -1): HTMLElement | null {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")].filter((row) => row.checkVisibility());
  const at = rows.findIndex((row) => row === document.activeElement || row.getAttribute("aria-current") === "page");
  const focused = rows.indexOf(document.activeElement as HTMLElement);
  const from = focused >= 0 ? focused : at;
  if (from < 0) return rows[step === 1 ? 0 : rows.length - 1] ?? null;
  return rows[from + step] ?? null;
}

function next(event: KeyboardEvent): void {
  const here = place.peek();
  const id = nextWaiting(here.is === "request" ? here.id : undefined);
  if (id === undefined) return;
  event.preventDefault();
  go(pathOf(id));
}

function press(event: KeyboardEvent, element: HTMLElement | null, how: "focus" | "click"): void {
  if (!element) return;
  event.preventDefault();
  if (how === "click") element.click();
  else element.focus();
}

/** Letters belong to whatever takes letters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["radio", "checkbox", "button"].includes(target.type);
}
