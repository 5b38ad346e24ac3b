// Takes away, in one go, what nobody waits for any more (L9).

import { useRef, useState } from "preact/hooks";
import { disturb, isDeliberate } from "../answer/calm";
import { dismiss, unattended } from "../hub/attendance";
import { groups } from "../order";
import { announce } from "../parts/announcements";
import { texts } from "../texts/page";

export function Dismissing() {
  const dialog = useRef<HTMLDialogElement>(null);
  // What was counted when somebody was asked is what is dismissed, whatever comes meanwhile.
  const [asked, setAsked] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState("");
  // Of what is shown: a search hides requests that nobody has looked at.
  const left = groups.value.flatMap(({ views }) => views.map(({ id }) => id)).filter((id) => unattended.value.has(id));
  const ask = () => {
    setAsked(left);
    setProblem("");
    dialog.current?.showModal();
    disturb();
  };
  const act = async () => {
    if (!isDeliberate()) return setProblem(texts.answer.calm);
    const dismissed = await dismiss(asked, texts.inbox.dismissReason);
    if (dismissed === 0) return setProblem(texts.inbox.dismissFailed);
    dialog.current?.close();
    announce(texts.inbox.dismissed(dismissed));
  };
  return (
    <>
      {left.length === 0 ? null : (
        <div class="dismissing">
          <p class="muted">{texts.inbox.dismissTitle(left.length)}</p>
          <button type="button" onClick={ask}>
            {texts.inbox.dismiss}
          </button>
        </div>
      )}
      <dialog ref={dialog} aria-labelledby="dismiss-title">
        <h2 id="dismiss-title">{texts.inbox.dismissTitle(asked.length)}</h2>
        <p>{texts.inbox.dismissAsk(asked.length)}</p>
        <p class="problem" role="alert">
          {problem}
        </p>
        <div class="choices">
          <button type="button" onClick={() => dialog.current?.close()}>
            {texts.inbox.dismissNo}
          </button>
          <button type="button" class="danger" onClick={() => void act()}>
            {texts.inbox.dismissYes(asked.length)}
          </button>
        </div>
      </dialog>
    </>
  );
}
