// Which screen an address stands for, and how one gets from one to another without loading the page again.

import { signal } from "@preact/signals";

export type Place =
  | { is: "inbox" }
  | { is: "request"; id: string }
  /** The end of an id, as lists on the command line show it. */
  | { is: "short"; end: string }
  | { is: "history" }
  | { is: "audit" }
  | { is: "settings" }
  | { is: "login" }
  | { is: "nowhere" };

const REQUEST = /^\/r\/([^/]+)$/;

/** The end of an id, as the command line takes it. A whole id has 36 characters. */
const SHORT_ID = /^[0-9a-f-]{4,35}$/i;

export const place = signal<Place>(read());

/** The list from which the current request was opened. */
export const origin = signal<"/" | "/history" | "/audit">("/");

function read(): Place {
  const { pathname } = location;
  const id = REQUEST.exec(pathname)?.[1];
  if (id !== undefined) return SHORT_ID.test(id) ? { is: "short", end: id.toLowerCase() } : { is: "request", id: decoded(id) };
  if (pathname === "/") return { is: "inbox" };
  if (pathname === "/history") return { is: "history" };
  if (pathname === "/audit") return { is: "audit" };
  if (pathname === "/settings") return { is: "settings" };
  if (pathname === "/login") return { is: "login" };
  return { is: "nowhere" };
}

/** Anybody can write an address. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function pathOf(id: string): string {
  return `/r/${encodeURIComponent(id)}`;
}

export function go(path: string): void {
  const { is } = place.peek();
  if (is === "inbox") origin.value = "/";
  if (is === "history" || is === "audit") origin.value = `/${is}`;
  if (path !== location.pathname) history.pushState(null, "", path);
  place.value = read();
}

/** Goes to a path of the page in the place of the current one, which `back` then does not find. */
export function replace(path: string): void {
  history.replaceState(null, "", path);
  place.value = read();
}

/** Links of the page itself are followed here; everything else, and whatever opens another tab, is the browser's. */
export function followLinks(): void {
  window.addEventListener("popstate", () => (place.value = read()));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || link.target !== "" || link.origin !== location.origin || !link.hasAttribute("data-here")) return;
    event.preventDefault();
    go(link.pathname);
  });
}
