// The texts of the controls.

const characters = (count: number) => `${count.toLocaleString("en")} ${count === 1 ? "character" : "characters"}`;

export const kindsTexts = {
  atMost: (most: number) => `at most ${characters(most)}`,
  changeSign: "Change the sign",
  characters: (count: number, most: number) => `${count.toLocaleString("en")} of ${characters(most)}`,
  charactersLeft: (left: number) =>
    left >= 0 ? `${characters(left)} left` : `${characters(-left)} too many`,
  chooseFromList: "an option chosen from the list, by Enter or a click",
  chooseOne: "Type to search",
  decrease: "Decrease",
  either: (one: string, other: string) => `${one} or ${other}`,
  found: (found: number, count: number) => `${found.toLocaleString("en")} of ${count.toLocaleString("en")}`,
  halfDay: "the date is not complete",
  hiddenCharacters: "With the characters that cannot be seen:",
  increase: "Increase",
  lostLines: "The line breaks of what you pasted are gone: this answer is one line.",
  narrow: (shown: number, found: number) =>
    `${shown.toLocaleString("en")} of ${found.toLocaleString("en")}: type to narrow`,
  noneFound: "Nothing matches.",
  noPreview: "This option has no preview.",
  notChosen: "this is typed, but not chosen",
  nothingChosen: "nothing is chosen yet",
  options: (count: number) => (count === 1 ? "1 option" : `${count.toLocaleString("en")} options`),
  order: (labels: string) => `Selected in this order: ${labels}`,
  other: "Other (please specify)",
  otherPlaceholder: "Your own answer",
  otherText: "Other: your own answer",
  place: (place: string, highest: string) => `${place} of ${highest}`,
  position: (number: number, count: number) => `Question ${number} of ${count}`,
  preview: "Preview of",
  problem: (message: string, expected: string) => `${message} Expected: ${expected}`,
  search: "Search",
  showOptions: "Show the options",
  unknown: "This kind of question is newer than this page. Load the page again, or answer it in a terminal.",
  wholeDay: "a day, a month and a year",
} as const;
