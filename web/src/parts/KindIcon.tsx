// The sign of a kind. Its drawing is in the style sheet.

import type { RequestView } from "../hub/request";

export function KindIcon({ type }: { type: RequestView["item"]["type"] }) {
  return <span class={`icon icon-${type}`} aria-hidden="true" />;
}
