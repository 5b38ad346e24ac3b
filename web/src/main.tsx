// Starts the page.

import { effect } from "@preact/signals";
import { render } from "preact";
import { followLinks, place } from "./address";
import { watchPresses } from "./answer/calm";
import { loadDrafts } from "./answer/drafts";
import { resumeQueue } from "./answer/sending";
import { watchAttendance } from "./hub/attendance";
import { nameOf } from "./hub/request";
import { reach, waiting } from "./hub/room";
import { person, resumeSession } from "./hub/session";
import { watchKeys } from "./keyboard";
import { announce } from "./parts/announcements";
import { line } from "./parts/line";
import { prepare, type Part } from "./parts/later";
import { reachOut } from "./reaching";
import { App } from "./screens/App";
import {
  contexts,
  endedPanel,
  furtherControls,
  historyScreen,
  keysDialog,
  loginLinkScreen,
  requestScreen,
  settingsScreen,
} from "./screens/screens";
import { texts } from "./texts/page";
import { followTheme } from "./theme";
import { startClock } from "./time";

/** What this browser has kept of this person, once it is known who that is. */
function remember(): void {
  const stop = effect(() => {
    const name = person.value?.name;
    if (name === undefined) return;
    void loadDrafts(name);
    void resumeQueue(name);
    queueMicrotask(() => stop());
  });
}

/** Says aloud what comes and goes by itself. */
function announceChanges(): void {
  let known: ReadonlySet<string> | undefined;
  effect(() => {
    const views = waiting.value;
    if (!views) return;
    const arrived = known ? views.filter((view) => !known?.has(view.id)) : [];
    known = new Set(views.map((view) => view.id));
    const [first, ...more] = arrived;
    if (first) announce(more.length > 0 ? texts.inbox.count(views.length) : texts.inbox.arrived(line(nameOf(first))));
  });
  let wasOffline = false;
  effect(() => {
    const { is } = reach.value;
    if (is === "live" && wasOffline) announce(texts.reach.back);
    wasOffline = is === "offline";
  });
}

/** What is needed next is loaded while nobody waits for it; what the address needs, at once. */
function lookAhead(): void {
  if (place.peek().is === "request") prepare(requestScreen);
  if (place.peek().is === "login") prepare(loginLinkScreen);
  const stop = effect(() => {
    if (waiting.value === undefined) return;
    setTimeout(prepareAll, AHEAD_MS);
    queueMicrotask(() => stop());
  });
}

/** So that a page that is open goes on when the hub is away. */
function prepareAll(): void {
  const parts = [requestScreen, furtherControls, endedPanel, contexts, historyScreen, settingsScreen, keysDialog];
  parts.forEach((later) => prepare(later as Part<object>));
}

/** After the first requests are on the screen. */
const AHEAD_MS = 1000;

followTheme();
void resumeSession();
lookAhead();
remember();
startClock();
followLinks();
watchPresses();
watchKeys();
reachOut();
announceChanges();
const page = document.getElementById("page");
if (page) render(<App />, page);
// Once there is a connection: until then nobody knows what waits.
const stop = effect(() => {
  if (reach.value.is !== "live") return;
  watchAttendance();
  queueMicrotask(() => stop());
});
