// What became of a request, who made it so and where, and what this person had entered.

import { useEffect, useRef } from "preact/hooks";
import type { Ended as End, RequestView } from "../hub/request";
import { person } from "../hub/session";
import { Shown } from "../parts/Shown";
import { When } from "../parts/When";
import { texts } from "../texts/page";
import { Answers } from "./Answers";
import { drafts, dropDraft, type Draft } from "./drafts";
import { Next } from "./Next";
import { resultOf, type Result } from "./result";
import { sendings } from "./sending";

export function Ended({ view, ended }: { view: RequestView; ended: End }) {
  const sending = sendings.value.get(view.id);
  const isMine = sending?.is === "counted";
  const result = resultOf(view, ended);
  const draft = drafts.value.get(view.id);
  const panel = useRef<HTMLDivElement>(null);
  // Whoever was answering is taken to what became of it; the buttons they had are gone.
  useEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (isMine || sending?.is === "late" || lost) panel.current?.focus({ preventScroll: false });
  }, []);
  return (
    <div class="outcome">
      <div ref={panel} class={`notice ${isMine ? TONES[result] : "info"}`} tabIndex={-1}>
        {isMine ? <Accepted result={result} /> : null}
        {sending?.is === "late" ? <p class="strong">{texts.ended.late}</p> : null}
        <p>
          {texts.ended[result]}
          {ended.surface === "hub" ? ", " : " "}
          <By ended={ended} />
        </p>
        <What view={view} ended={ended} />
      </div>
      {draft && !isMine ? <Kept view={view} draft={draft} /> : null}
      <Next id={view.id} />
    </div>
  );
}

/** The colours of the panel and of its sign. A green tick is for answers alone: a glance must not take a no for a yes. */
const TONES: Record<Result, string> = {
  answered: "success",
  rejected: "error",
  declined: "info",
  cancelled: "info",
  expired: "info",
};

function Accepted({ result }: { result: Result }) {
  const said = result === "rejected" ? texts.ended.countedReject : result === "declined" ? texts.ended.countedDecline : texts.ended.counted;
  return (
    <p class="tick strong">
      <span aria-hidden="true">{SIGNS[result]}</span> {said}
    </p>
  );
}

const SIGNS: Record<Result, string> = { answered: "✔", rejected: "✘", declined: "↩", cancelled: "✘", expired: "✘" };

/** "by somebody in the terminal, 5 minutes ago". */
export function By({ ended }: { ended: End }) {
  const { by, at, surface } = ended;
  const name = by === person.value?.name ? texts.ended.you(by) : by;
  if (surface === "hub") return <When at={at} />;
  return (
    <>
      {texts.ended.by}{" "}
      <bdi>
        <Shown text={name} layout="line" />
      </bdi>{" "}
      {texts.ended.surfaces[surface]}, <When at={at} />
    </>
  );
}

function What({ view, ended }: { view: RequestView; ended: End }) {
  const { responses, reason, isDefault, status } = ended;
  return (
    <>
      {status === "expired" ? <p>{isDefault ? texts.ended.default : texts.ended.noDefault}</p> : null}
      {responses.length > 0 ? <Answers view={view} responses={responses} /> : null}
      {reason === undefined ? null : (
        <>
          <p>{texts.ended.reason}</p>
          <blockquote class="said" dir="auto">
            <Shown text={reason} />
          </blockquote>
        </>
      )}
    </>
  );
}

/** What was typed is still its author's. */
function Kept({ view, draft }: { view: RequestView; draft: Draft }) {
  const written = draft.entries.map((entry) =>
    typeof entry === "string" ? entry : entry.selections.map((one) => (one === "__other__" ? (entry.custom ?? "") : one)).join(", "),
  );
  if (written.every((text) => text === "") && draft.reason === "") return null;
  return (
    <section class="kept">
      <h2>{texts.ended.draft}</h2>
      <Answers view={view} responses={written} />
      {draft.reason === "" ? null : (
        <blockquote class="said" dir="auto">
          <Shown text={draft.reason} />
        </blockquote>
      )}
      <button type="button" class="quiet" onClick={() => dropDraft(view.id)}>
        {texts.ended.draftDrop}
      </button>
    </section>
  );
}
