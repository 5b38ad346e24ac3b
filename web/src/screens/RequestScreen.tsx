// One request on its own address: who asks, what there is to look at, and its answer.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Answering } from "../answer/Answering";
import { disturb, useStanding } from "../answer/calm";
import { areDraftsKnown } from "../answer/drafts";
import { Answers } from "../answer/Answers";
import { OnItsWay } from "../answer/OnItsWay";
import { Response } from "../answer/Response";
import { sendings } from "../answer/sending";
import { unattended } from "../hub/attendance";
import { bring, fetched, type Fetched } from "../hub/fetched";
import { nameOf, type RequestView } from "../hub/request";
import { inRoom, waiting } from "../hub/room";
import { Deadline, isNearEnd, isOver } from "../parts/Deadline";
import { announce } from "../parts/announcements";
import { Later } from "../parts/later";
import { shortLine } from "../parts/line";
import { useScreen } from "../parts/screen";
import { Origin } from "../parts/Origin";
import { Shown } from "../parts/Shown";
import { When } from "../parts/When";
import { texts } from "../texts/page";
import { contexts, endedPanel } from "./screens";

export function RequestScreen({ id }: { id: string }) {
  const shown = inRoom(id);
  const isComplete = waiting.value !== undefined;
  const isNeeded = isComplete && !shown?.isWhole;
  useEffect(() => {
    if (isNeeded) void bring(id);
  }, [id, isNeeded]);
  const other = fetched.value.get(id);
  const view = whole(shown, other);
  if (view) return <Request key={id} view={view} />;
  if (other?.is === "missing") return <Missing />;
  if (other?.is === "failed") return <Failed id={id} detail={other.detail} />;
  return (
    <p class="state" role="status">
      {texts.request.loading}
    </p>
  );
}

/** The document knows first how it is; HTTP knows all of it. Nothing while what is there is not all that is to be seen. */
function whole(shown: RequestView | undefined, other: Fetched | undefined): RequestView | undefined {
  if (shown?.isWhole) return shown;
  if (other?.is === "there") return { ...other.view, ended: shown?.ended ?? other.view.ended };
  // What has ended is worth showing without its context; what waits is not to be decided without it.
  return shown?.ended ? shown : undefined;
}

/** Characters of a request's name in the title of the window. */
const TITLE_LENGTH = 80;

function Request({ view }: { view: RequestView }) {
  const heading = useScreen(shortLine(nameOf(view), TITLE_LENGTH));
  const sending = sendings.value.get(view.id);
  const ended = sending?.is === "counted" || sending?.is === "late" ? sending.ended : view.ended;
  // Until the hub has judged what was sent from here, that is what counts on this screen.
  const isOnItsWay = sending?.is === "on its way" && !ended;
  const isWaitingForVerdict = isOnItsWay && !sending.isReopened;
  const [isDrawn, setDrawn] = useState(view.context.length === 0);
  // Nobody decides on what is not all on the screen yet; and what was entered before belongs into the form first.
  const isReady = isDrawn && areDraftsKnown.value;
  const isNear = !ended && isNearEnd(view);
  const standing = useStanding();
  useLayoutEffect(disturb, [isReady, view.id, isOnItsWay, ended !== undefined]);
  useEffect(() => {
    if (isNear) announce(texts.request.near);
  }, [isNear]);
  return (
    <article class={isNear ? "request near" : "request"}>
      <div class="above">
        <header ref={standing}>
          <h1 ref={heading} tabIndex={-1} dir="auto">
            <Name view={view} />
          </h1>
          <About view={view} isEnded={ended !== undefined} />
        </header>
        {ended ? <Later part={endedPanel} props={{ view, ended }} /> : null}
        {view.context.length === 0 ? null : (
          <Later
            part={contexts}
            props={{ contexts: view.context, questions: view.questions, isOpen: !ended, onWhole: () => setDrawn(true) }}
          />
        )}
      </div>
      {isOnItsWay ? <OnItsWay view={view} sending={sending} /> : null}
      {ended || isWaitingForVerdict || !isReady ? null : <Answering view={view} />}
    </article>
  );
}

/** Its title, or who asks: what is asked stands with the question. */
function Name({ view }: { view: RequestView }) {
  if (view.title !== undefined) return <Shown text={view.title} layout="line" />;
  return (
    <>
      {texts.request.questionFrom}{" "}
      <bdi>
        <Shown text={view.asker} layout="line" />
      </bdi>
    </>
  );
}

function About({ view, isEnded }: { view: RequestView; isEnded: boolean }) {
  return (
    <>
      <Origin view={view} />
      {isEnded ? null : <Open view={view} />}
    </>
  );
}

/** What matters as long as it is open: until when, and for whom. */
function Open({ view }: { view: RequestView }) {
  const lastWaitedAt = unattended.value.get(view.id);
  return (
    <>
      {view.expiresAt === undefined ? null : (
        <div class="muted">
          {isOver(view) ? (
            texts.request.over
          ) : (
            <>
              <Deadline view={view} before={texts.request.open} />
              {". "}
              {view.defaults ? texts.request.endsDefault : texts.request.endsExpired}
            </>
          )}
          <Defaults view={view} />
        </div>
      )}
      {lastWaitedAt === undefined ? null : (
        <div class="notice warning">
          <p>
            {texts.request.unattended} {texts.request.unattendedSince} <When at={lastWaitedAt} />.
          </p>
        </div>
      )}
    </>
  );
}

/** What the asker takes if nobody answers. The question stands below. */
function Defaults({ view }: { view: RequestView }) {
  const [only, ...more] = view.defaults ?? [];
  if (view.defaults === undefined || only === undefined) return null;
  if (more.length > 0) return <Answers view={view} responses={view.defaults} />;
  return (
    <>
      {" "}
      <Response question={view.questions[0]} response={only} />
    </>
  );
}

function Missing() {
  const heading = useScreen(texts.request.missing);
  return (
    <div class="state">
      <h1 ref={heading} tabIndex={-1}>
        {texts.request.missing}
      </h1>
      <p>{texts.request.missingWhy}</p>
      <p>
        <a href="/" data-here>
          {texts.request.back}
        </a>
      </p>
    </div>
  );
}

function Failed({ id, detail }: { id: string; detail: string }) {
  const heading = useScreen(texts.request.failed);
  return (
    <div class="state">
      <h1 ref={heading} tabIndex={-1}>
        {texts.request.failed}
      </h1>
      <p>{detail}</p>
      <button type="button" onClick={() => void bring(id)}>
        {texts.request.again}
      </button>
    </div>
  );
}
