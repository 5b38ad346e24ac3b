// What to look at while an option is focused or selected: whole, and scrolled inside.

import type { OfferedOption } from "@askback/client";
import { Shown } from "../parts/Shown";
import { kindsTexts } from "../texts/kinds";

export function Preview({ id, option }: { id: string; option: OfferedOption }) {
  return (
    <figure class="preview">
      <figcaption id={`${id}-preview`}>
        {kindsTexts.preview}{" "}
        <bdi>
          <Shown text={option.label} layout="line" />
        </bdi>
      </figcaption>
      {option.preview === undefined ? (
        <p class="hint">{kindsTexts.noPreview}</p>
      ) : (
        <pre tabIndex={0} role="region" aria-labelledby={`${id}-preview`} dir="auto">
          <Shown text={option.preview} />
        </pre>
      )}
    </figure>
  );
}
