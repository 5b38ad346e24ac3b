// Until when a request is open, and a warning when that is near (Q8).

import type { RequestView } from "../hub/request";
import { second } from "../time";
import { When } from "./When";

/** The last tenth of the time, and half a minute at most. */
const SHARE = 0.1;
const LONGEST_MS = 30_000;

export function isNearEnd({ createdAt, expiresAt }: RequestView): boolean {
  if (expiresAt === undefined) return false;
  const end = Date.parse(expiresAt);
  const warning = Math.min(LONGEST_MS, (end - Date.parse(createdAt)) * SHARE);
  return end - second.value <= warning;
}

/** What somebody has to see in a list in time. */
const SOON_MS = 120_000;

function urgencyOf(view: RequestView): "near" | "soon" | "" {
  if (isNearEnd(view)) return "near";
  return Date.parse(view.expiresAt ?? "") - second.value <= SOON_MS ? "soon" : "";
}

/** Whether its time has come, by the hub's clock, though nobody has said so yet. */
export function isOver({ expiresAt }: RequestView): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= second.value;
}

export function Deadline({ view, before }: { view: RequestView; before: string }) {
  if (view.expiresAt === undefined) return null;
  return (
    <span class={`deadline ${urgencyOf(view)}`}>
      {before} <When at={view.expiresAt} pace="seconds" />
    </span>
  );
}
