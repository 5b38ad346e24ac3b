// Where a request comes from, on its own screen: kind, asker, room and time. What the heading says already is not said again.

import { claimOf, type RequestView } from "../hub/request";
import { texts } from "../texts/page";
import { Asker } from "./Asker";
import { Avatar } from "./Avatar";
import { KindIcon } from "./KindIcon";
import { Shown } from "./Shown";
import { When } from "./When";

export function Origin({ view }: { view: RequestView }) {
  const { type } = view.item;
  return (
    <p class="origin muted">
      <Avatar view={view} />
      <span>
        <span class={`kind kind-${type}`}>
          <KindIcon type={type} />
          {texts.kindNames[type]}
        </span>
        {view.title === undefined ? <Claim view={view} /> : <>, {texts.request.askedBy} <Asker view={view} /></>} {texts.request.in}{" "}
        <bdi>
          <Shown text={view.room} layout="line" />
        </bdi>
        , <When at={view.createdAt} />
      </span>
    </p>
  );
}

/** The heading names the token of the asker; this is what it calls itself beside that. */
function Claim({ view }: { view: RequestView }) {
  const claim = claimOf(view);
  if (claim === undefined) return null;
  return (
    <>
      , {texts.request.callsItself} {`"`}
      <bdi>
        <Shown text={claim} layout="line" />
      </bdi>
      {`",`}
    </>
  );
}
