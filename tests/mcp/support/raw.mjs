// Calls of /mcp with nobody between them and the story: any bytes, under any headers.

import { request } from "node:http";

/** What a client that does everything right sends along. */
const HEADERS = { accept: "application/json, text/event-stream", "content-type": "application/json" };

/** Sends bytes to /mcp, and gives what is said to them. A header that is null is not sent. */
export function post(hub, bytes, { method = "POST", token = hub.asker, path = "/mcp?room=shop&wait=1", ...headers } = {}) {
  const all = { ...HEADERS, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
  return new Promise((resolve, reject) => {
    const calling = request(new URL(path, hub.origin), { method, headers: sent, agent: false }, (response) => {
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (data) => (text += data));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode, headers: response.headers, text, message: messageIn(text) }));
    });
    calling.on("error", reject);
    calling.end(bytes);
  });
}

/** The message in a stream of events, or in a body that is one. */
function messageIn(text) {
  const data = text.split("\n").filter((line) => line.startsWith("data: {"));
  try {
    return JSON.parse(data.length > 0 ? data.at(-1).slice("data: ".length) : text);
  } catch {
    return null;
  }
}
