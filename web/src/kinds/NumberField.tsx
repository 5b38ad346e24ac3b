// Number (F6): a text field with the keypad for it, and steps by buttons and arrows, in exact decimals.

import { useState } from "preact/hooks";
import { kindsTexts } from "../texts/kinds";
import { fieldId, textOf, type Control, type ControlProps } from "./control";
import { shownLine } from "./placeholder";
import { negated, stepped, type Direction } from "./stepping";

export const number: Control<"number"> = {
  Field: NumberField,
  begin: (question) => question.initial ?? "",
  decides: "when sent",
  shape: "field",
};

/** Not `type="number"`: that loses what was typed when it is no number, and changes by the wheel. */
function NumberField({ question, entry, onEnter, checked, isProblemShown, id, describedBy }: ControlProps<"number">) {
  const typed = textOf(entry);
  // Said aloud, because a screen reader does not say a value that changes without being typed.
  const [said, setSaid] = useState("");
  const enter = (text: string) => {
    setSaid(text);
    onEnter(text);
  };
  const step = (direction: Direction) => {
    const to = stepped(question, typed, direction);
    if (to !== undefined) enter(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const direction = event.key === "ArrowUp" ? "up" : event.key === "ArrowDown" ? "down" : undefined;
    if (direction === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    step(direction);
  };
  const canStep = (direction: Direction) => stepped(question, typed, direction) !== undefined;
  const takesNegatives = question.min === undefined || question.min < 0;
  return (
    <>
      <div class="number">
        <input
          type="text"
          id={fieldId(id)}
          inputmode={question.integer ? "numeric" : "decimal"}
          autocomplete="off"
          enterkeyhint="send"
          placeholder={shownLine(question.placeholder)}
          value={typed}
          aria-describedby={describedBy}
          aria-invalid={isProblemShown && !checked.ok}
          onInput={(event) => onEnter(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <FieldButton sign="−" name={kindsTexts.decrease} id={id} isAble={canStep("down")} onPress={() => step("down")} />
        <FieldButton sign="+" name={kindsTexts.increase} id={id} isAble={canStep("up")} onPress={() => step("up")} />
        {/* Keypads of phones have no minus. */}
        {takesNegatives && (
          <FieldButton sign="±" name={kindsTexts.changeSign} id={id} isAble onPress={() => enter(negated(typed))} />
        )}
      </div>
      <p class="visually-hidden" role="status">
        {said}
      </p>
    </>
  );
}

interface FieldButtonProps {
  sign: string;
  name: string;
  /** The id of the control. */
  id: string;
  isAble: boolean;
  onPress: () => void;
}

/** Not disabled where it can do nothing: at a bound, it would lose the focus of who pressed it. */
function FieldButton({ sign, name, id, isAble, onPress }: FieldButtonProps) {
  const about = { "aria-label": name, "aria-controls": fieldId(id), "aria-disabled": !isAble };
  return (
    <button type="button" class="step" {...about} onClick={onPress}>
      {sign}
    </button>
  );
}
