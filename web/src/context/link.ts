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
  if (leadsToHub(url)) return undefined;
  const begins = url.protocol === "mailto:" ? url.protocol : `${url.protocol}//${url.host}`;
  const rest = href.slice(begins.length);
  // A name before an @, a port or letters of another script would let one host look like another.
  const isPlain = href.toLowerCase().startsWith(begins) && (url.protocol === "mailto:" || /^(?:[/?#]|$)/.test(rest));
  return { address: url.href, otherHost: isPlain ? undefined : url.host };
}

/** Names and addresses of the machine itself, as `URL` writes them. */
const THIS_MACHINE = /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\]|\[::ffff:(?:7f[0-9a-f]{2}|0):[0-9a-f]+\])$/;

/** Whether it leads to this hub, by any of its names. Only the page's own controls do: agents write no link that logs in. */
function leadsToHub({ protocol, host, hostname, port }: URL): boolean {
  if (host === location.host) return true;
  const usual = (scheme: string) => (scheme === "https:" ? "443" : "80");
  const isSamePort = (port || usual(protocol)) === (location.port || usual(location.protocol));
  return isSamePort && THIS_MACHINE.test(hostname);
}
