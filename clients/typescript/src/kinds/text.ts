// Text (F1): one line, kept as typed.

import { checkFreeText, FREE_TEXT_LENGTH } from "../free-text.js";
import { single, type Reader } from "../question.js";

export const readText: Reader<"text"> = (question, given) => {
  const written = single(given);
  checkFreeText(written, question.maxLength ?? FREE_TEXT_LENGTH, "tab");
  return { written };
};
