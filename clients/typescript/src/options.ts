// The options of a choice or a dropdown, as an answer names them.

import type { ChoiceQuestion } from "./generated/request.js";
import { keep, Refusal } from "./rule.js";
import { quote } from "./show.js";

/** Options named in a message before it says how many more there are. */
const OPTIONS_IN_MESSAGE = 6;

/** An option as a surface shows it. */
export interface OfferedOption {
  value: string;
  /** What the person sees; the value if the asker gave no label. */
  label: string;
  description?: string | undefined;
  preview?: string | undefined;
  isDisabled: boolean;
  /** Whether the label ends in "(Recommended)", which it keeps (Q2). */
  isRecommended: boolean;
}

/** The options that a question offers, in order. Where it offers Other, an asker's own "Other" gives way to it (F13). */
export function offeredOptions(options: ChoiceQuestion["options"], other: "offered" | "absent"): OfferedOption[] {
  return kept(options, other).map(({ value, label = value, description, preview, disabled = false }) => {
    const seen = label.trim();
    const isRecommended = seen.endsWith("(Recommended)");
    return { value: value.trim(), label: seen, description, preview, isDisabled: disabled, isRecommended };
  });
}

/** The options of one question, by their values. */
export class Options {
  readonly values: readonly string[];
  readonly #enabled: readonly boolean[];

  constructor(options: ChoiceQuestion["options"], other: "offered" | "absent") {
    const all = kept(options, other);
    this.values = all.map((option) => option.value.trim());
    this.#enabled = all.map((option) => !option.disabled);
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

function kept(options: ChoiceQuestion["options"], other: "offered" | "absent") {
  const all = options.map((option) => (typeof option === "string" ? { value: option } : option));
  return other === "offered" ? all.filter((option) => !isOther(option)) : all;
}

function isOther(option: { value: string; label?: string }): boolean {
  return /^other$/i.test((option.label ?? option.value).trim());
}
