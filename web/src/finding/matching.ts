// Searches requests: by words in their texts, room, agent, kind and outcome.

import { resultOf } from "../answer/result";
import type { Filter } from "../filter";
import type { RequestView } from "../hub/request";
import { agentKey } from "../parts/Avatar";
import { texts } from "../texts/page";

export type Criteria = Omit<Filter, "matches">;

export const NO_CRITERIA: Criteria = { text: "", room: "", agent: "", kind: "", result: "" };

/** The filter for these criteria; nothing if they let everything through. */
export function filterFor(criteria: Criteria): Filter | undefined {
  const words = folded(criteria.text).split(/\s+/u).filter((word) => word !== "");
  const { room, agent, kind, result } = criteria;
  if (words.length === 0 && [room, agent, kind, result].every((one) => one === "")) return undefined;
  const matches = (view: RequestView) =>
    isAny(room, view.room) &&
    isAny(agent, agentKey(view)) &&
    isAny(kind, kindOf(view)) &&
    isAny(result, resultName(view)) &&
    hasAll(words, view);
  return { ...criteria, matches };
}

function isAny(wanted: string, found: string): boolean {
  return wanted === "" || wanted === found;
}

export function kindOf(view: RequestView): string {
  return texts.kindNames[view.item.type] ?? view.item.type;
}

export function resultName(view: RequestView): string {
  return view.ended ? texts.ended[resultOf(view, view.ended)] : texts.ended.pending;
}

/** Characters of one text that are searched: an agent may write a megabyte, and a person types on. */
const SEARCHED = 2_000;

/** The texts of views as they are searched, made when they are first needed. */
const searched = new WeakMap<RequestView, string>();

function hasAll(words: readonly string[], view: RequestView): boolean {
  if (words.length === 0) return true;
  const known = searched.get(view) ?? searchedText(view);
  searched.set(view, known);
  return words.every((word) => known.includes(word));
}

function searchedText(view: RequestView): string {
  const asked = view.questions.flatMap(({ header, message }) => [header, message]);
  const parts = [view.title, ...asked, view.room, view.asker, view.from, view.ended?.reason, ...(view.ended?.responses ?? []), view.id];
  return parts.map((part) => folded(part?.slice(0, SEARCHED) ?? "")).join("\n");
}

/** Without the differences that a person who searches does not mean. */
function folded(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
