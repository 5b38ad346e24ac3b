// A time: how long ago or how far ahead, and on pointing at it when exactly.

import { calendar, moment, relation, second } from "../time";

interface WhenProps {
  at: string;
  /** Exactly to the second, or only twice a minute. */
  pace?: "seconds" | "minutes";
}

export function When({ at, pace = "minutes" }: WhenProps) {
  const now = pace === "seconds" ? second.value : moment.value;
  // What came after the last tick did not come from the future.
  const text = relation(at, pace === "minutes" ? Math.max(now, Date.parse(at)) : now);
  return (
    <time dateTime={at} title={calendar(at)}>
      {text}
    </time>
  );
}
