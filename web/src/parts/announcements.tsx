// What somebody who does not see the screen is told when something happens by itself.

import { signal } from "@preact/signals";

const announcement = signal("");

/** Said once the screen reader has time. */
export function announce(text: string): void {
  // The same text twice would not be a change.
  announcement.value = announcement.peek() === text ? `${text} ` : text;
}

export function Announcements() {
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {announcement.value}
    </div>
  );
}
