// Times in words, which change by themselves while somebody looks.

import { signal } from "@preact/signals";
import { hubNow } from "./hub/calls";
import { texts } from "./texts/page";

const SECOND_MS = 1000;
const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** The hub's time, told every second. */
export const second = signal(hubNow());
/** The same, told twice a minute, for what need not be exact. */
export const moment = signal(hubNow());

export function startClock(): void {
  const tick = () => {
    if (document.visibilityState === "hidden") return;
    second.value = hubNow();
    if (second.value - moment.value >= 30 * SECOND_MS || second.value < moment.value) moment.value = second.value;
  };
  setInterval(tick, SECOND_MS);
  document.addEventListener("visibilitychange", tick);
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** "5 minutes ago", "in 3 days". */
export function relation(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / SECOND_MS);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  if (unit === "second" && seconds <= 0 && seconds > -10) return texts.app.justNow;
  return relative.format(Math.trunc(seconds / size), unit);
}

/** The day and the time of day, as they are written where the reader is. */
export function calendar(at: string): string {
  return exact.format(new Date(at));
}
