// The controls with which a list is searched, narrowed and grouped.

import { useEffect, useRef } from "preact/hooks";
import { filters, isFinding, type ListName } from "../filter";
import { askerOf, type RequestView } from "../hub/request";
import { agentKey } from "../parts/Avatar";
import { shortLine } from "../parts/line";
import { choose, setting, type Grouping } from "../settings";
import { findingTexts } from "../texts/finding";
import { filterFor, kindOf, NO_CRITERIA, resultName, type Criteria } from "./matching";

export interface FinderProps {
  list: ListName;
  /** All that the list may show. */
  views: readonly RequestView[];
  /** How many of them it shows. */
  shown: number;
}

export function Finder({ list, views, shown }: FinderProps) {
  const { matches: _matches, ...criteria } = filters[list].value ?? { ...NO_CRITERIA, matches: undefined };
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => search.current?.focus(), []);
  const change = (changed: Partial<Criteria>) => (filters[list].value = filterFor({ ...criteria, ...changed }));
  const close = () => {
    filters[list].value = undefined;
    isFinding[list].value = false;
  };
  const isFiltered = filters[list].value !== undefined;
  return (
    <form class="finder" role="search" aria-label={findingTexts.lists[list]} onSubmit={(event) => event.preventDefault()}>
      <input
        ref={search}
        type="search"
        value={criteria.text}
        aria-label={findingTexts.text}
        placeholder={findingTexts.text}
        onInput={(event) => change({ text: event.currentTarget.value })}
        onKeyDown={(event) => event.key === "Escape" && close()}
      />
      <Choice label={findingTexts.room} any={findingTexts.anyRoom} value={criteria.room} options={distinct(views, ({ room }) => [room, room])} onChoose={(room) => change({ room })} />
      <Choice label={findingTexts.agent} any={findingTexts.anyAgent} value={criteria.agent} options={distinct(views, (view) => [agentKey(view), askerOf(view)])} onChoose={(agent) => change({ agent })} />
      <Choice label={findingTexts.kind} any={findingTexts.anyKind} value={criteria.kind} options={distinct(views, (view) => [kindOf(view), kindOf(view)])} onChoose={(kind) => change({ kind })} />
      {list === "history" ? (
        <Choice label={findingTexts.result} any={findingTexts.anyResult} value={criteria.result} options={distinct(views, (view) => [resultName(view), resultName(view)])} onChoose={(result) => change({ result })} />
      ) : (
        <GroupBy />
      )}
      <p class="found muted" role="status">
        {isFiltered ? findingTexts.found(shown, views.length) : ""}
      </p>
      <button type="button" class="quiet" onClick={close}>
        {isFiltered ? findingTexts.clear : findingTexts.close}
      </button>
    </form>
  );
}

interface ChoiceProps {
  label: string;
  /** What it says while anything will do. */
  any: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChoose: (value: string) => void;
}

/** Characters of a name in a list of options. */
const NAME_LENGTH = 60;

function Choice({ label, any, value, options, onChoose }: ChoiceProps) {
  // What is chosen stays to be seen when the last request of that kind has gone.
  const isGone = value !== "" && !options.some(([option]) => option === value);
  return (
    <select aria-label={label} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">{any}</option>
      {isGone ? <option value={value}>{shortLine(value, NAME_LENGTH)}</option> : null}
      {options.map(([option, name]) => (
        <option key={option} value={option}>
          {shortLine(name, NAME_LENGTH)}
        </option>
      ))}
    </select>
  );
}

const GROUPINGS: readonly Grouping[] = ["room", "agent"];

function GroupBy() {
  return (
    <select aria-label={findingTexts.grouping} value={setting("grouping")} onChange={(event) => choose("grouping", event.currentTarget.value as Grouping)}>
      {GROUPINGS.map((grouping) => (
        <option key={grouping} value={grouping}>
          {findingTexts.groupings[grouping]}
        </option>
      ))}
    </select>
  );
}

/** Each value once, with its name, by name. */
function distinct(views: readonly RequestView[], optionOf: (view: RequestView) => [value: string, name: string]): [string, string][] {
  return [...new Map(views.map(optionOf))].sort(([, one], [, other]) => one.localeCompare(other));
}
