// Choice (F3, F4, F13): radios or checkboxes in rows, searched if there are many, with previews beside them.

import { OTHER_PLACEHOLDER, offeredOptions, type OfferedOption } from "@askback/client";
import { useMemo, useRef, useState } from "preact/hooks";
import { Shown } from "../parts/Shown";
import { kindsTexts } from "../texts/kinds";
import { ChoiceRow } from "./ChoiceRow";
import type { Control, ControlProps } from "./control";
import { digitOf } from "./digits";
import { Finder, MOST_SHOWN } from "./finding";
import { OtherRow } from "./OtherRow";
import { Preview } from "./Preview";
import { Search } from "./Search";
import { beginSelection, selectionOf, toggled, type Selection } from "./selecting";

/** Options from which on there is a search (W1). */
const SEARCHED_FROM = 10;

type Offered = readonly OfferedOption[];

export const choice: Control<"choice"> = {
  Field: Choice,
  begin: beginSelection,
  decides: "when sent",
  shape: "group",
};

function Choice({ question, entry, onEnter, checked, isProblemShown, id, labelledBy, describedBy }: ControlProps<"choice">) {
  const options = useMemo(() => offeredOptions(question.options, question.other ? "offered" : "absent"), [question]);
  const finder = useMemo(() => new Finder(options), [options]);
  const [typed, setTyped] = useState("");
  const [lookedAt, setLookedAt] = useState<string>();
  const selection = selectionOf(entry);
  // Other's text is there again when Other is chosen again.
  const lastCustom = useRef("");
  if (selection.custom !== undefined) lastCustom.current = selection.custom;

  const { selections } = selection;
  const found = useMemo(() => finder.find(typed), [finder, typed]);
  const shown = useMemo(() => withSelected(found, options, selections), [found, options, selections]);
  const toggle = (value: string) => onEnter(toggled(question, selection, value, lastCustom.current));
  const many = question.multiSelect === true;
  const rowOf = (value: string) => ({
    name: `${id}-choice`,
    type: many ? ("checkbox" as const) : ("radio" as const),
    isChecked: selections.includes(value),
    order: many && selections.length > 1 && selections.includes(value) ? selections.indexOf(value) + 1 : undefined,
    onToggle: () => toggle(value),
    onLook: () => setLookedAt(value),
  });
  const previewed = previewOf(options, [lookedAt, selections.at(-1)]);

  return (
    <>
      {options.length >= SEARCHED_FROM && (
        <Search
          typed={typed}
          onType={setTyped}
          found={found.length}
          count={options.length}
          shown={Math.min(found.length, MOST_SHOWN)}
          labelledBy={labelledBy}
          id={id}
        />
      )}
      <div class={previewed ? "options with-preview" : "options"}>
        <div class="option-rows">
          {shown.map((index) => {
            const option = options[index];
            if (!option) return null;
            const row = { ...rowOf(option.value), id: `${id}-option-${index}`, digit: option.isDisabled ? undefined : digitOf(shown.indexOf(index)) };
            return <ChoiceRow key={index} option={option} {...row} />;
          })}
          {question.other && (
            <OtherRow
              id={`${id}-other`}
              digit={digitOf(shown.length)}
              custom={selection.custom ?? ""}
              isInvalid={isProblemShown && !checked.ok}
              describedBy={describedBy}
              onType={(custom) => onEnter({ selections, custom })}
              {...rowOf(OTHER_PLACEHOLDER)}
            />
          )}
        </div>
        {previewed && <Preview id={id} option={previewed} />}
      </div>
      {many && selections.length > 1 && (
        <p class="visually-hidden">
          <Shown text={kindsTexts.order(labelsOf(options, selection).join(", "))} layout="line" />
        </p>
      )}
    </>
  );
}

/** What is selected as the person knows it, in order. */
function labelsOf(options: Offered, { selections, custom }: Selection): string[] {
  const labels = new Map(options.map((option) => [option.value, option.label]));
  return selections.map((value) => labels.get(value) ?? custom ?? value);
}

/** Those found, as many as can be drawn, and those selected, so that nothing is selected unseen. */
function withSelected(found: readonly number[], options: Offered, selections: readonly string[]): number[] {
  const drawn = new Set(found.slice(0, MOST_SHOWN));
  if (selections.length === 0) return [...drawn];
  const selected = new Set(selections);
  for (const [index, option] of options.entries()) if (selected.has(option.value)) drawn.add(index);
  return [...drawn].sort((one, other) => one - other);
}

/** The option whose preview is shown: the first of these that there is, else the first that has one. */
function previewOf(options: Offered, values: readonly (string | undefined)[]): OfferedOption | undefined {
  const first = options.find((option) => option.preview !== undefined);
  if (!first) return undefined;
  const candidates = values.map((value) => options.find((option) => option.value === value));
  return candidates.find((option) => option !== undefined) ?? first;
}
