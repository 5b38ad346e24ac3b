// Every kind of question, one line each.

import type { KindName, Reader } from "../question.js";
import { readApproval } from "./approval.js";
import { readChoice } from "./choice.js";
import { readConfirm } from "./confirm.js";
import { readDate } from "./date.js";
import { readDropdown } from "./dropdown.js";
import { readEmail } from "./email.js";
import { readMultiline } from "./multiline.js";
import { readNumber } from "./number.js";
import { readRating } from "./rating.js";
import { readText } from "./text.js";

/** How the answers to each kind are read. */
export const KINDS: { readonly [Kind in KindName]: Reader<Kind> } = {
  approval: readApproval,
  text: readText,
  multiline: readMultiline,
  choice: readChoice,
  confirm: readConfirm,
  number: readNumber,
  email: readEmail,
  date: readDate,
  dropdown: readDropdown,
  rating: readRating,
};
