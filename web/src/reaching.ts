// Reaching somebody who is not looking: the title, the icon, and a notification where they want one.

import { effect, signal } from "@preact/signals";
import { go, pathOf } from "./address";
import { askerOf, nameOf, type RequestView } from "./hub/request";
import { waiting } from "./hub/room";
import { line } from "./parts/line";
import { choose, isOn } from "./settings";
import { texts } from "./texts/page";

/** What the screen in front is called. */
export const screenTitle = signal<string>(texts.app.name);

/** Whether this browser can notify here at all: not over plain HTTP from another machine, for one. */
export function canNotify(): boolean {
  return "Notification" in window && window.isSecureContext && Notification.permission !== "denied";
}

/** Asks the browser's permission, if there is none yet. */
export async function switchNotifications(on: boolean): Promise<void> {
  const allowed = on && canNotify() && (await Notification.requestPermission()) === "granted";
  choose("notifications", allowed ? "on" : "off");
}

export function reachOut(): void {
  effect(() => {
    const count = waiting.value?.length ?? 0;
    document.title = `${count > 0 ? `(${count}) ` : ""}${line(screenTitle.value)}`;
    icon()?.setAttribute("href", count > 0 ? counted(count) : "/icon.svg");
  });
  let known: Set<string> | undefined;
  effect(() => {
    const views = waiting.value;
    if (!views) return;
    const arrived = known ? views.filter((view) => !known?.has(view.id)) : [];
    known = new Set(views.map((view) => view.id));
    if (document.visibilityState !== "hidden" && document.hasFocus()) return;
    if (arrived.length <= MOST_AT_ONCE) arrived.forEach(notify);
    else tell(texts.inbox.count(views.length), "", "/");
  });
}

/** More than these after a sleep, say, are one. */
const MOST_AT_ONCE = 3;

function notify(view: RequestView): void {
  tell(texts.reaching.asks(line(askerOf(view)), line(view.room)), line(nameOf(view)), pathOf(view.id));
}

function tell(title: string, body: string, path: string): void {
  if (!isOn("notifications") || !canNotify() || Notification.permission !== "granted") return;
  try {
    // One for each address, however many tabs are open.
    const notification = new Notification(title, { body, tag: path, icon: "/icon.svg" });
    notification.onclick = () => {
      window.focus();
      go(path);
      notification.close();
    };
  } catch {
    // Phones notify through a service worker alone, and the page's policy forbids those.
    choose("notifications", "off");
  }
}

function icon(): HTMLLinkElement | null {
  return document.querySelector('link[rel="icon"]');
}

/** The icon with a number on it. */
function counted(count: number): string {
  const number = count > 99 ? "99+" : String(count);
  const size = number.length > 2 ? 26 : 36;
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#4f46e5"/>` +
    `<text x="32" y="${32 + size * 0.36}" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="${size}" fill="#fff">${number}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
