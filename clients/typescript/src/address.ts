// Where a hub is, as its caller says it.

/** Which way to call it. */
type Way = "http" | "ws";

const SCHEMES: Record<string, Record<Way, string>> = {
  "http:": { http: "http:", ws: "ws:" },
  "ws:": { http: "http:", ws: "ws:" },
  "https:": { http: "https:", ws: "wss:" },
  "wss:": { http: "https:", ws: "wss:" },
};

const EXPECTED = "expected where the hub is, such as http://127.0.0.1:4770";

/** The hub's address without a slash at the end, for calls or for sockets. Callers without types may bring anything. */
export function addressOf(url: string | URL | undefined, way: Way): string {
  if (url === undefined || url === null || url === "") {
    throw new TypeError(`askback: there is no url (${EXPECTED}); is the variable set that it comes from, perhaps ASKBACK_HUB?`);
  }
  const address = parse(url);
  const scheme = SCHEMES[address.protocol]?.[way];
  if (!scheme) throw new TypeError(`askback: ${address.protocol} is no way to reach a hub (expected http, https, ws or wss)`);
  return `${scheme}//${address.host}${address.pathname.replace(/\/+$/, "")}`;
}

function parse(url: string | URL): URL {
  try {
    return new URL(url);
  } catch (cause) {
    throw new TypeError(`askback: "${url}" is no address (${EXPECTED})`, { cause });
  }
}
