// The key End: it reaches the end also where rows on the way turn out higher than expected.

import { settle } from "../answer/sight";
import { isTyping } from "../keyboard";

/** Takes it over until what is returned is called. */
export function watchEnd(): () => void {
  const onKey = (event: KeyboardEvent) => {
    const isEnd = event.key === "End" && !event.altKey && !event.metaKey && !event.shiftKey;
    if (!isEnd || event.defaultPrevented || scrollsItself(event.target)) return;
    event.preventDefault();
    settle(() => window.scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }));
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

/** Whether the key means the end of something else: of a text that is typed, or of a list or a preview that scrolls by itself. */
function scrollsItself(target: EventTarget | null): boolean {
  return isTyping(target) || (target instanceof Element && target.closest(".list, .preview, dialog") !== null);
}
