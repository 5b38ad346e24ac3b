// The asker: the name of its token, and beside it, as a claim, the request's `from`.

import { claimOf, type RequestView } from "../hub/request";
import { texts } from "../texts/page";
import { Shown } from "./Shown";

export function Asker({ view }: { view: RequestView }) {
  const claim = claimOf(view);
  return (
    <span class="asker">
      <bdi>
        <Shown text={view.asker} layout="line" />
      </bdi>
      {claim === undefined ? null : (
        <>
          {` (${texts.request.callsItself} "`}
          <bdi>
            <Shown text={claim} layout="line" />
          </bdi>
          {`")`}
        </>
      )}
    </span>
  );
}
