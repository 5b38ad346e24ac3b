// Multiline (F2): text over several lines, line ends written as `\n`.

import { checkFreeText, FREE_TEXT_LENGTH, withLineFeeds } from "../free-text.js";
import { single, type Reader } from "../question.js";

export const readMultiline: Reader<"multiline"> = (question, given) => {
  const written = withLineFeeds(single(given));
  checkFreeText(written, question.maxLength ?? FREE_TEXT_LENGTH, "tab and line feed");
  return { written };
};
