// Every kind of question with its control, one line each.

import type { KindName, Question } from "@askback/client";
import { approval } from "./Approval";
import { choice } from "./Choice";
import { confirm } from "./Confirm";
import type { Control } from "./control";
import { date } from "./DateField";
import { dropdown } from "./Dropdown";
import { email } from "./Email";
import { multiline } from "./Multiline";
import { number } from "./NumberField";
import { rating } from "./Rating";
import { text } from "./Text";
import { unknown } from "./Unknown";

export const CONTROLS: { readonly [Kind in KindName]: Control<Kind> } = {
  approval,
  text,
  multiline,
  choice,
  confirm,
  number,
  email,
  date,
  dropdown,
  rating,
};

/** The control of a question. A hub may be newer than the page, and ask in ways that the page does not know. */
export function controlOf(question: Question): Control<KindName> {
  const control = Object.hasOwn(CONTROLS, question.type) ? CONTROLS[question.type] : unknown;
  return control as unknown as Control<KindName>;
}
