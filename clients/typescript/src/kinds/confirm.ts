// Confirm (F5): `yes` or `no`. A no is an answer.

import { chooseWord, type Reader } from "../question.js";

export const readConfirm: Reader<"confirm"> = (_question, given) => chooseWord(given, ["yes", "no"]);
