// The names of the rules an answer can break, and how a reader of answers says that one is broken.

/** A rule that an answer can break; docs/errors.md says what each means. */
export type Rule =
  | "json"
  | "type"
  | "word"
  | "length"
  | "blank"
  | "control"
  | "answers"
  | "option"
  | "repeat"
  | "other"
  | "number"
  | "integer"
  | "min"
  | "max"
  | "step"
  | "email"
  | "domain"
  | "date";

/** Why an answer does not pass. Thrown by the readers, and caught where an answer is checked. */
export class Refusal extends Error {
  readonly rule: Rule;
  /** What would pass, as a phrase. */
  readonly expected: string;

  constructor(rule: Rule, message: string, expected: string) {
    super(message);
    this.rule = rule;
    this.expected = expected;
  }
}

/** Passes if `kept`; otherwise refuses with what is wrong and what would pass. */
export function keep(rule: Rule, kept: boolean, says: () => [message: string, expected: string]): void {
  if (!kept) throw new Refusal(rule, ...says());
}
