// Multiline (F2): text over several lines, in a field that grows with it, and how long it is.

import { countCodePoints, FREE_TEXT_LENGTH } from "@askback/client";
import { kindsTexts } from "../texts/kinds";
import { fieldId, textOf, type Control, type ControlProps } from "./control";
import { HiddenCharacters } from "./HiddenCharacters";
import { shownLine } from "./placeholder";

/** Lines of the field where the browser does not let it grow by itself. */
const ROWS = { least: 4, most: 16 };

/** Characters before the limit from which on it is said how many are left, at most a tenth of all. */
const NEAR_LIMIT = 100;

export const multiline: Control<"multiline"> = {
  Field: Multiline,
  begin: (question) => question.initial ?? "",
  decides: "when sent",
  shape: "field",
};

function Multiline({ question, entry, onEnter, checked, isProblemShown, id, describedBy }: ControlProps<"multiline">) {
  const typed = textOf(entry);
  const most = question.maxLength ?? FREE_TEXT_LENGTH;
  const count = countCodePoints(typed);
  const left = most - count;
  const isNear = left <= Math.min(NEAR_LIMIT, most / 10);
  const rows = Math.min(Math.max(typed.split("\n").length + 1, ROWS.least), ROWS.most);
  return (
    <>
      <textarea
        id={fieldId(id)}
        class="grows"
        dir="auto"
        rows={rows}
        autocomplete="off"
        placeholder={shownLine(question.placeholder)}
        value={typed}
        aria-describedby={`${id}-count ${describedBy ?? ""}`}
        aria-invalid={isProblemShown && !checked.ok}
        onInput={(event) => onEnter(event.currentTarget.value)}
      />
      <HiddenCharacters text={typed} initial={question.initial} layout="block" />
      <p class={left < 0 ? "count over" : "count"} id={`${id}-count`}>
        {kindsTexts.characters(count, most)}
      </p>
      <p class="visually-hidden" role="status">
        {isNear && kindsTexts.charactersLeft(left)}
      </p>
    </>
  );
}
