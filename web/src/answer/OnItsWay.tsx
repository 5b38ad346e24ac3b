// An answer that the hub has not judged: it is being sent, or waits here until the hub is back.

import type { Proposal } from "@askback/client";
import { useEffect, useRef } from "preact/hooks";
import type { RequestView } from "../hub/request";
import { reach } from "../hub/room";
import { Shown } from "../parts/Shown";
import { texts } from "../texts/page";
import { Answers } from "./Answers";
import { Next } from "./Next";
import { reopen, type OnItsWay as Underway } from "./sending";

export function OnItsWay({ view, sending }: { view: RequestView; sending: Underway }) {
  const { proposal, isReopened } = sending;
  const isLive = reach.value.is === "live";
  const panel = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone.
  useEffect(() => {
    if (document.activeElement === null || document.activeElement === document.body) panel.current?.focus();
  }, []);
  return (
    <div ref={panel} class="notice info" role="status" tabIndex={-1}>
      <p class="strong">{statusOf(sending, isLive)}</p>
      {isLive && !isReopened ? null : (
        <>
          <h2>{texts.answer.queuedWhat}</h2>
          <Answers view={view} responses={written(proposal)} />
          {proposal.reason === undefined ? null : (
            <blockquote class="said" dir="auto">
              <Shown text={proposal.reason} />
            </blockquote>
          )}
          {isReopened ? null : (
            <button type="button" onClick={() => reopen(view.id)}>
              {texts.answer.again}
            </button>
          )}
          <p class="muted">{texts.answer.againNote}</p>
          {isReopened ? null : <Next id={view.id} />}
        </>
      )}
    </div>
  );
}

function statusOf({ isTriedAgain, isKept }: Underway, isLive: boolean): string {
  if (isLive) return isTriedAgain ? texts.answer.triedAgain : texts.answer.onItsWay;
  return isKept ? texts.answer.queued : texts.answer.queuedHere;
}

function written({ response, responses, selections, answers }: Proposal): readonly string[] {
  if (answers) return answers.map((answer) => ("response" in answer ? answer.response : answer.selections.join(", ")));
  if (selections) return [selections.join(", ")];
  return responses ?? (response === undefined ? [] : [response]);
}
