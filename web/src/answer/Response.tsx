// An answer in its written form, with the label of what was chosen where that says more.

import type { Question } from "@askback/client";
import { Shown } from "../parts/Shown";
import { texts } from "../texts/page";

export function Response({ question, response }: { question: Question | undefined; response: string }) {
  if (response === "") return <span class="muted">{texts.ended.noAnswer}</span>;
  const label = (question && labelOf(question, response)) ?? response;
  const isButton = question?.type === "approval" || question?.type === "confirm";
  return (
    <span class="response">
      <Shown text={label} />
      {label === response || isButton ? null : (
        <span class="muted">
          {" "}
          (<Shown text={response} />)
        </span>
      )}
    </span>
  );
}

function labelOf(question: Question, response: string): string | undefined {
  switch (question.type) {
    case "approval":
      return response === "approve" ? (question.labels?.[0] ?? texts.labels.approve) : (question.labels?.[1] ?? texts.labels.reject);
    case "confirm":
      return response === "yes" ? texts.labels.yes : texts.labels.no;
    case "choice":
    case "dropdown":
      return question.options.map((option) => (typeof option === "string" ? { value: option } : option)).find((option) => option.value === response)
        ?.label;
    default:
      return undefined;
  }
}
