// How high rows will be: the browser leaves that much room for those that it lays out only when they come near, so that nothing moves then.

import { BLOCKS_OF_GROUP, LONGEST_ROW, ROWS_OF_BLOCK } from "./limits";
import type { Row } from "./rows";

/** A letter of a row, and what stands beside its letters, in pixels. */
const LETTER_PX = 7.8;
const GUTTER_PX = 76;
const FEWEST_COLUMNS = 16;

/** Letters in a line of the window, for rows that wrap. */
let columns = 80;

/** Measures the place of the rows, before any of them is drawn. */
export function measureColumns(place: HTMLElement | null): void {
  if (place) columns = Math.max(FEWEST_COLUMNS, Math.floor((place.clientWidth - GUTTER_PX) / LETTER_PX));
}

/** The name of a file above its rows is as high as so many of them. */
const ROWS_OF_HEADING = 2;

/** A height in rows: as each row is one line, and as long rows wrap. */
export class Height {
  private rows = 0;
  private lines = 0;

  /** Adds a block, and gives its own height. */
  add(block: readonly Row[]): Height {
    const own = new Height();
    const heading = block[0]?.file ? ROWS_OF_HEADING : 0;
    own.rows = heading + block.length;
    own.lines = heading + block.reduce((sum, { text }) => sum + Math.max(1, Math.ceil(text.length / columns)), 0);
    this.rows += own.rows;
    this.lines += own.lines;
    return own;
  }

  /** The classes of an element of this height, in units of so many rows. */
  classes(unit = 1): string {
    const inUnits = (rows: number) => Math.min(MOST_UNITS, Math.round(rows / unit));
    return `tall-${inUnits(this.rows)} wrapped-${inUnits(this.lines)}`;
  }
}

/** The unit in which groups of blocks are as high as the style sheet says. */
export const UNIT_OF_GROUP = BLOCKS_OF_GROUP;

/** A block has no more lines than that, and so a group has no more units. */
const MOST_UNITS = ROWS_OF_BLOCK + Math.ceil(LONGEST_ROW / FEWEST_COLUMNS);

/** The classes, as a style sheet of the page's own: an element of very many can't have a style of its own, and the policy forbids it. */
const sheet = new CSSStyleSheet();
const units = Array.from({ length: MOST_UNITS + 1 }, (_, count) => `.tall-${count}{--tall:${count}}.wrapped-${count}{--wrapped:${count}}`);
sheet.replaceSync(units.join(""));
document.adoptedStyleSheets.push(sheet);
