// What stays in this browser over a reload, in IndexedDB; where that is switched off, it stays while the page does.

const NAME = "askback";
const VERSION = 1;

/** What is kept there. */
export type Shelf = "drafts" | "queue";

const SHELVES: readonly Shelf[] = ["drafts", "queue"];

/** Nothing if there is no database to be had: in some private windows, say. */
const database: Promise<IDBDatabase | undefined> = new Promise((resolve) => {
  try {
    const opening = indexedDB.open(NAME, VERSION);
    opening.onupgradeneeded = () => SHELVES.forEach((shelf) => opening.result.createObjectStore(shelf));
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => resolve(undefined);
    opening.onblocked = () => resolve(undefined);
  } catch {
    resolve(undefined);
  }
});

/** Everything on a shelf, by its key. */
export async function readAll<Value>(shelf: Shelf): Promise<Map<string, Value>> {
  const found = new Map<string, Value>();
  await run(shelf, "readonly", (store) => {
    const walking = store.openCursor();
    walking.onsuccess = () => {
      const cursor = walking.result;
      if (!cursor) return;
      found.set(String(cursor.key), cursor.value as Value);
      cursor.continue();
    };
  });
  return found;
}

/** Resolves when it is kept; to false if it could not be. */
export function keep(shelf: Shelf, key: string, value: unknown): Promise<boolean> {
  return run(shelf, "readwrite", (store) => void store.put(value, key));
}

export function drop(shelf: Shelf, key: string): Promise<boolean> {
  return run(shelf, "readwrite", (store) => void store.delete(key));
}

/** Drops all that is somebody's. */
export async function dropOf(name: string): Promise<void> {
  for (const shelf of SHELVES) {
    for (const [key, { by }] of await readAll<{ by?: string }>(shelf)) if (by === name) await drop(shelf, key);
  }
}

async function run(shelf: Shelf, mode: IDBTransactionMode, work: (store: IDBObjectStore) => void): Promise<boolean> {
  const opened = await database;
  if (!opened) return false;
  return new Promise((resolve) => {
    try {
      const transaction = opened.transaction(shelf, mode);
      transaction.oncomplete = () => resolve(true);
      transaction.onerror = () => resolve(false);
      transaction.onabort = () => resolve(false);
      work(transaction.objectStore(shelf));
      // At once: a page that is being left does not live to see its requests done, and what is not committed then is lost.
      if (mode === "readwrite") transaction.commit();
    } catch {
      // A browser that clears its data closes the database under us.
      resolve(false);
    }
  });
}
