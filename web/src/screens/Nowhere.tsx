// An address of the hub that leads nowhere.

import { useScreen } from "../parts/screen";
import { texts } from "../texts/page";

export function Nowhere() {
  const heading = useScreen(texts.nowhere.title);
  return (
    <div class="state">
      <h1 ref={heading} tabIndex={-1}>
        {texts.nowhere.title}
      </h1>
      <p>{texts.nowhere.why}</p>
      <p>
        <a href="/" data-here>
          {texts.request.back}
        </a>
      </p>
    </div>
  );
}
