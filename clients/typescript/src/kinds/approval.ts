// Approval (F0): `approve` or `reject`. A rejection makes the outcome declined.

import { chooseWord, type Reader } from "../question.js";

export const readApproval: Reader<"approval"> = (_question, given) => chooseWord(given, ["approve", "reject"]);
