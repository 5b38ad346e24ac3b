// Something to ask of every kind, for tests that are about all of them.

const KINDS = ["approval", "confirm", "text", "multiline", "choice", "number", "email", "date", "dropdown", "rating"];

const MORE = {
  choice: {
    multiSelect: true,
    other: true,
    options: [
      { value: "eu", label: "Europe (Recommended)", description: "Close to most of our users" },
      { value: "us", label: "United States", preview: "us-east-1\nus-west-2" },
      { value: "moon", label: "The Moon", disabled: true },
    ],
  },
  number: { min: 0, max: 1, step: 0.05 },
  email: { domain: "example.com" },
  date: { min: "2026-01-01", max: "2026-12-31" },
  dropdown: { options: ["Ash", "Birch", "Cedar", "Douglas fir", "Elm"] },
  rating: { ends: { low: "poor", high: "great" } },
};

/** The question of a kind; its message names the kind. */
export function questionOf(kind) {
  return { type: kind, message: `Your ${kind}?`, ...MORE[kind] };
}

export const QUESTIONS = KINDS.map(questionOf);

/** All of them in one request. */
export const FORM = { title: "Everything at once", questions: QUESTIONS };
