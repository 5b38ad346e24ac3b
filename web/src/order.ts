// In which order requests stand: in groups by room or by agent, and in each the one that has waited longest first.

import { computed } from "@preact/signals";
import { sendings } from "./answer/sending";
import { filtered } from "./filter";
import { unattended } from "./hub/attendance";
import type { RequestView } from "./hub/request";
import { waiting } from "./hub/room";
import { agentKey } from "./parts/Avatar";
import { setting } from "./settings";

export interface Group {
  key: string;
  /** The first of its requests, whose room or asker names the group. */
  first: RequestView;
  views: RequestView[];
}

/** Groups in the order of what has waited longest in them; in each, what nobody waits for comes after what somebody does. */
function grouped(views: readonly RequestView[]): Group[] {
  const groups = new Map<string, Group>();
  const keyOf = setting("grouping") === "agent" ? agentKey : ({ room }: RequestView) => room;
  for (const view of views) {
    const key = keyOf(view);
    const group = groups.get(key);
    if (group) group.views.push(view);
    else groups.set(key, { key, first: view, views: [view] });
  }
  const isLeft = ({ id }: RequestView) => (unattended.value.has(id) ? 1 : 0);
  for (const { views } of groups.values()) views.sort((left, right) => isLeft(left) - isLeft(right));
  return [...groups.values()];
}

/** What the inbox shows. */
export const groups = computed<Group[]>(() => grouped(filtered("inbox", waiting.value ?? [])));

/** The one after this in the list, or the first; nothing if no other waits. What a search hides comes after what it shows. */
export function nextWaiting(id: string | undefined): string | undefined {
  // What is answered already, and only not sent, needs nobody.
  const isOpen = ({ id }: RequestView) => sendings.value.get(id)?.is !== "on its way";
  const all = groups.value.flatMap(({ views }) => views);
  const after = all.slice(all.findIndex((view) => view.id === id) + 1);
  return [...after, ...all, ...(waiting.value ?? [])].find((view) => view.id !== id && isOpen(view))?.id;
}
