// Names that nobody else has: for requests, and for proposals.

/**
 * A UUID of version 7, in lower case. `crypto.randomUUID` gives version 4 and is missing on pages that come over plain
 * HTTP; random bytes are everywhere.
 */
export function newId(now: number = Date.now()): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const moment = now.toString(16).padStart(12, "0");
  const hex = [...bytes.subarray(6)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const variant = (8 + ((bytes[0] ?? 0) % 4)).toString(16);
  return `${moment.slice(0, 8)}-${moment.slice(8)}-7${hex.slice(0, 3)}-${variant}${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
