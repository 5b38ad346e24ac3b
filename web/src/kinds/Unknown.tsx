// A question of a kind that is newer than the page: it is shown, and can be answered elsewhere.

import type { KindName } from "@askback/client";
import { kindsTexts } from "../texts/kinds";
import type { Control } from "./control";

export const unknown: Control<KindName> = {
  Field: () => <p class="hint">{kindsTexts.unknown}</p>,
  begin: () => "",
  decides: "when sent",
  shape: "group",
};
