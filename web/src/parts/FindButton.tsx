// The button that opens the search of a list.

import { filters, isFinding, type ListName } from "../filter";
import { texts } from "../texts/page";

export function FindButton({ list }: { list: ListName }) {
  const isOpen = isFinding[list].value;
  const toggle = () => {
    // A search that cannot be seen hides nothing.
    if (isOpen) filters[list].value = undefined;
    isFinding[list].value = !isOpen;
  };
  return (
    <button type="button" class="icon-button" aria-expanded={isOpen} aria-label={texts.inbox.find} title={texts.inbox.find} onClick={toggle}>
      <span class="icon icon-search" aria-hidden="true" />
    </button>
  );
}
