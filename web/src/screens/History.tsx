// What has ended, the newest first: what the document shows, live, and the rest page by page.

import { useState } from "preact/hooks";
import { pathOf } from "../address";
import { By } from "../answer/Ended";
import { Response } from "../answer/Response";
import { olderRequests, type OlderPage } from "../hub/fetched";
import { nameOf, type Ended, type RequestView } from "../hub/request";
import { ended, inRoom, waiting } from "../hub/room";
import { shortLine } from "../parts/line";
import { Asker } from "../parts/Asker";
import { Shown } from "../parts/Shown";
import { useScreen } from "../parts/screen";
import { historyTexts } from "../texts/more";
import { texts } from "../texts/page";

export function History() {
  const heading = useScreen(historyTexts.title);
  const [older, setOlder] = useState<OlderPage>({ views: [], next: null });
  const [state, setState] = useState<"some" | "looking" | "failed" | "all">("some");
  const look = async () => {
    setState("looking");
    let { views, next } = older;
    let isNew = false;
    // The newest ones are there already.
    do {
      const page = await olderRequests(next);
      if (!page) return setState("failed");
      isNew = page.views.some((view) => inRoom(view.id) === undefined);
      [views, next] = [[...views, ...page.views], page.next];
    } while (!isNew && next !== null);
    setOlder({ views, next });
    setState(next === null ? "all" : "some");
  };
  const views = together(ended.value, older.views);
  const isLoading = waiting.value === undefined;
  return (
    <div class="history">
      <h1 ref={heading} tabIndex={-1}>
        {historyTexts.title}
      </h1>
      {views.length === 0 ? (
        <p class="state">{isLoading ? texts.app.loading : historyTexts.empty}</p>
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
          {state === "looking" ? historyTexts.looking : historyTexts.older}
        </button>
      )}
    </div>
  );
}

/** Each once; the document knows better than what was read a while ago. Older ones may wait still, if many do. */
function together(live: readonly RequestView[], older: readonly RequestView[]): RequestView[] {
  const rest = older.filter((view) => inRoom(view.id) === undefined);
  const when = (view: RequestView) => Date.parse(view.ended?.at ?? view.createdAt);
  return [...live, ...rest].sort((left, right) => when(right) - when(left));
}

function Past({ view }: { view: RequestView }) {
  return (
    <li class="entry">
      <a href={pathOf(view.id)} data-here data-row>
        <span class="entry-name" dir="auto">
          <Shown text={nameOf(view)} layout="line" />
        </span>
        <span class="entry-about">{view.ended ? <Outcome view={view} ended={view.ended} /> : historyTexts.pending}</span>
      </a>
    </li>
  );
}

/** Characters of a reason in the list; all of it is with the request. */
const REASON_LENGTH = 120;

function Outcome({ view, ended }: { view: RequestView; ended: Ended }) {
  const [only, ...more] = ended.responses;
  return (
    <>
      <span class={`badge ${ended.status}`}>{texts.ended[ended.status]}</span>
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
