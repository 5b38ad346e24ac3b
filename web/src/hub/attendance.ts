// Which of the waiting requests nobody waits for any more (L9). The document does not know: that somebody waits is no event.

import type { Api } from "@askback/client";
import { signal } from "@preact/signals";
import { get, post } from "./calls";
import { reach, waiting } from "./room";

/** When each of them was last waited for; those that somebody waits for are not in it. */
export const unattended = signal<ReadonlyMap<string, string>>(new Map());

/** How many are waiting that the document does not show, because there are too many or they are too large. */
export const beyond = signal(0);

const EVERY_MS = 10_000;

/** Looks now, and from now on whenever somebody can see it. */
export function watchAttendance(): void {
  void look();
  setInterval(() => void look(), EVERY_MS);
  document.addEventListener("visibilitychange", () => void look());
}

async function look(): Promise<void> {
  if (document.visibilityState === "hidden" || reach.value.is !== "live") return;
  const reply = await get<Api.UnattendedList>("/requests/unattended");
  if (!reply.ok) return;
  beyond.value = Math.max(0, reply.body.pending - (waiting.peek()?.length ?? 0));
  const found = new Map(reply.body.items.map(({ id, lastWaitedAt }) => [id, lastWaitedAt]));
  const isSame = found.size === unattended.value.size && [...found].every(([id, at]) => unattended.value.get(id) === at);
  if (!isSame) unattended.value = found;
}

/** Calls that are made at the same time. */
const AT_ONCE = 8;

/** Takes these away, and says how many it could: somebody may have answered one, or come back for it. */
export async function dismiss(ids: readonly string[], reason: string): Promise<number> {
  // An asker that has come back meanwhile keeps what it asked.
  await look();
  const left = ids.filter((id) => unattended.value.has(id));
  let dismissed = 0;
  const work = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const reply = await post(`/requests/${encodeURIComponent(id)}/cancel`, { reason });
      if (reply.ok) dismissed += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await look();
  return dismissed;
}
