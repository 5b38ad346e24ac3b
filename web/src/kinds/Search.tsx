// A field that narrows a long list, and how much of it is left.

import { kindsTexts } from "../texts/kinds";

interface SearchProps {
  typed: string;
  onType: (typed: string) => void;
  /** How many options match, of how many. */
  found: number;
  count: number;
  /** How many of those found are in the page. */
  shown: number;
  /** The element with the question's text. */
  labelledBy: string;
  id: string;
}

export function Search({ typed, onType, found, count, shown, labelledBy, id }: SearchProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && typed !== "") {
      event.preventDefault();
      event.stopPropagation();
      onType("");
    }
    // Enter would send an answer, and here it only ends the search.
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  return (
    <div class="search">
      <input
        type="search"
        id={`${id}-search`}
        autocomplete="off"
        enterkeyhint="search"
        placeholder={kindsTexts.search}
        aria-label={kindsTexts.search}
        aria-describedby={labelledBy}
        value={typed}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <p class="hint" role="status">
        {shown < found ? kindsTexts.narrow(shown, found) : typed.trim() === "" ? "" : kindsTexts.found(found, count)}
      </p>
    </div>
  );
}
