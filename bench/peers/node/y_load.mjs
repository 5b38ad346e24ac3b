// Loads a document again and again, as a client that comes with nothing does: node --expose-gc y_load.mjs FILE TIMES
// Beside it, a document that shows the same and has no past.
import { readFileSync } from "node:fs";
import * as Y from "yjs";

const [file, times] = process.argv.slice(2);
const list = (doc) => doc.getArray("inputRequests");

// A document comes in parts, each behind its length.
const parts = (bytes) => {
  const found = [];
  for (let at = 0; at < bytes.length; at += 4 + bytes.readUInt32LE(at)) {
    found.push(bytes.subarray(at + 4, at + 4 + bytes.readUInt32LE(at)));
  }
  return found;
};

const load = (updates) => {
  const doc = new Y.Doc();
  const start = performance.now();
  for (const update of updates) Y.applyUpdate(doc, update);
  return { doc, ns: (performance.now() - start) * 1e6 };
};

// The heap that so many of them take, divided by how many they are: one alone is lost in what the collector leaves.
const heap = (update, count = 20) => {
  const kept = [];
  load(update);
  global.gc();
  const before = process.memoryUsage().heapUsed;
  for (let number = 0; number < count; number += 1) kept.push(load(update).doc);
  global.gc();
  return (process.memoryUsage().heapUsed - before) / kept.length;
};

const old = parts(readFileSync(file));
const shown = list(load(old).doc).toJSON();
const source = new Y.Doc();
shown.forEach((entry) => list(source).push([entry]));
const fresh = [Y.encodeStateAsUpdate(source)];

const results = [old, fresh].map((update) => ({ update, ns: [] }));
for (let round = 0; round < Number(times); round += 1) {
  results.forEach(({ update, ns }) => ns.push(load(update).ns));
}
const [ours, theirs] = results.map(({ update, ns }) => ({ bytes: update.reduce((sum, { length }) => sum + length, 0), ns, heap: heap(update) }));
const count = (status) => shown.filter((entry) => entry.status === status).length;
console.log(JSON.stringify({ ours, theirs, shown: shown.length, pending: count("pending") }));
