// The session that this browser keeps for this origin. IndexedDB belongs to one origin, port included, which cookies do not.

import type { Api } from "@askback/client";
import { openDatabase, transact } from "./stored";

/** A login of this browser. The secret is sent with every call as a bearer token. */
export type Session = Pick<Api.Session, "secret" | "name" | "room">;

const STORE = "session";
const KEY = "current";

// Apart from the drafts, whose stores change with the page.
const database = openDatabase("askback-session", [STORE]);

export async function readSession(): Promise<Session | undefined> {
  let found: Partial<Session> | undefined;
  await transact(database, STORE, "readonly", (store) => {
    const reading = store.get(KEY);
    reading.onsuccess = () => (found = reading.result as Partial<Session> | undefined);
  });
  return typeof found?.secret === "string" && typeof found.name === "string" ? (found as Session) : undefined;
}

/** Resolves to whether it is kept. */
export function keepSession({ secret, name, room }: Session): Promise<boolean> {
  return transact(database, STORE, "readwrite", (store) => void store.put({ secret, name, room }, KEY));
}

/** Deletes the session with this secret. Another one, which another tab may have logged in with since, stays. */
export async function dropSession(secret: string): Promise<void> {
  await transact(database, STORE, "readwrite", (store) => {
    const reading = store.get(KEY);
    reading.onsuccess = () => {
      if ((reading.result as Partial<Session> | undefined)?.secret === secret) store.delete(KEY);
    };
  });
}
