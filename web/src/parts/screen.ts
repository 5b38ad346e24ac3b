// What every screen does when it is gone to: it names the window, and takes the focus to its heading.

import { useLayoutEffect, useRef } from "preact/hooks";
import { screenTitle } from "../reaching";
import { texts } from "../texts/page";

/** For the heading of the screen, which needs a `tabIndex`. */
export function useScreen(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  // With the screen and not after it: whoever is quick is in a field already, and would lose it in the middle of a word.
  useLayoutEffect(() => {
    screenTitle.value = title;
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    return () => {
      // The next screen may have named it already.
      if (screenTitle.peek() === title) screenTitle.value = texts.app.name;
    };
  }, [title]);
  return heading;
}
