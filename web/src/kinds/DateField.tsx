// Date (F8): a calendar day, by the browser's own picker.

import { kindsTexts } from "../texts/kinds";
import { fieldId, textOf, type Control, type ControlProps } from "./control";
import { hintOf } from "./problem";

/** Without a last day, browsers take years of six digits. */
const LAST_DAY = "9999-12-31";

export const date: Control<"date"> = {
  Field: DateField,
  begin: (question) => question.initial ?? "",
  decides: "when sent",
  shape: "field",
};

function DateField(props: ControlProps<"date">) {
  const { question, entry, onEnter, checked, isProblemShown, id, describedBy, onProblem } = props;
  // A day that is only half typed has no value, so that only the field itself knows of it.
  const look = (field: HTMLInputElement) => {
    const expected = hintOf(question) ?? kindsTexts.wholeDay;
    onProblem?.(field.validity.badInput ? { message: kindsTexts.halfDay, expected } : undefined);
  };
  return (
    <input
      type="date"
      id={fieldId(id)}
      class="short"
      min={question.min}
      max={question.max ?? LAST_DAY}
      value={textOf(entry)}
      aria-describedby={describedBy}
      aria-invalid={isProblemShown && !checked.ok}
      onInput={(event) => {
        look(event.currentTarget);
        onEnter(event.currentTarget.value);
      }}
      onKeyUp={(event) => look(event.currentTarget)}
      onBlur={(event) => look(event.currentTarget)}
    />
  );
}
