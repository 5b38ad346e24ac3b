// What is entered, once more, if it has characters that a field does not show: an asker may have filled it in.

import { showPieces, type Layout } from "@askback/client";
import { Shown } from "../parts/Shown";
import { kindsTexts } from "../texts/kinds";

interface HiddenCharactersProps {
  text: string;
  /** What the asker filled in: as long as it stands there unchanged, nobody has typed it. */
  initial?: string | undefined;
  layout?: Layout;
}

export function HiddenCharacters({ text, initial, layout = "line" }: HiddenCharactersProps) {
  // Joiners are part of what people type; what is left over has no place in an answer unseen.
  const purpose = text === initial ? "exact" : "prose";
  if (!showPieces(text, layout, purpose).some((piece) => piece.isMark)) return null;
  return (
    <p class="hidden-characters">
      {kindsTexts.hiddenCharacters}{" "}
      <bdi>
        <Shown text={text} layout={layout} purpose={purpose} />
      </bdi>
    </p>
  );
}
