// The login of this browser: whose it is, how it begins, and how it ends in every tab.

import type { Api } from "@askback/client";
import { effect, signal } from "@preact/signals";
import { authenticate, post, type Reply } from "./calls";
import { dropSession, keepSession, readSession, type Session } from "./kept-session";
import { reach, start, stop } from "./room";
import { dropOf } from "./stored";

export type Person = Pick<Api.Login, "name" | "room">;

export const person = signal<Person | undefined>(undefined);

/** Whether the login ends with this tab, because the browser keeps no data for the page. */
export const isTabOnly = signal(false);

let secret: string | undefined;
/** Whether this page is about to be replaced, so that it follows no other tab. */
let isLeaving = false;

/** Tabs of this browser tell each other that the session they share has changed. */
const tabs = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("askback.session");

/** Goes on with the session that this browser keeps. */
export async function resumeSession(): Promise<void> {
  const kept = await readSession();
  if (kept) begin(kept);
  else reach.value = { is: "unknown" };
}

function begin(session: Session): void {
  use(session.secret);
  person.value = { name: session.name, room: session.room };
  start(session.secret);
}

function use(session: string | undefined): void {
  secret = session;
  authenticate(session, (refused) => void forget(refused));
}

/** Says whose login the code of a link stands for, without using the link up. */
export function findLogin(code: string): Promise<Reply<Api.Login>> {
  return post<Api.Login>("/sessions", { code, redeem: false }, null);
}

/** Logs in with the code of a link. Resolves to whether the page must be loaded again, to begin anew for another person. */
export async function logIn(code: string): Promise<Reply<{ isNewPage: boolean }>> {
  const reply = await post<Api.Session>("/sessions", { code, redeem: true }, null);
  if (!reply.ok) return reply;
  const replaced = secret;
  // This tab lets go of the old session before that is revoked.
  isLeaving = true;
  use(undefined);
  stop();
  const isKept = await keepSession(reply.body);
  // Where the hub can't be reached, the old session expires by itself.
  if (replaced !== undefined) await post("/logout", {}, replaced);
  if (isKept) tabs?.postMessage("changed");
  if (replaced !== undefined && isKept) return { ok: true, body: { isNewPage: true } };
  isTabOnly.value = !isKept;
  isLeaving = false;
  begin(reply.body);
  return { ok: true, body: { isNewPage: false } };
}

/** Ends the login in every tab, and leaves nothing of it in this browser. */
export async function logOut(): Promise<boolean> {
  const ended = secret;
  const reply = await post("/logout");
  if (!reply.ok && reply.status !== 401) return false;
  isLeaving = true;
  stop();
  const name = person.peek()?.name;
  if (name !== undefined) await dropOf(name);
  if (ended !== undefined) await dropSession(ended);
  tabs?.postMessage("changed");
  // With nothing left in its memory, either.
  location.assign("/");
  return true;
}

/** Deletes a secret that the hub does not accept. */
async function forget(refused: string): Promise<void> {
  if (refused !== secret) return;
  use(undefined);
  await dropSession(refused);
  reach.value = { is: "unknown" };
  tabs?.postMessage("changed");
  // Another tab may have logged in since.
  await follow();
}

/** Begins anew if this browser has another session now, which another tab has begun or ended: nothing stays in memory. */
async function follow(): Promise<void> {
  if (isTabOnly.peek() || isLeaving) return;
  const kept = await readSession();
  if (kept?.secret === secret || isLeaving) return;
  isLeaving = true;
  location.reload();
}

tabs?.addEventListener("message", () => void follow());

// The hub has closed the connection because it does not accept the session.
effect(() => {
  if (reach.value.is === "unknown" && secret !== undefined) void forget(secret);
});
