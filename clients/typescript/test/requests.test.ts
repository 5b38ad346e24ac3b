// W3: what a client reads out of a room's document.

import assert from "node:assert/strict";
import { test } from "node:test";
import { find, finals, observe, pending, type Requests } from "@askback/client";
import * as Y from "yjs";
import { HubDocument } from "./fake-hub.js";

const ids = (items: { id: string }[]) => items.map((item) => item.id);

test("requests are pending until they end, in the document's order", () => {
  const [hub, replica] = [new HubDocument(), new Y.Doc()];
  hub.ask({ id: "a", type: "confirm", message: "?", questionId: "1" });
  hub.ask({ id: "b", type: "text", message: "?", questionId: "1" });
  hub.sync(replica);
  assert.deepEqual([ids(pending(replica)), ids(finals(replica))], [["a", "b"], []]);
  hub.end("a", { status: "answered", response: "yes", answeredBy: "reviewer" });
  hub.sync(replica);
  assert.deepEqual([ids(pending(replica)), ids(finals(replica))], [["b"], ["a"]]);
  assert.equal(find(replica, "a")?.status, "answered");
  assert.equal(find(replica, "c"), undefined);
});

test("a request stands once, and a final beats a pending whichever comes first", () => {
  for (const statuses of [["pending", "answered"], ["answered", "pending"], ["pending", "pending", "answered", "answered"]]) {
    const doc = new Y.Doc();
    doc.getArray("inputRequests").push(statuses.map((status, index) => ({ id: "a", status, index })));
    assert.deepEqual([ids(pending(doc)), ids(finals(doc))], [[], ["a"]], statuses.join());
    assert.equal(find(doc, "a")?.status, "answered");
  }
  const doc = new Y.Doc();
  doc.getArray("inputRequests").push([{ id: "a", status: "pending" }, { id: "a", status: "pending" }]);
  assert.deepEqual(ids(pending(doc)), ["a"]);
});

test("what is no request is left alone", () => {
  const doc = new Y.Doc();
  const strangers = [null, 5, "a", {}, { id: 1, status: "pending" }, { id: "a" }, []];
  doc.getArray("inputRequests").push([...strangers, { id: "b", status: "pending" }]);
  assert.deepEqual([ids(pending(doc)), ids(finals(doc))], [["b"], []]);
});

test("an observer hears at once, at every change of requests, and not after it has stopped", () => {
  const [hub, replica] = [new HubDocument(), new Y.Doc()];
  hub.ask({ id: "a", type: "confirm", message: "?", questionId: "1" });
  hub.sync(replica);
  const heard: string[][] = [];
  const stop = observe(replica, ({ pending, finals }: Requests) => heard.push([ids(pending).join(), ids(finals).join()]));
  assert.deepEqual(heard, [["a", ""]]);
  hub.end("a", { status: "expired", answeredBy: "hub", surface: "hub" });
  hub.sync(replica);
  assert.deepEqual(heard, [["a", ""], ["", "a"]], "the end is one change");
  replica.getMap("answers").set("key", {});
  stop();
  hub.ask({ id: "b", type: "confirm", message: "?", questionId: "1" });
  hub.sync(replica);
  assert.equal(heard.length, 2);
});

test("requests are read once until they change", (t) => {
  const doc = new Y.Doc();
  const root = doc.getArray("inputRequests");
  const reads = t.mock.method(root, "toArray");
  const item = (id: string) => ({ id, status: "pending" });
  root.push([item("a")]);
  for (let round = 0; round < 5; round += 1) {
    assert.deepEqual([ids(pending(doc)), find(doc, "a")?.id, finals(doc).length], [["a"], "a", 0]);
    doc.getMap("answers").set(`key ${round}`, {});
  }
  assert.equal(reads.mock.callCount(), 1, "proposals change no request");
  pending(doc).pop();
  assert.deepEqual(ids(pending(doc)), ["a"], "what was given away is not what is kept");
});

test("what is read is never what was", () => {
  const doc = new Y.Doc();
  const root = doc.getArray("inputRequests");
  const item = (id: string) => ({ id, status: "pending" });
  const seen: string[] = [];
  const look = (where: string) => seen.push(`${where} ${ids(pending(doc)).join("")}`);
  root.observe(() => look("observer"));
  root.push([item("a")]);
  doc.transact(() => {
    look("before");
    root.push([item("b")]);
    look("within");
  });
  look("after");
  doc.destroy();
  root.push([item("c")]);
  look("destroyed");
  root.delete(0);
  look("at last");
  assert.deepEqual(seen, [
    "observer a",
    "before a",
    "within ab",
    "observer ab",
    "after ab",
    "observer abc",
    "destroyed abc",
    "observer bc",
    "at last bc",
  ]);
});

test("what is read while observers write is never what was", () => {
  const doc = new Y.Doc();
  const root = doc.getArray("inputRequests");
  const seen: string[] = [];
  pending(doc);
  doc.getMap("answers").observe((event) => {
    if (event.keysChanged.has("begin")) {
      doc.getMap("answers").set("second", {});
      root.push([{ id: "third", status: "pending" }]);
    }
    seen.push(ids(pending(doc)).join());
  });
  doc.getMap("answers").set("begin", {});
  assert.deepEqual(seen, ["third", "third"]);
});
