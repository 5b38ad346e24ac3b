// Email (F7): one address, with the keyboard for it.

import { fieldId, textOf, type Control, type ControlProps } from "./control";
import { shownLine } from "./placeholder";

export const email: Control<"email"> = {
  Field: Email,
  begin: (question) => question.initial ?? "",
  decides: "when sent",
  shape: "field",
};

/** Not `type="email"`: a browser may then give another address than the one typed, such as `xn--mller-kva` for `müller`. */
function Email({ question, entry, onEnter, checked, isProblemShown, id, describedBy }: ControlProps<"email">) {
  return (
    <input
      type="text"
      id={fieldId(id)}
      inputmode="email"
      autocomplete="email"
      autocapitalize="off"
      spellcheck={false}
      enterkeyhint="send"
      placeholder={shownLine(question.placeholder)}
      value={textOf(entry)}
      aria-describedby={describedBy}
      aria-invalid={isProblemShown && !checked.ok}
      onInput={(event) => onEnter(event.currentTarget.value)}
    />
  );
}
