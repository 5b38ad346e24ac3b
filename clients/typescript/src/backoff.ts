// How long to wait before another try.

/** The pauses before the first other try and at most, in milliseconds. */
export interface Backoff {
  firstMs: number;
  longestMs: number;
}

/** Doubled each time, and not the same for everybody who lost the hub at the same moment: half of it at least. */
export function backoffMs(attempt: number, { firstMs, longestMs }: Backoff): number {
  return Math.min(firstMs * 2 ** attempt, longestMs) * (0.5 + Math.random() / 2);
}
