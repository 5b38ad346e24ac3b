// One of two words: two buttons that decide if the question is alone, else two radios that look like them.

import { Shown } from "../parts/Shown";
import { textOf, type ControlProps } from "./control";

/** How an answer looks: what goes ahead, what stops, or neither. */
type Tone = "success" | "error" | "plain";

export interface Answer {
  word: string;
  label: string;
  /** The meaning, below a label that an asker chose. */
  meaning?: string | undefined;
  tone: Tone;
}

interface PairProps extends Pick<ControlProps<"approval" | "confirm">, "entry" | "onEnter" | "onDecide" | "id"> {
  answers: readonly [Answer, Answer];
  /** Apart, where to miss one and hit the other would be bad. */
  layout: "apart" | "together";
}

export function Pair({ answers, layout, entry, onEnter, onDecide, id }: PairProps) {
  const chosen = textOf(entry);
  return (
    <div class={`pair ${layout}`}>
      {answers.map(({ word, label, meaning, tone }, index) =>
        onDecide ? (
          // A digit only goes there: nothing is decided by a stray key.
          <button
            key={word}
            type="button"
            class={`decide ${tone}`}
            data-digit={index + 1}
            data-digit-focus=""
            onClick={(event) => onDecide(word, event.currentTarget)}
          >
            <Label text={label} meaning={meaning} tone={tone} />
          </button>
        ) : (
          <label key={word} class={`decide ${tone}`}>
            <input
              type="radio"
              name={`${id}-pair`}
              value={word}
              checked={chosen === word}
              data-digit={index + 1}
              onChange={() => onEnter(word)}
            />
            <Label text={label} meaning={meaning} tone={tone} />
          </label>
        ),
      )}
    </div>
  );
}

/** The sign before what an answer means. */
const SIGNS: Record<Tone, string> = { success: "✓", error: "✗", plain: "" };

function Label({ text, meaning, tone }: { text: string; meaning: string | undefined; tone: Tone }) {
  return (
    <span class="caption">
      <bdi>
        <Shown text={text} layout="line" />
      </bdi>
      {meaning === undefined ? null : (
        <>
          {" "}
          <span class="meaning">
            <span aria-hidden="true">{SIGNS[tone]} </span>
            {meaning}
          </span>
        </>
      )}
    </span>
  );
}
