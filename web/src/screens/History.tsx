// What has ended, the newest first: what the document shows, live, and the rest page by page.

import { useState } from "preact/hooks";
import { pathOf } from "../address";
import { By } from "../answer/Ended";
import { Response } from "../answer/Response";
import { resultOf } from "../answer/result";
import { filtered, filters, isFinding } from "../filter";
import { olderRequests } from "../hub/fetched";
import { nameOf, type Ended, type RequestView } from "../hub/request";
import { ended, inRoom, waiting } from "../hub/room";
import { shortLine } from "../parts/line";
import { Asker } from "../parts/Asker";
import { Avatar } from "../parts/Avatar";
import { FindButton } from "../parts/FindButton";
import { Later } from "../parts/later";
import { Shown } from "../parts/Shown";
import { useScreen } from "../parts/screen";
import { historyTexts } from "../texts/more";
import { texts } from "../texts/page";
import { finder } from "./screens";

export function History() {
  const heading = useScreen(historyTexts.title);
  const filter = filters.history.value;
  const { older, state, look } = useOlder(filter?.room ?? "");
  const all = together(ended.value, older);
  const views = filtered("history", all);
  const isLoading = waiting.value === undefined;
  return (
    <div class="history">
      <div class="screen-head">
        <h1 ref={heading} tabIndex={-1}>
          {historyTexts.title}
        </h1>
        <FindButton list="history" />
        <a class="button quiet" href="/audit" data-here>
          {texts.app.audit}
        </a>
      </div>
      {isFinding.history.value ? <Later part={finder} props={{ list: "history", views: all, shown: views.length }} /> : null}
      {views.length === 0 ? (
        <div class="state empty">
          <span class="icon icon-history" aria-hidden="true" />
          <p>{isLoading ? texts.app.loading : filter ? historyTexts.noneFound : historyTexts.empty}</p>
        </div>
      ) : (
        <ul role="list">
          {views.map((view) => (
            <Past key={view.id} view={view} />
          ))}
        </ul>
      )}
      <p role="status" class="muted">
        {state === "failed" ? historyTexts.failed : state === "all" ? historyTexts.all : ""}
      </p>
      {state === "all" ? null : (
        <button type="button" disabled={state === "looking"} onClick={() => void look()}>
          {state === "looking" ? historyTexts.looking : filter ? historyTexts.searchOlder : historyTexts.older}
        </button>
      )}
    </div>
  );
}

/** Pages of older requests that one press reads, at most, while none of them matches. */
const PAGES_OF_A_LOOK = 20;

/** The requests that the document does not show, page by page; of one room only, if one is looked for. */
function useOlder(room: string) {
  const [older, setOlder] = useState<readonly RequestView[]>([]);
  const [reached, setReached] = useState<{ room: string; next: string | null; state: "some" | "looking" | "failed" | "all" }>();
  const { next, state } = reached?.room === room ? reached : ({ next: null, state: "some" } as const);
  const look = async () => {
    setReached({ room, next, state: "looking" });
    let cursor = next;
    const found: RequestView[] = [];
    // The newest ones are there already, and a search looks on until it finds something.
    let state: "some" | "failed" | "all" = "some";
    for (let pages = 0; pages < PAGES_OF_A_LOOK && state === "some" && filtered("history", found).length === 0; pages += 1) {
      const page = await olderRequests(cursor, room);
      if (page) found.push(...page.views.filter((view) => inRoom(view.id) === undefined));
      if (page) cursor = page.next;
      state = !page ? "failed" : cursor === null ? "all" : "some";
    }
    setOlder((before) => [...before, ...found]);
    setReached({ room, next: cursor, state });
  };
  return { older, state, look };
}

/** Each once; the document knows better than what was read a while ago. Older ones may wait still, if many do. */
function together(live: readonly RequestView[], older: readonly RequestView[]): RequestView[] {
  const rest = new Map(older.filter((view) => inRoom(view.id) === undefined).map((view) => [view.id, view]));
  const when = (view: RequestView) => Date.parse(view.ended?.at ?? view.createdAt);
  return [...live, ...rest.values()].sort((left, right) => when(right) - when(left));
}

function Past({ view }: { view: RequestView }) {
  return (
    <li class="entry">
      <a href={pathOf(view.id)} data-here data-row>
        <Avatar view={view} />
        <span class="entry-body">
          <span class="entry-top">
            <span class="entry-name" dir="auto">
              <Shown text={nameOf(view)} layout="line" />
            </span>
          </span>
          <span class="entry-about">{view.ended ? <Outcome view={view} ended={view.ended} /> : historyTexts.pending}</span>
        </span>
      </a>
    </li>
  );
}

/** Characters of a reason in the list; all of it is with the request. */
const REASON_LENGTH = 120;

function Outcome({ view, ended }: { view: RequestView; ended: Ended }) {
  const [only, ...more] = ended.responses;
  const result = resultOf(view, ended);
  return (
    <>
      <span class={`badge ${result}`}>
        <span class={`icon icon-${result}`} aria-hidden="true" />
        {texts.ended[result]}
      </span>
      {only !== undefined && more.length === 0 ? (
        <span class="past-answer">
          <Response question={view.questions[0]} response={only} />
        </span>
      ) : null}
      {ended.isDefault ? <span>{texts.ended.defaultUsed}</span> : null}
      {ended.reason === undefined ? null : (
        <span class="past-answer" dir="auto">
          <Shown text={shortLine(ended.reason, REASON_LENGTH)} layout="line" />
        </span>
      )}
      <span>
        <By ended={ended} />
      </span>
      <span class="muted">
        {texts.request.askedBy} <Asker view={view} /> {texts.request.in}{" "}
        <bdi>
          <Shown text={view.room} layout="line" />
        </bdi>
      </span>
    </>
  );
}
