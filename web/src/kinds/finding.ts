// Options by what the person types: all words of it, in any order, whatever the case and the accents.

import type { OfferedOption } from "@askback/client";

/** Options in the page at once; a list of thousands would take seconds to draw. */
export const MOST_SHOWN = 100;

/** Finds options of one list. */
export class Finder {
  readonly #options: readonly OfferedOption[];
  /** What is looked through, made when it is first needed. */
  #texts: readonly string[] | undefined;

  constructor(options: readonly OfferedOption[]) {
    this.#options = options;
  }

  /** The indices of the options that match, in order; all of them if nothing is typed. */
  find(typed: string): number[] {
    const words = plain(typed).split(/\s+/).filter(Boolean);
    const indices = [...this.#options.keys()];
    if (words.length === 0) return indices;
    this.#texts ??= this.#options.map(({ label, value, description = "" }) => plain(`${label}\n${value}\n${description}`));
    const texts = this.#texts;
    return indices.filter((index) => words.every((word) => texts[index]?.includes(word)));
  }
}

/** Small letters without accents. Most texts have none, and a hundred thousand of them are looked at in one go. */
function plain(text: string): string {
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase();
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
