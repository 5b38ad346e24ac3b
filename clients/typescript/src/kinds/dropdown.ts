// Dropdown (F9): one of any number of options, without Other.

import { Options } from "../options.js";
import { single, type Reader } from "../question.js";

export const readDropdown: Reader<"dropdown"> = (question, given) => {
  const written = new Options(question.options, "absent").choose(single(given));
  return { written, selections: [written] };
};
