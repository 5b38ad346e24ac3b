// One option of a choice, as a radio or a checkbox in a row that is easy to hit.

import type { OfferedOption } from "@askback/client";
import type { ComponentChildren } from "preact";
import { Shown } from "../parts/Shown";
import { OptionLabel } from "./OptionLabel";

interface RowProps {
  /** Begins the ids of the row's elements. */
  id: string;
  name: string;
  type: "radio" | "checkbox";
  isChecked: boolean;
  isDisabled: boolean;
  digit: number | undefined;
  /** Which it is among those selected, if that counts. */
  order: number | undefined;
  onToggle: () => void;
  onLook?: () => void;
  label: ComponentChildren;
  description?: ComponentChildren;
}

/** A row, whose name is its label alone: the description describes it. */
export function Row(props: RowProps) {
  const { id, name, type, isChecked, isDisabled, digit, order, onToggle, onLook, label, description } = props;
  return (
    <label class={isDisabled ? "option disabled" : "option"}>
      <input
        type={type}
        id={id}
        name={name}
        checked={isChecked}
        disabled={isDisabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        data-digit={digit}
        onChange={onToggle}
        onFocus={onLook}
      />
      <span class="option-text">
        <span class="option-label" id={`${id}-label`} dir="auto">
          {label}
        </span>
        {description !== undefined && (
          <span class="option-description" id={`${id}-description`} dir="auto">
            {description}
          </span>
        )}
      </span>
      {order !== undefined && (
        <span class="order" aria-hidden="true">
          {order}
        </span>
      )}
    </label>
  );
}

interface ChoiceRowProps extends Omit<RowProps, "label" | "description" | "isDisabled"> {
  option: OfferedOption;
}

export function ChoiceRow({ option, ...row }: ChoiceRowProps) {
  const description = option.description === undefined ? undefined : <Shown text={option.description} />;
  return <Row {...row} isDisabled={option.isDisabled} label={<OptionLabel option={option} />} description={description} />;
}
