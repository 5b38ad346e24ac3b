// What stays in this browser over a reload, in IndexedDB; where that is switched off, it stays while the page does.

/** How long a database may take to open. */
const OPENING_MS = 5000;

/** Opens a database of this browser with these stores; undefined if there is none to be had, as in some private windows. */
export function openDatabase(name: string, stores: readonly string[]): Promise<IDBDatabase | undefined> {
  return new Promise((resolve) => {
    // A browser that never answers has none, either.
    setTimeout(() => resolve(undefined), OPENING_MS);
    try {
      const opening = indexedDB.open(name, 1);
      opening.onupgradeneeded = () => stores.forEach((store) => opening.result.createObjectStore(store));
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => resolve(undefined);
      opening.onblocked = () => resolve(undefined);
    } catch {
      resolve(undefined);
    }
  });
}

/** Does some work in one transaction. Resolves when that is committed; to false if it could not be. */
export async function transact(
  database: Promise<IDBDatabase | undefined>,
  name: string,
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => void,
): Promise<boolean> {
  const opened = await database;
  if (!opened) return false;
  return new Promise((resolve) => {
    try {
      const transaction = opened.transaction(name, mode);
      transaction.oncomplete = () => resolve(true);
      transaction.onerror = () => resolve(false);
      transaction.onabort = () => resolve(false);
      work(transaction.objectStore(name));
    } catch {
      // A browser that clears its data closes the database under us.
      resolve(false);
    }
  });
}

/** What is kept there. */
export type Shelf = "drafts" | "queue";

const SHELVES: readonly Shelf[] = ["drafts", "queue"];

const database = openDatabase("askback", SHELVES);

/** Everything on a shelf, by its key. */
export async function readAll<Value>(shelf: Shelf): Promise<Map<string, Value>> {
  const found = new Map<string, Value>();
  await transact(database, shelf, "readonly", (store) => {
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
  return write(shelf, (store) => void store.put(value, key));
}

export function drop(shelf: Shelf, key: string): Promise<boolean> {
  return write(shelf, (store) => void store.delete(key));
}

/** Drops all that is somebody's. */
export async function dropOf(name: string): Promise<void> {
  for (const shelf of SHELVES) {
    for (const [key, { by }] of await readAll<{ by?: string }>(shelf)) if (by === name) await drop(shelf, key);
  }
}

function write(shelf: Shelf, work: (store: IDBObjectStore) => void): Promise<boolean> {
  return transact(database, shelf, "readwrite", (store) => {
    work(store);
    // At once: a page that is being left does not live to see its requests done, and what is not committed then is lost.
    store.transaction.commit();
  });
}
