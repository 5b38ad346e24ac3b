// What somebody has begun to answer: kept over a reload, and readable after somebody else was faster.

import { effect, signal } from "@preact/signals";
import { person } from "../hub/session";
import { drop, keep, readAll } from "../hub/stored";
import type { Entry } from "../kinds/control";

export interface Draft {
  /** Of which request. */
  id: string;
  /** One for each question. */
  entries: readonly Entry[];
  /** Why not, or the question back. */
  reason: string;
  /** Whose it is: another person may log in here. */
  by: string;
  /** When it was last changed, in milliseconds. */
  at: number;
}

/** By the request's id. */
export const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

/** Which requests have one. It stays the same while somebody types, for all the rows that look at it. */
export const drafted = signal<ReadonlySet<string>>(new Set());

/** Whether what an earlier visit left is known by now, and who is here. */
export const areDraftsKnown = signal(false);

/** What nobody has touched for so long is forgotten. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

/** What is typed is kept after so long a pause. */
const PAUSE_MS = 150;

const unkept = new Map<string, ReturnType<typeof setTimeout>>();

/** Reads what an earlier visit of this person has left. */
export async function loadDrafts(by: string): Promise<void> {
  const all = await readAll<Draft>("drafts");
  const oldest = Date.now() - KEPT_MS;
  const mine = [...all.values()].filter((draft) => draft.by === by && draft.at > oldest);
  for (const [key, draft] of all) if (!(draft.at > oldest)) void drop("drafts", key);
  put(new Map([...mine.map((draft) => [draft.id, draft] as const), ...drafts.peek()]));
  areDraftsKnown.value = true;
}

function put(all: ReadonlyMap<string, Draft>): void {
  drafts.value = all;
  const isSame = all.size === drafted.peek().size && [...all.keys()].every((id) => drafted.peek().has(id));
  if (!isSame) drafted.value = new Set(all.keys());
}

/** Two people may have one each for the same request, in one browser. */
function keyOf({ by, id }: Pick<Draft, "by" | "id">): string {
  return `${id} ${by}`;
}

export function writeDraft(id: string, change: Pick<Draft, "entries" | "reason">): void {
  const draft: Draft = { ...change, id, by: person.peek()?.name ?? "", at: Date.now() };
  put(new Map(drafts.peek()).set(id, draft));
  clearTimeout(unkept.get(id));
  unkept.set(id, setTimeout(() => keepNow(id), PAUSE_MS));
}

export function dropDraft(id: string): void {
  clearTimeout(unkept.get(id));
  unkept.delete(id);
  const rest = new Map(drafts.peek());
  const draft = rest.get(id);
  if (!draft) return;
  rest.delete(id);
  put(rest);
  void drop("drafts", keyOf(draft));
}

function keepNow(id: string): void {
  clearTimeout(unkept.get(id));
  unkept.delete(id);
  const draft = drafts.peek().get(id);
  if (draft) void keep("drafts", keyOf(draft), draft);
}

// A page that goes into the background may never come back.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") [...unkept.keys()].forEach(keepNow);
});
window.addEventListener("pagehide", () => [...unkept.keys()].forEach(keepNow));

// Whoever logs out takes their drafts along.
effect(() => {
  if (person.value === undefined && drafts.peek().size > 0) put(new Map());
});
