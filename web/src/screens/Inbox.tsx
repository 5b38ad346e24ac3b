// What waits for an answer, by room or by agent.

import { useEffect, useRef, useState } from "preact/hooks";
import { pathOf } from "../address";
import { drafted } from "../answer/drafts";
import { sendings } from "../answer/sending";
import { beyond, unattended } from "../hub/attendance";
import { filters, isFinding } from "../filter";
import { nameOf, type RequestView } from "../hub/request";
import { waiting } from "../hub/room";
import { groups } from "../order";
import { Asker } from "../parts/Asker";
import { Avatar } from "../parts/Avatar";
import { Deadline } from "../parts/Deadline";
import { KindIcon } from "../parts/KindIcon";
import { Later } from "../parts/later";
import { Shown } from "../parts/Shown";
import { When } from "../parts/When";
import { setting } from "../settings";
import { texts } from "../texts/page";
import { dismissing, finder } from "./screens";

/** Rows that are put on the screen at once; the others follow in pauses, so that nothing is ever stuck. */
const ROWS = 25;

interface InboxProps {
  /** The one that is open beside the list. */
  current: string | undefined;
  /** Of the headings of groups. */
  level: 2 | 3;
}

export function Inbox({ current, level }: InboxProps) {
  const count = waiting.value?.length;
  if (count === undefined) {
    return (
      <p class="state" role="status">
        {texts.app.loading}
      </p>
    );
  }
  if (count === 0 && !filters.inbox.value) return <Empty />;
  return (
    <>
      <Found />
      <Groups current={current} level={level} />
      {beyond.value > 0 ? <p class="muted state">{texts.inbox.olderOnes}</p> : null}
      <Unattended />
    </>
  );
}

/** The controls of a search, and a word where nothing matches. */
function Found() {
  const shown = groups.value.reduce((sum, { views }) => sum + views.length, 0);
  return (
    <>
      {isFinding.inbox.value ? <Later part={finder} props={{ list: "inbox", views: waiting.value ?? [], shown }} /> : null}
      {shown === 0 ? <p class="state muted">{texts.inbox.noneFound}</p> : null}
    </>
  );
}

/** What nobody waits for, from when there first is something: a dialog that is open stays open. */
function Unattended() {
  const wasThere = useRef(false);
  wasThere.current ||= unattended.value.size > 0;
  return wasThere.current ? <Later part={dismissing} props={{}} /> : null;
}

function Groups({ current, level }: InboxProps) {
  const Heading = `h${level}` as const;
  const count = groups.value.reduce((sum, { views }) => sum + views.length, 0);
  const limit = useGrowing(count);
  const isByAgent = setting("grouping") === "agent";
  let left = limit;
  return (
    <>
      {groups.value.map(({ key, first, views }) => {
        const shown = views.slice(0, Math.max(0, left));
        left -= shown.length;
        return shown.length === 0 ? null : (
          <section key={key} class="group">
            <Heading class="group-name">
              {isByAgent ? (
                <>
                  <Avatar view={first} /> <Asker view={first} />
                </>
              ) : (
                <bdi>
                  <Shown text={first.room} layout="line" />
                </bdi>
              )}{" "}
              <span class="tally">{views.length}</span>
            </Heading>
            <ul role="list">
              {shown.map((view) => (
                <Row key={view.id} view={view} isCurrent={view.id === current} isByAgent={isByAgent} />
              ))}
            </ul>
          </section>
        );
      })}
      {count > limit ? <p class="muted state">{texts.inbox.more(count - limit)}</p> : null}
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

interface RowProps {
  view: RequestView;
  isCurrent: boolean;
  /** Whether its group names its agent, and so the row its room. */
  isByAgent: boolean;
}

function Row({ view, isCurrent, isByAgent }: RowProps) {
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
        {isByAgent ? <KindIcon type={type} /> : <Avatar view={view} />}
        <span class="entry-body">
          <span class="entry-top">
            <span class="entry-name" dir="auto">
              <Shown text={nameOf(view)} layout="line" />
            </span>
            <When at={view.createdAt} />
          </span>
          {view.title !== undefined && view.questions.length === 1 ? (
            <span class="entry-message" dir="auto">
              <Shown text={view.item.message} layout="line" />
            </span>
          ) : null}
          <span class="entry-about">
            <span class={`kind kind-${type}`}>
              {isByAgent ? null : <KindIcon type={type} />}
              {type === "form" ? texts.inbox.questions(view.questions.length) : texts.kindNames[type]}
            </span>
            {isByAgent ? (
              <bdi>
                <Shown text={view.room} layout="line" />
              </bdi>
            ) : (
              <Asker view={view} />
            )}
            {view.expiresAt === undefined ? null : <Deadline view={view} before={texts.inbox.expires} />}
            {sending?.is === "on its way" ? <span class="badge">{texts.inbox.queued}</span> : null}
            {drafted.value.has(view.id) && !sending ? <span class="badge">{texts.inbox.draft}</span> : null}
            {isLeft ? <span class="badge left">{texts.inbox.unattended}</span> : null}
          </span>
        </span>
      </a>
    </li>
  );
}

function Empty() {
  return (
    <div class="state empty">
      <span class="icon icon-inbox" aria-hidden="true" />
      <p class="strong">{texts.inbox.empty}</p>
      <p>{texts.inbox.emptyMore}</p>
      <p class="muted">{texts.inbox.emptyTry}</p>
      <pre tabIndex={0}>{texts.inbox.emptyCommand}</pre>
    </div>
  );
}
