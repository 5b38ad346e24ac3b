// Other (F13): a row like those of the options, and a field for its text that comes with it.

import { useLayoutEffect, useRef } from "preact/hooks";
import { kindsTexts } from "../texts/kinds";
import { Row } from "./ChoiceRow";
import { HiddenCharacters } from "./HiddenCharacters";

interface OtherRowProps {
  id: string;
  name: string;
  type: "radio" | "checkbox";
  isChecked: boolean;
  custom: string;
  digit: number | undefined;
  order: number | undefined;
  isInvalid: boolean;
  describedBy: string | undefined;
  onToggle: () => void;
  onType: (custom: string) => void;
  onLook: () => void;
}

export function OtherRow({ custom, isInvalid, describedBy, onType, onToggle, ...row }: OtherRowProps) {
  const field = useRef<HTMLInputElement>(null);
  // Only when the person has chosen it: a page that opens with it must not take the focus.
  const isToFocus = useRef(false);
  // At once: who types on must not type into the row.
  useLayoutEffect(() => {
    if (row.isChecked && isToFocus.current) field.current?.focus();
    isToFocus.current = false;
  }, [row.isChecked]);
  const toggle = () => {
    isToFocus.current = !row.isChecked;
    onToggle();
  };
  return (
    <div class="other">
      <Row {...row} isDisabled={false} onToggle={toggle} label={kindsTexts.other} />
      {row.isChecked && (
        <div class="other-text">
          <input
            ref={field}
            type="text"
            dir="auto"
            autocomplete="off"
            enterkeyhint="send"
            placeholder={kindsTexts.otherPlaceholder}
            aria-label={kindsTexts.otherText}
            aria-describedby={describedBy}
            aria-invalid={isInvalid}
            value={custom}
            onInput={(event) => onType(event.currentTarget.value)}
          />
          <HiddenCharacters text={custom} />
        </div>
      )}
    </div>
  );
}
