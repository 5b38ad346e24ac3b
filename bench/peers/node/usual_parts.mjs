// A page of the usual parts that shows a room's requests, and nothing else.

import DOMPurify from "dompurify";
import { marked } from "marked";
import { createElement, useSyncExternalStore } from "react";
import { createRoot } from "react-dom/client";
import { WebsocketProvider } from "y-websocket";
import * as Y from "yjs";

const doc = new Y.Doc();
const requests = doc.getArray("inputRequests");
new WebsocketProvider("ws://127.0.0.1:4770/sync", "@inbox", doc);
let shown = requests.toArray();
const subscribe = (told) => {
  const tell = () => {
    shown = requests.toArray();
    told();
  };
  requests.observe(tell);
  return () => requests.unobserve(tell);
};

function List() {
  const items = useSyncExternalStore(subscribe, () => shown);
  const html = (text) => ({ dangerouslySetInnerHTML: { __html: DOMPurify.sanitize(marked.parse(text)) } });
  return createElement("ul", null, items.map((item) => createElement("li", { key: item.id, ...html(item.message) })));
}

createRoot(document.body).render(createElement(List));
