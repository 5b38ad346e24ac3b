// How much work the lexer has with a text, in units that were found by measuring its worst: about 40 ns each on a slow processor.

import { MOST_TEXTS_WORK, ROWS_IN_SIGHT, WORK_OF_EACH, WORK_OF_STEP } from "./limits";

/** Signs for each of which the lexer may look at all that follows. */
const HEAVY = /[*_~`<>[\]\\]/g;

/** Signs that take a part of that. */
const LIGHT = /[^a-zA-Z0-9 *_~`<>[\]\\]/g;

/** A word without an end might be an address, at each of its letters. */
const WORD = /\S{32,}/g;

const WORK_OF_CHARACTER = 10;
const LIGHT_PARTS = 4;
const WORD_PARTS = 16;

/** What making and laying out an element takes. */
const WORK_OF_ELEMENT = 1_000;

/** The same of one that may scroll: it watches its own size. */
export const WORK_OF_SCROLLER = 5_000;

/** The work to find what is within a line of text or a paragraph: emphasis, links, code. */
export function workWithin(text: string): number {
  const longestWord = Math.max(0, ...(text.match(WORD) ?? []).map((word) => word.length));
  const each = WORK_OF_CHARACTER + heavySigns(text) + count(text, LIGHT) / LIGHT_PARTS + longestWord / WORD_PARTS;
  return WORK_OF_ELEMENT + text.length * each + (WORK_OF_ELEMENT * heavySigns(text)) / 2;
}

/** Lines that a short text counts for in any case. */
const FEWEST_LINES = 20;
const CHEAPER = 4;

/** The work to find the blocks of a text: for each line, the lexer may look at all that follow. */
export function workOfBlocks(text: string): number {
  return (text.length * (count(text, /\n/g) + 1 + FEWEST_LINES)) / CHEAPER;
}

/** At least two make an element. */
export function heavySigns(text: string): number {
  return count(text, HEAVY);
}

function count(text: string, signs: RegExp): number {
  return text.match(signs)?.length ?? 0;
}

/** Counts the work of reading, by which a step ends. */
export class Step {
  private work = 0;

  /** Counts a line or a token; whether the step ends with it. */
  endsWith(text: string): boolean {
    this.work += WORK_OF_EACH + text.length;
    if (this.work <= WORK_OF_STEP) return false;
    this.work = 0;
    return true;
  }
}

/**
 * What the texts of one request may take together: the work of formatting, without which a text is shown as it is written, and
 * the rows in sight.
 */
export class Budget {
  private left = MOST_TEXTS_WORK;
  private rowsInSight = ROWS_IN_SIGHT;

  /** Takes rows that are drawn next; whether they are in sight. */
  see(rows: number): boolean {
    const areSeen = this.rowsInSight > 0;
    this.rowsInSight -= rows;
    return areSeen;
  }

  /** Takes `work` from it, if there is as much. */
  spend(work: number): boolean {
    if (work > this.left) return false;
    this.left -= work;
    return true;
  }
}
