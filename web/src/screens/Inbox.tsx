// What waits for an answer, by room.

import { useEffect, useRef, useState } from "preact/hooks";
import { pathOf } from "../address";
import { drafted } from "../answer/drafts";
import { sendings } from "../answer/sending";
import { beyond, unattended } from "../hub/attendance";
import { nameOf, type RequestView } from "../hub/request";
import { waiting } from "../hub/room";
import { groups } from "../order";
import { Deadline } from "../parts/Deadline";
import { Asker } from "../parts/Asker";
import { Shown } from "../parts/Shown";
import { When } from "../parts/When";
import { texts } from "../texts/page";
import { Dismissing } from "./Dismissing";

/** Rows that are put on the screen at once; the others follow in pauses, so that nothing is ever stuck. */
const ROWS = 40;

interface InboxProps {
  /** The one that is open beside the list. */
  current: string | undefined;
  /** Of the headings of rooms. */
  level: 2 | 3;
}

export function Inbox({ current, level }: InboxProps) {
  const Heading = `h${level}` as const;
  const count = waiting.value?.length;
  const limit = useGrowing(count ?? 0);
  if (count === undefined) {
    return (
      <p class="state" role="status">
        {texts.app.loading}
      </p>
    );
  }
  if (count === 0) return <Empty />;
  let left = limit;
  return (
    <>
      {groups.value.map(({ room, views }) => {
        const shown = views.slice(0, Math.max(0, left));
        left -= shown.length;
        return shown.length === 0 ? null : (
          <section key={room} class="room">
            <Heading class="room-name">
              <bdi>
                <Shown text={room} layout="line" />
              </bdi>{" "}
              <span class="tally">{views.length}</span>
            </Heading>
            <ul role="list">
              {shown.map((view) => (
                <Row key={view.id} view={view} isCurrent={view.id === current} />
              ))}
            </ul>
          </section>
        );
      })}
      {count > limit ? <p class="muted state">{texts.inbox.more(count - limit)}</p> : null}
      {beyond.value > 0 ? <p class="muted state">{texts.inbox.olderOnes}</p> : null}
      <Dismissing />
    </>
  );
}

/** How many rows there may be by now. */
function useGrowing(count: number): number {
  const [limit, setLimit] = useState(ROWS);
  useEffect(() => {
    if (limit >= count) return;
    const timer = setTimeout(() => setLimit(limit + ROWS));
    return () => clearTimeout(timer);
  }, [limit, count]);
  return limit;
}

function Row({ view, isCurrent }: { view: RequestView; isCurrent: boolean }) {
  const { type } = view.item;
  const isLeft = unattended.value.has(view.id);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  const sending = sendings.value.get(view.id);
  return (
    <li class={isLeft ? "entry left" : "entry"}>
      <a ref={link} href={pathOf(view.id)} data-here data-row aria-current={isCurrent ? "page" : undefined}>
        <span class="entry-name" dir="auto">
          <Shown text={nameOf(view)} layout="line" />
        </span>
        {view.title !== undefined && view.questions.length === 1 ? (
          <span class="entry-message" dir="auto">
            <Shown text={view.item.message} layout="line" />
          </span>
        ) : null}
        <span class="entry-about">
          <span class={`kind kind-${type}`}>
            {type === "form" ? texts.inbox.questions(view.questions.length) : texts.kindNames[type]}
          </span>
          <Asker view={view} />
          <When at={view.createdAt} />
          {view.expiresAt === undefined ? null : <Deadline view={view} before={texts.inbox.expires} />}
          {sending?.is === "on its way" ? <span class="badge">{texts.inbox.queued}</span> : null}
          {drafted.value.has(view.id) && !sending ? <span class="badge">{texts.inbox.draft}</span> : null}
          {isLeft ? <span class="badge left">{texts.inbox.unattended}</span> : null}
        </span>
      </a>
    </li>
  );
}

function Empty() {
  return (
    <div class="state empty">
      <p class="strong">{texts.inbox.empty}</p>
      <p>{texts.inbox.emptyMore}</p>
      <p class="muted">{texts.inbox.emptyTry}</p>
      <pre tabIndex={0}>{texts.inbox.emptyCommand}</pre>
    </div>
  );
}
