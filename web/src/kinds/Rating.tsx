// Rating (F10): a place on a scale of stars, numbers or faces.

import type { ComponentChildren } from "preact";
import { Shown } from "../parts/Shown";
import { kindsTexts } from "../texts/kinds";
import { textOf, type Control, type ControlProps } from "./control";
import { faceOf, placesOf } from "./scale";

export const rating: Control<"rating"> = {
  Field: Rating,
  begin: (question) => question.initial ?? "",
  decides: "when sent",
  shape: "group",
};

function Rating({ question, entry, onEnter, id }: ControlProps<"rating">) {
  const { style = "stars", ends } = question;
  const places = placesOf(question);
  const chosen = places.indexOf(textOf(entry));
  const sign = (place: string, index: number): ComponentChildren => {
    if (style === "emoji") return <span class="face">{faceOf(index, places.length)}</span>;
    return style === "stars" ? <span class="star">★</span> : place;
  };
  return (
    <div class={`rating ${style}`}>
      <div class="places">
        {places.map((place, index) => (
          <label key={place} class={index <= chosen ? "place reached" : "place"}>
            <input
              type="radio"
              name={`${id}-rating`}
              value={place}
              checked={index === chosen}
              aria-label={kindsTexts.place(place, places.at(-1) ?? place)}
              data-digit={place}
              onChange={() => onEnter(place)}
            />
            <span class="place-sign" aria-hidden="true">
              {sign(place, index)}
              {style !== "numbers" && <span class="place-number">{place}</span>}
            </span>
          </label>
        ))}
      </div>
      {(ends?.low !== undefined || ends?.high !== undefined) && (
        <p class="ends">
          <End text={ends.low} />
          <End text={ends.high} />
        </p>
      )}
    </div>
  );
}

function End({ text }: { text: string | undefined }) {
  return <bdi>{text !== undefined && <Shown text={text} layout="line" />}</bdi>;
}
