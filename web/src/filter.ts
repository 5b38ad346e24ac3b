// What a person looks for in a list. How texts are searched is loaded with the controls for it.

import { signal } from "@preact/signals";
import type { RequestView } from "./hub/request";

export interface Filter {
  /** Words that all must occur, as they were typed. */
  text: string;
  /** Each empty for any. */
  room: string;
  /** As `agentKey` writes it. */
  agent: string;
  /** As it is named on the page. */
  kind: string;
  result: string;
  matches: (view: RequestView) => boolean;
}

/** The lists that can be searched. */
export type ListName = "inbox" | "history";

export const isFinding = { inbox: signal(false), history: signal(false) } as const;
export const filters = { inbox: signal<Filter | undefined>(undefined), history: signal<Filter | undefined>(undefined) } as const;

/** Those of a list that match what the person looks for there. */
export function filtered(list: ListName, views: readonly RequestView[]): readonly RequestView[] {
  const filter = filters[list].value;
  return filter ? views.filter(filter.matches) : views;
}
