// Who is logged in here.

import { effect, signal } from "@preact/signals";
import { get, post } from "./calls";
import { reach, speakAs, stop } from "./room";
import { dropOf } from "./stored";

export interface Person {
  name: string;
  /** The only room they see, if there is one. */
  room: string | null;
}

export const person = signal<Person | undefined>(undefined);

/** Tried again after so long while the hub is away. */
const PAUSE_MS = 2000;

/** Asks until the hub says it, or that nobody is. */
export async function findPerson(): Promise<void> {
  const reply = await get<Person>("/me");
  if (reply.ok) {
    person.value = reply.body;
    speakAs(reply.body.name);
    tellTabs(reply.body.name);
  } else if (reply.status === 401) {
    reach.value = { is: "unknown" };
  } else {
    setTimeout(() => void findPerson(), PAUSE_MS);
  }
}

/** Where tabs of this browser, which share its login, tell each other whose it is. */
const SHARED = "askback.person";

function tellTabs(name: string): void {
  try {
    localStorage.setItem(SHARED, name);
  } catch {
    // Where nothing can be kept, tabs know nothing of each other.
  }
}

// Somebody else has logged in, in another tab: what this one has not sent would be sent in their name.
window.addEventListener("storage", ({ key, newValue }) => {
  if (key === SHARED && newValue !== null && person.peek() && newValue !== person.peek()?.name) location.reload();
});

// The hub does not know this login any more, or it is another person's: then the page begins anew for them.
effect(() => {
  if (reach.value.is !== "unknown" || !person.peek()) return;
  void get<Person>("/me").then((reply) => reply.ok && location.reload());
});

/** Ends the login, and leaves nothing of it in this browser. */
export async function logOut(): Promise<boolean> {
  const reply = await post("/logout");
  if (!reply.ok && reply.status !== 401) return false;
  stop();
  const name = person.peek()?.name;
  if (name !== undefined) await dropOf(name);
  // With nothing left in its memory, either.
  location.assign("/");
  return true;
}
