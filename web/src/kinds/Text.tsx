// Text (F1): one line. Nothing is cut off silently: what is too long or has line breaks is said.

import { useState } from "preact/hooks";
import { kindsTexts } from "../texts/kinds";
import { fieldId, textOf, type Control, type ControlProps } from "./control";
import { HiddenCharacters } from "./HiddenCharacters";
import { shownLine } from "./placeholder";

export const text: Control<"text"> = {
  Field: Text,
  begin: (question) => question.initial ?? "",
  decides: "when sent",
  shape: "field",
};

function Text({ question, entry, onEnter, checked, isProblemShown, id, describedBy }: ControlProps<"text">) {
  const [hasLostLines, setHasLostLines] = useState(false);
  return (
    <>
      <input
        type="text"
        id={fieldId(id)}
        dir="auto"
        autocomplete="off"
        enterkeyhint="send"
        placeholder={shownLine(question.placeholder)}
        value={textOf(entry)}
        aria-describedby={describedBy}
        aria-invalid={isProblemShown && !checked.ok}
        onInput={(event) => {
          if (event.inputType !== "insertFromPaste") setHasLostLines(false);
          onEnter(event.currentTarget.value);
        }}
        // The browser takes line breaks out of what goes into one line.
        onPaste={(event) => setHasLostLines(/[\r\n]/.test(event.clipboardData?.getData("text") ?? ""))}
      />
      <HiddenCharacters text={textOf(entry)} initial={question.initial} />
      <p class="hint" role="status">
        {hasLostLines && kindsTexts.lostLines}
      </p>
    </>
  );
}
