// Where to go on after an answer: the next question, or the inbox.

import { pathOf } from "../address";
import { nextWaiting } from "../order";
import { isOn } from "../settings";
import { texts } from "../texts/page";

export function Next({ id }: { id: string }) {
  const next = nextWaiting(id);
  return next === undefined ? (
    <p class="next">
      {texts.ended.nothing}{" "}
      <a href="/" data-here>
        {texts.request.back}
      </a>
    </p>
  ) : (
    <p class="next">
      <a class="button primary" href={pathOf(next)} data-here>
        {texts.ended.next} {isOn("shortcuts") ? <kbd aria-hidden="true">n</kbd> : null}
      </a>
    </p>
  );
}
