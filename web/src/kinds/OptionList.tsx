// The list below a combobox.

import type { OfferedOption } from "@askback/client";
import { useEffect, useRef } from "preact/hooks";
import { Shown } from "../parts/Shown";
import { kindsTexts } from "../texts/kinds";
import { OptionLabel } from "./OptionLabel";

interface OptionListProps {
  id: string;
  listId: string;
  labelledBy: string;
  isOpen: boolean;
  options: readonly OfferedOption[];
  /** The indices of the options that match. */
  found: readonly number[];
  /** The indices of those that are drawn. */
  shown: readonly number[];
  active: number | undefined;
  chosen: number;
  onChoose: (index: number) => void;
}

export function OptionList(props: OptionListProps) {
  const { id, listId, labelledBy, isOpen, options, found, shown, active, chosen, onChoose } = props;
  const popup = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) popup.current?.scrollIntoView({ block: "nearest" });
  }, [isOpen]);
  useEffect(() => {
    if (isOpen) popup.current?.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }, [isOpen, active]);
  // The chosen one may stand before the first, but only where all are found.
  const placeOf = (index: number, position: number) => (found.length === options.length ? index : position) + 1;
  return (
    // The focus stays in the field, whatever is touched here.
    <div class="popup" ref={popup} hidden={!isOpen} onMouseDown={(event) => event.preventDefault()}>
      <ul role="listbox" id={listId} aria-labelledby={labelledBy}>
        {shown.map((index, position) => {
          const option = options[index];
          if (!option) return null;
          return (
            <li
              key={index}
              id={`${id}-option-${index}`}
              role="option"
              class={index === active ? "active" : undefined}
              aria-selected={index === chosen}
              aria-disabled={option.isDisabled || undefined}
              aria-setsize={found.length}
              aria-posinset={placeOf(index, position)}
              onClick={() => onChoose(index)}
            >
              <span class="option-label" dir="auto">
                <OptionLabel option={option} />
              </span>
              {option.description !== undefined && (
                <span class="option-description" dir="auto">
                  <Shown text={option.description} />
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <p class="popup-note" role="status">
        {isOpen && noteOf(shown.length, found.length)}
      </p>
    </div>
  );
}

function noteOf(shown: number, found: number): string {
  if (found === 0) return kindsTexts.noneFound;
  return shown < found ? kindsTexts.narrow(shown, found) : kindsTexts.options(found);
}
