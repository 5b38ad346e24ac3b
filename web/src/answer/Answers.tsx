// Answers, each below its question.

import type { RequestView } from "../hub/request";
import { Shown } from "../parts/Shown";
import { Response } from "./Response";

export function Answers({ view, responses }: { view: RequestView; responses: readonly string[] }) {
  return (
    <dl class="answers">
      {responses.map((response, index) => (
        <div key={index}>
          <dt dir="auto">
            <Shown text={view.questions[index]?.message ?? view.item.message} />
          </dt>
          <dd dir="auto">
            <Response question={view.questions[index]} response={response} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
