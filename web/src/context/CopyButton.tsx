// Copies a text exactly as it was sent, without any mark.

import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import { contextTexts } from "../texts/context";

interface CopyButtonProps {
  text: string;
  name: string;
  /** What is selected if the browser refuses to copy. */
  shown: RefObject<HTMLElement | null>;
}

/** How long it says that it has copied, in milliseconds. */
const SAID_MS = 2_000;

export function CopyButton({ text, name, shown }: CopyButtonProps) {
  const [said, setSaid] = useState("");

  useEffect(() => {
    if (said === "") return undefined;
    const id = setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(id);
  }, [said]);

  // A page that did not come over a secure connection has no clipboard.
  if (!globalThis.isSecureContext || !("clipboard" in navigator)) return null;

  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setSaid(contextTexts.copied),
      () => {
        if (shown.current) getSelection()?.selectAllChildren(shown.current);
        setSaid(contextTexts.selected);
      },
    );

  return (
    <>
      <span class="context-said" role="status">
        {said}
      </span>
      <button type="button" class="context-tool" aria-label={contextTexts.copyOf(name)} onClick={copy}>
        {contextTexts.copy}
      </button>
    </>
  );
}
