// Not answering: with a question back, with a reason, or without a word (L7).

import { useState } from "preact/hooks";
import { texts } from "../texts/page";
import { keepInView } from "./sight";

interface AskBackProps {
  reason: string;
  onReason: (reason: string) => void;
  /** Sends it, by this control. */
  onSend: (control: Element) => void;
}

export function AskBack({ reason, onReason, onSend }: AskBackProps) {
  const isBlank = reason.trim() === "";
  // Whoever deletes what they wrote is still there.
  const [isOpen, setOpen] = useState(!isBlank);
  return (
    <details class="ask-back" data-sends open={isOpen} onFocusIn={keepInView} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.answer.backTitle}</summary>
      <p class="muted">{texts.answer.backHow}</p>
      <label for="reason">{texts.answer.backLabel}</label>
      <textarea
        id="reason"
        rows={3}
        value={reason}
        dir="auto"
        onInput={(event) => onReason(event.currentTarget.value)}
      />
      <button type="button" class="decline" data-send-this={isBlank ? undefined : true} onClick={(event) => onSend(event.currentTarget)}>
        {isBlank ? texts.answer.backSendBare : texts.answer.backSend}
      </button>
    </details>
  );
}
