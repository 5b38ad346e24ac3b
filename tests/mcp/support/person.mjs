// The person's side of a story: what waits for them, and what they do about it.

import { until } from "../../../clients/typescript/live/hub.mjs";

/** The pending request with this message, as soon as there is one. */
export function asked(hub, message) {
  return until(`somebody asks “${message}”`, async () => {
    const { json } = await hub.call("GET", "/api/v1/requests?status=pending&limit=100");
    return json.items.find((request) => messagesOf(request).includes(message));
  });
}

/** Every request with this message, whatever became of it. */
export async function allAsked(hub, message) {
  const { json } = await hub.call("GET", "/api/v1/requests?limit=100");
  return json.items.filter((request) => messagesOf(request).includes(message));
}

const messagesOf = ({ request }) => request.questions.map(({ message }) => message);

/** Answers as soon as it is asked. Gives the id. */
export async function answer(hub, message, ...responses) {
  const { id } = await asked(hub, message);
  await post(hub, `/api/v1/requests/${id}/answer`, { responses });
  return id;
}

/** Says no as soon as it is asked. */
export async function decline(hub, message, reason) {
  const { id } = await asked(hub, message);
  await post(hub, `/api/v1/requests/${id}/decline`, { reason });
  return id;
}

/** Cancels it as soon as it is asked, perhaps with a reason. */
export async function cancel(hub, message, reason) {
  const { id } = await asked(hub, message);
  await post(hub, `/api/v1/requests/${id}/cancel`, { reason });
  return id;
}

async function post(hub, address, body) {
  const { status, text } = await hub.call("POST", address, { body });
  if (status !== 200) throw new Error(`POST ${address}: ${status} ${text}`);
}
