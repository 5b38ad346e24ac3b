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

/** A time ahead is told in seconds until it is this long: "in 1 minute" would be half a minute off. */
const TOLD_IN_SECONDS = 120;

/** "5 minutes ago", "in 3 days". */
export function relation(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / SECOND_MS);
  if (seconds <= 0 && seconds > -10) return texts.app.justNow;
  if (seconds > 0 && seconds < TOLD_IN_SECONDS) return relative.format(seconds, "second");
  // To the nearest minute: a deadline of 30 minutes is not "in 29 minutes" a second later.
  const told = seconds < 0 ? seconds : 60 * Math.round(seconds / 60);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(told) >= size) ?? ["second", 1];
  return relative.format(Math.trunc(told / size), unit);
}

/** The day and the time of day, as they are written where the reader is. */
export function calendar(at: string): string {
  return exact.format(new Date(at));
}
