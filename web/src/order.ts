// In which order requests stand: by room, and in each the one that has waited longest first.

import { computed } from "@preact/signals";
import { sendings } from "./answer/sending";
import { unattended } from "./hub/attendance";
import type { RequestView } from "./hub/request";
import { waiting } from "./hub/room";

export interface RoomGroup {
  room: string;
  views: RequestView[];
}

/** Rooms in the order of what has waited longest in them; in each, what nobody waits for comes after what somebody does. */
export const groups = computed<RoomGroup[]>(() => {
  const rooms = new Map<string, RequestView[]>();
  for (const view of waiting.value ?? []) {
    const views = rooms.get(view.room);
    if (views) views.push(view);
    else rooms.set(view.room, [view]);
  }
  const isLeft = ({ id }: RequestView) => (unattended.value.has(id) ? 1 : 0);
  return [...rooms].map(([room, views]) => ({ room, views: views.sort((left, right) => isLeft(left) - isLeft(right)) }));
});

/** The one after this in the list, or the first; nothing if no other waits. */
export function nextWaiting(id: string | undefined): string | undefined {
  // What is answered already, and only not sent, needs nobody.
  const isOpen = ({ id }: RequestView) => sendings.value.get(id)?.is !== "on its way";
  const ids = groups.value.flatMap(({ views }) => views.filter(isOpen).map((view) => view.id));
  const all = groups.value.flatMap(({ views }) => views.map((view) => view.id));
  const after = all.slice(all.indexOf(id ?? "") + 1);
  return [...after, ...all].find((candidate) => candidate !== id && ids.includes(candidate));
}
