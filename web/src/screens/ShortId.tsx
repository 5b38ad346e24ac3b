// The address of a request by the end of its id, as the command line prints it: it leads to the request if only one has that end.

import { useEffect, useState } from "preact/hooks";
import { pathOf, replace } from "../address";
import { newestRequests } from "../hub/fetched";
import { nameOf, type RequestView } from "../hub/request";
import { ended, waiting } from "../hub/room";
import { useScreen } from "../parts/screen";
import { Shown } from "../parts/Shown";
import { shortIdTexts } from "../texts/more";
import { texts } from "../texts/page";

type State = { is: "looking" } | { is: "failed" } | { is: "found"; views: readonly RequestView[] };

export function ShortId({ end }: { end: string }) {
  const [state, setState] = useState<State>({ is: "looking" });
  const [attempt, setAttempt] = useState(0);
  const isComplete = waiting.value !== undefined;
  useEffect(() => {
    if (!isComplete) return;
    let isHere = true;
    setState({ is: "looking" });
    void matching(end).then((found) => isHere && settle(found, setState));
    return () => void (isHere = false);
  }, [end, isComplete, attempt]);
  if (state.is === "looking") {
    return (
      <p class="state" role="status">
        {texts.request.loading}
      </p>
    );
  }
  return <Unsettled state={state} onAgain={() => setAttempt(attempt + 1)} />;
}

/** The requests whose id ends so, of those that the document has and of the newest ones; nothing if the hub is away. */
async function matching(end: string): Promise<RequestView[] | undefined> {
  const newest = await newestRequests();
  const known = [...(waiting.peek() ?? []), ...ended.peek()];
  const found = new Map([...(newest ?? []), ...known].filter(({ id }) => id.endsWith(end)).map((view) => [view.id, view]));
  return newest === undefined && found.size === 0 ? undefined : [...found.values()];
}

function settle(found: RequestView[] | undefined, setState: (state: State) => void): void {
  const [only, ...more] = found ?? [];
  // An asker can choose its ids: of several requests with the same end, a person says which.
  if (only && more.length === 0) replace(pathOf(only.id));
  else setState(found ? { is: "found", views: found } : { is: "failed" });
}

function Unsettled({ state, onAgain }: { state: Exclude<State, { is: "looking" }>; onAgain: () => void }) {
  const views = state.is === "found" ? state.views : [];
  const title = state.is === "failed" ? texts.request.failed : views.length > 0 ? shortIdTexts.several : texts.request.missing;
  const heading = useScreen(title);
  return (
    <div class="state">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {state.is === "found" && views.length === 0 ? <p>{shortIdTexts.missingWhy}</p> : null}
      {views.length === 0 ? null : (
        <ul role="list">
          {views.map((view) => (
            <li key={view.id} class="entry">
              <a href={pathOf(view.id)} data-here>
                <span class="entry-name" dir="auto">
                  <Shown text={nameOf(view)} layout="line" />
                </span>
                <span class="entry-about">{view.id}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {state.is === "failed" ? (
        <button type="button" onClick={onAgain}>
          {texts.request.again}
        </button>
      ) : null}
      <p>
        <a href="/" data-here>
          {texts.request.back}
        </a>
      </p>
    </div>
  );
}
