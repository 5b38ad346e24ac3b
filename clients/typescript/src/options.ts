// The options of a choice or a dropdown, as an answer names them.

import type { ChoiceQuestion } from "./generated/request.js";
import { keep, Refusal } from "./rule.js";
import { quote } from "./show.js";

/** Options named in a message before it says how many more there are. */
const OPTIONS_IN_MESSAGE = 6;

/** The options of one question, by their values. */
export class Options {
  readonly values: readonly string[];
  readonly #enabled: readonly boolean[];

  /** Where the question offers Other, an asker's own "Other" gives way to it (F13). */
  constructor(options: ChoiceQuestion["options"], other: "offered" | "absent") {
    const all = options.map((option) => (typeof option === "string" ? { value: option } : option));
    const kept = other === "offered" ? all.filter((option) => !isOther(option)) : all;
    this.values = kept.map((option) => option.value.trim());
    this.#enabled = kept.map((option) => !option.disabled);
  }

  has(value: string): boolean {
    return this.values.includes(value);
  }

  /** The value of the enabled option that has it, or why there is none. */
  choose(value: string): string {
    const index = this.values.indexOf(value);
    if (index < 0) throw new Refusal("option", `${quote(value)} is not an option`, this.describe());
    keep("option", this.#enabled[index] === true, () => [`${quote(value)} is disabled`, this.describe()]);
    return value;
  }

  /** "one of A, B, C". */
  describe(): string {
    const enabled = this.values.filter((_, index) => this.#enabled[index]);
    const named = enabled.slice(0, OPTIONS_IN_MESSAGE).map(quote).join(", ");
    const more = enabled.length - OPTIONS_IN_MESSAGE;
    if (enabled.length === 0) return "a text of your own: every option is disabled";
    return more > 0 ? `one of ${named}, or ${more} more` : `one of ${named}`;
  }
}

function isOther(option: { value: string; label?: string }): boolean {
  return /^other$/i.test((option.label ?? option.value).trim());
}
