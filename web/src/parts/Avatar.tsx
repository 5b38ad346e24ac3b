// The sign of an agent: a letter on one of a few colours, both from its names. It helps to tell agents apart and proves nothing.

import type { RequestView } from "../hub/request";

/** Colours in the style sheet. */
const HUES = 8;

const WORD_LETTER = /[\p{L}\p{N}]/u;

/** The token of an asker with its claim: what a person takes for one agent. */
export function agentKey({ asker, from }: Pick<RequestView, "asker" | "from">): string {
  return from === undefined || from === asker ? asker : `${asker}\u0000${from}`;
}

/** The number of an agent's colour, from a hash (FNV-1a) of its names: no text of an agent becomes a style. */
function hueOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % HUES;
}

export function Avatar({ view }: { view: Pick<RequestView, "asker" | "from"> }) {
  const letter = WORD_LETTER.exec(view.from ?? view.asker)?.[0] ?? "";
  return (
    <span class={`avatar hue-${hueOf(agentKey(view))}`} aria-hidden="true">
      {letter.toUpperCase()}
    </span>
  );
}
