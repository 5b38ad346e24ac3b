// Dropdown (F9): a combobox whose list is narrowed by typing, by the pattern of the ARIA Authoring Practices Guide.

import { offeredOptions } from "@askback/client";
import { useMemo, useRef, useState } from "preact/hooks";
import { kindsTexts } from "../texts/kinds";
import { fieldId, textOf, type Control, type ControlProps } from "./control";
import { Finder, MOST_SHOWN } from "./finding";
import { moved, type Move } from "./moving";
import { OptionList } from "./OptionList";
import { shownLine } from "./placeholder";

export const dropdown: Control<"dropdown"> = {
  Field: Dropdown,
  begin: (question) => question.initial ?? "",
  decides: "when sent",
  shape: "field",
};

const MOVES: Readonly<Record<string, Move>> = { ArrowDown: "next", ArrowUp: "previous", Home: "first", End: "last" };

function Dropdown(props: ControlProps<"dropdown">) {
  const { question, entry, onEnter, checked, isProblemShown, id, labelledBy, describedBy, onProblem } = props;
  const options = useMemo(() => offeredOptions(question.options, "absent"), [question]);
  const finder = useMemo(() => new Finder(options), [options]);
  const value = textOf(entry);
  const chosen = useMemo(() => options.findIndex((option) => option.value === value), [options, value]);
  // What is being typed; afterwards the field shows the label of what is chosen.
  const [typed, setTyped] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState<number>();
  const field = useRef<HTMLInputElement>(null);

  const found = useMemo(() => (isOpen ? finder.find(typed ?? "") : []), [finder, typed, isOpen]);
  const shown = useMemo(() => drawn(found, typed === undefined ? chosen : -1), [found, typed, chosen]);
  const enabled = shown.filter((index) => options[index]?.isDisabled === false);
  const listId = `${id}-list`;

  const open = (at?: number) => {
    setIsOpen(true);
    setActive(at);
  };
  const close = () => {
    setIsOpen(false);
    setActive(undefined);
  };
  const type = (text: string) => {
    setTyped(text);
    open();
    // A label alone chooses nothing: the answer is a value, and the person says which.
    const isLabel = options.some((option) => option.label === text && option.value !== text && !option.isDisabled);
    onProblem?.(isLabel ? { message: kindsTexts.notChosen, expected: kindsTexts.chooseFromList } : undefined);
    onEnter(text);
  };
  const choose = (index: number) => {
    const option = options[index];
    if (!option || option.isDisabled) return;
    setTyped(undefined);
    close();
    onProblem?.(undefined);
    onEnter(option.value);
    field.current?.focus();
  };
  const onMove = (move: Move): boolean => {
    if (!isOpen) {
      if (move === "first" || move === "last") return false;
      const all = finder.find(typed ?? "");
      const start = drawn(all, typed === undefined ? chosen : -1).filter((index) => options[index]?.isDisabled === false);
      open(chosen >= 0 && typed === undefined ? chosen : move === "next" ? start[0] : start.at(-1));
      return true;
    }
    // Home and End are the text's until the person has gone into the list.
    if (active === undefined && (move === "first" || move === "last")) return false;
    setActive(moved(enabled, active, move));
    return true;
  };
  /** Whether the key did something here, so that nobody else takes it. */
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.isComposing) return false;
    if (event.altKey && event.key === "ArrowDown") return isOpen || (open(chosen >= 0 ? chosen : undefined), true);
    if (event.altKey && event.key === "ArrowUp") return isOpen && (close(), true);
    const move = MOVES[event.key];
    if (move) return !event.shiftKey && onMove(move);
    if (event.key === "Enter") {
      if (!isOpen) return false;
      // The only one that is left need not be gone to.
      const only = typed && enabled.length === 1 ? enabled[0] : undefined;
      const index = active ?? only;
      if (index === undefined) close();
      else choose(index);
      return true;
    }
    if (event.key === "Escape") {
      if (isOpen) return close(), true;
      if ((typed ?? value) === "") return false;
      type("");
      close();
      return true;
    }
    return false;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!onKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div
      class="combobox"
      onFocusOut={(event) => {
        if (event.currentTarget.contains(event.relatedTarget as Node | null)) return;
        setTyped(undefined);
        close();
      }}
    >
      <div class="combobox-field">
        <input
          ref={field}
          type="text"
          id={fieldId(id)}
          role="combobox"
          dir="auto"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="done"
          placeholder={shownLine(question.placeholder ?? kindsTexts.chooseOne)}
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-activedescendant={isOpen && active !== undefined ? `${id}-option-${active}` : undefined}
          aria-describedby={describedBy}
          aria-invalid={isProblemShown && !checked.ok}
          value={typed ?? shownLine(options[chosen]?.label) ?? value}
          onInput={(event) => type(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          onClick={() => isOpen || open(chosen >= 0 ? chosen : undefined)}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          class="combobox-toggle"
          tabIndex={-1}
          aria-label={kindsTexts.showOptions}
          aria-expanded={isOpen}
          aria-controls={listId}
          // The focus stays in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            if (isOpen) close();
            else open(chosen >= 0 ? chosen : undefined);
            field.current?.focus();
          }}
        >
          <span aria-hidden="true">▾</span>
        </button>
      </div>
      <OptionList
        id={id}
        listId={listId}
        labelledBy={labelledBy}
        isOpen={isOpen}
        options={options}
        shown={shown}
        found={found}
        active={active}
        chosen={chosen}
        onChoose={choose}
      />
    </div>
  );
}

/** As many as can be drawn, and the chosen one before them if it is not among them. */
function drawn(found: readonly number[], chosen: number): number[] {
  const first = found.slice(0, MOST_SHOWN);
  return chosen < 0 || first.includes(chosen) ? first : [chosen, ...first.slice(0, -1)];
}
