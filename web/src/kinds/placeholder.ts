// What an empty field shows: an attribute, so that hidden characters are marked in the text itself.

import { show } from "@askback/client";

export function shownLine(text: string | undefined): string | undefined {
  return text === undefined ? undefined : show(text, "line", "exact");
}
