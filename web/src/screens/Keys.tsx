// The list of keys.

import { useEffect, useRef } from "preact/hooks";
import { isHelpOpen } from "../keyboard";
import { keysTexts } from "../texts/more";

export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="keys-title" onClose={() => (isHelpOpen.value = false)}>
      <h2 id="keys-title">{keysTexts.title}</h2>
      <dl class="keys">
        {keysTexts.list.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p class="muted">{keysTexts.off}</p>
      <button type="button" onClick={() => dialog.current?.close()}>
        {keysTexts.close}
      </button>
    </dialog>
  );
}
