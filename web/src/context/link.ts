// Where a link leads, if it may be followed at all.

import { showPieces } from "@askback/client";

export interface Target {
  /** What the browser opens. */
  address: string;
  /** The host, if it is not plainly the one that is written. */
  otherHost: string | undefined;
}

const MAY_BE_FOLLOWED = /^(?:https?:\/\/|mailto:)/i;

/** The target that is written as `href`: only of the web or of mail, and only if nothing in it is hidden. */
export function targetOf(href: string): Target | undefined {
  if (!MAY_BE_FOLLOWED.test(href)) return undefined;
  if (showPieces(href, "line", "exact").some((piece) => piece.isMark)) return undefined;
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  const begins = url.protocol === "mailto:" ? url.protocol : `${url.protocol}//${url.host}`;
  const rest = href.slice(begins.length);
  // A name before an @, a port or letters of another script would let one host look like another.
  const isPlain = href.toLowerCase().startsWith(begins) && (url.protocol === "mailto:" || /^(?:[/?#]|$)/.test(rest));
  return { address: url.href, otherHost: isPlain ? undefined : url.host };
}
