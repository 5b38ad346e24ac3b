// An answer in its written form, with the label of what was chosen where that says more.

import type { Question } from "@askback/client";
import { captionOf, type Caption } from "../kinds/caption";
import { Shown } from "../parts/Shown";
import { texts } from "../texts/page";

export function Response({ question, response }: { question: Question | undefined; response: string }) {
  if (response === "") return <span class="muted">{texts.ended.noAnswer}</span>;
  const { label, meaning } = (question && captionFor(question, response)) ?? { label: response, meaning: undefined };
  return (
    <span class="response">
      {meaning === undefined ? (
        <Shown text={label} />
      ) : (
        <>
          <span dir="auto">
            <Shown text={label} />
          </span>
          <span class="muted">
            {" "}
            (<Shown text={meaning} />)
          </span>
        </>
      )}
    </span>
  );
}

/** The chosen label, and beside it its meaning or its written form. */
function captionFor(question: Question, response: string): Caption | undefined {
  switch (question.type) {
    case "approval":
      return captionOf(question, response === "approve" ? "approve" : "reject");
    case "confirm":
      return { label: response === "yes" ? texts.labels.yes : texts.labels.no, meaning: undefined };
    case "choice":
    case "dropdown": {
      const options = question.options.map((option) => (typeof option === "string" ? { value: option } : option));
      const label = options.find((option) => option.value === response)?.label;
      return label === undefined ? undefined : { label, meaning: label === response ? undefined : response };
    }
    default:
      return undefined;
  }
}
