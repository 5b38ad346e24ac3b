// Answers that the hub has not judged, as this browser keeps them over a reload.

import type { Proposal, Unsettled } from "@askback/client";
import { drop, keep, readAll } from "../hub/stored";

/** A proposal as it is kept. */
interface Kept {
  proposal: Proposal;
  /** In whose name: it must not be sent in another's. */
  by: string;
  /** When it was given, in milliseconds. */
  at: number;
}

/** What could not be sent for so long is not sent unasked any more. Its draft is still there. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Resolves to whether it is kept. */
export function enqueue({ key, proposal }: Unsettled, by: string): Promise<boolean> {
  const kept: Kept = { proposal, by, at: Date.now() };
  return keep("queue", key, kept);
}

export function dequeue(key: string): void {
  void drop("queue", key);
}

/** What this person has left unsent, the newest for each request. */
export async function readQueue(by: string): Promise<Unsettled[]> {
  const latest = new Map<string, { key: string; kept: Kept }>();
  for (const [key, kept] of await readAll<Partial<Kept>>("queue")) {
    if (!isKept(kept) || kept.at < Date.now() - KEPT_MS) {
      dequeue(key);
      continue;
    }
    if (kept.by !== by) continue;
    const { requestId } = kept.proposal;
    const other = latest.get(requestId);
    const [newer, older] = other && other.kept.at > kept.at ? [other, { key }] : [{ key, kept }, other];
    latest.set(requestId, newer);
    if (older) dequeue(older.key);
  }
  return [...latest.values()].map(({ key, kept }) => ({ key, proposal: kept.proposal }));
}

/** Another version of the page may have written here. */
function isKept(kept: Partial<Kept>): kept is Kept {
  return typeof kept.at === "number" && typeof kept.by === "string" && typeof kept.proposal?.requestId === "string";
}
