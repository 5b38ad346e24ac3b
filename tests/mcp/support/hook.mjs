// The hook in Claude Code, and the people whom it asks.

import { until } from "../../../clients/typescript/live/hub.mjs";
import { ASKBACK } from "./programs.mjs";

/** Claude Code takes its time on a machine that has others to serve. */
export const PATIENCE_MS = 60_000;

/** Settings with the hook, as `askback setup claude-code --hook` writes them; Claude Code ends it after `seconds`. */
export function hooked({ args = "", seconds = 660 } = {}) {
  const hooks = [{ type: "command", command: `${ASKBACK} hook claude-code ${args}`, timeout: seconds }];
  return { hooks: { PreToolUse: [{ matcher: "AskUserQuestion", hooks }], PermissionRequest: [{ matcher: "*", hooks }] } };
}

/** The variables by which the hook finds its hub: as that of its machine, which it starts if need be, or as another's. */
export const local = (hub) => ({ ASKBACK_DATA: hub.folder });
export const remote = (hub) => ({ ASKBACK_HUB: hub.origin, ASKBACK_TOKEN: hub.asker });

/** Somebody who looks at the hub, until they leave. */
export async function look(hub) {
  const gone = new AbortController();
  const headers = { authorization: `Bearer ${hub.person}` };
  await fetch(`${hub.origin}/api/v1/events`, { headers, signal: gone.signal });
  return { leave: () => gone.abort() };
}

/** The record of what has this in its text, as soon as it is in this state. */
export function record(hub, text, status = "pending") {
  const look = async () => {
    const { json } = await hub.call("GET", `/api/v1/requests?status=${status}&limit=100`);
    return json.items.find(({ request }) => JSON.stringify(request).includes(text));
  };
  return until(`a request with “${text}” is ${status}`, look, PATIENCE_MS);
}

/** Approves what has this in it. */
export async function approve(hub, text) {
  const { id } = await record(hub, text);
  await hub.answer(id, "approve");
}

/** Rejects it, and says why. */
export async function reject(hub, text, reason) {
  const { id } = await record(hub, text);
  const { status, text: said } = await hub.call("POST", `/api/v1/requests/${id}/decline`, { body: { reason } });
  if (status !== 200) throw new Error(`${status} ${said}`);
}
