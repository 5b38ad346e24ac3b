// What a person presses to give an answer to a choice, or why there is no way to give it.

const PLACEHOLDER = "__other__";
const SEPARATOR = ", ";

/** Why a control can't hold an answer. */
export const CANT_BE = {
  offered: "there is nothing to press for it",
  enabled: "what is disabled can't be pressed",
  oneOther: "there is one Other",
  once: "what is pressed twice is not selected",
  oneRadio: "of radios one is on",
};

/**
 * The presses of an answer in order, each an `option` by its index or `other` with its text; with the reason if they don't
 * amount to it.
 */
export function pressesFor(question, vector) {
  const options = offered(question);
  const presses = itemsOf(question, options, vector).map((item) => {
    if (item.other !== undefined) return item;
    const option = options.findIndex(({ value }) => value === item);
    if (option >= 0) return { option, value: item, isDisabled: options[option].disabled === true };
    return { other: item };
  });
  const chosen = presses.filter((press) => press.option !== undefined).map((press) => press.option);
  const others = presses.length - chosen.length;
  const reason = () => {
    if (others > 0 && !question.other) return CANT_BE.offered;
    if (presses.some((press) => press.isDisabled)) return CANT_BE.enabled;
    if (others > 1) return CANT_BE.oneOther;
    if (new Set(chosen).size < chosen.length) return CANT_BE.once;
    return !question.multiSelect && presses.length > 1 ? CANT_BE.oneRadio : undefined;
  };
  return { presses, reason: reason(), offered: options.length };
}

/** The options that are shown: an asker's own Other gives way to the page's (F13). */
function offered({ options, other }) {
  const all = options.map((option) => (typeof option === "string" ? { value: option } : option));
  return all.filter(({ value, label = value }) => !other || !/^other$/i.test(label.trim()));
}

/** What is selected, one by one: values, and texts for Other. */
function itemsOf(question, options, vector) {
  const { given } = vector;
  if (typeof given !== "string") return itemsOfList(options, given);
  if (!question.multiSelect) return [given];
  if (vector.refused !== undefined) return inStretches(options, given);
  // A person presses what was meant, not the string that it comes to.
  const selected = vector.selections ?? split(vector.written, options, vector.custom);
  return selected.map((item) => (item === vector.custom ? { other: item } : item));
}

/** Other's text stands where its placeholder or itself is, else at the end. */
function itemsOfList(options, { selections, custom }) {
  const isOption = (text) => options.some(({ value }) => value === text);
  const standsForOther = (item) => item === PLACEHOLDER || (custom && item.trim() === custom.trim() && !isOption(item));
  const items = selections.map((item) => (standsForOther(item) ? { other: custom ?? "" } : item));
  return custom && !selections.some(standsForOther) ? [...items, { other: custom }] : items;
}

/** The parts of a string that is refused: options, and what is between them for Other. */
function inStretches(options, text) {
  const items = [];
  for (const part of text.split(SEPARATOR)) {
    const isOption = options.some(({ value }) => value === part);
    const last = items.at(-1);
    if (isOption) items.push(part);
    else if (last?.other !== undefined) last.other += SEPARATOR + part;
    else items.push({ other: part });
  }
  return items;
}

/** A written form as the options and the text of Other that it was joined from. */
function split(written, options, custom) {
  const pieces = [...options.map(({ value }) => value), ...(custom ? [custom] : [])];
  for (const piece of pieces) {
    if (written === piece) return [piece];
    if (!written.startsWith(piece + SEPARATOR)) continue;
    const rest = split(written.slice(piece.length + SEPARATOR.length), options, custom);
    if (rest) return [piece, ...rest];
  }
  return undefined;
}
