// How much is drawn at once, so that no text, whatever it is made of, keeps the page from answering.

/*
 * A text is formatted as Markdown only within the following limits, and what is beyond them is shown as it is written: the
 * whole text, or one block of it. They were found by measuring many thousand pathological texts: what the limits let through
 * takes the lexer at most about 30 ms at once on a slow processor. `work.ts` says what a unit of work is.
 */

/** Characters of a text that is formatted. */
export const LONGEST_FORMATTED = 30_000;

/** Its lines. */
export const MOST_FORMATTED_LINES = 1_500;

/** The work to find the blocks in a part of a text: lists take time that is quadratic in their lines. */
export const MOST_BLOCK_WORK = 400_000;

/** The work to find what is within a paragraph, a cell or another line of text: emphasis and links take quadratic time. */
export const MOST_PARAGRAPH_WORK = 500_000;

/** Elements of a part, at most: it is drawn in one step. */
export const MOST_PART_ELEMENTS = 1_500;

/** The work of all texts of a request. */
export const MOST_TEXTS_WORK = 10_000_000;

/** Quotes and lists within each other, on one line or by indentation. The lexer reads the inside anew for each. */
export const DEEPEST_NESTING = 16;

/** Characters that are shown as marks in a text that is formatted: each is an element of its own. */
export const MOST_FORMATTED_MARKS = 500;

/** Characters of a JSON text that is indented anew. */
export const LONGEST_INDENTED = 100_000;

/** Characters of the same text when it is indented. */
export const LONGEST_INDENTATION = 400_000;

/** Arrays and objects within each other: each line is indented by its depth. */
export const DEEPEST_INDENTED = 64;

/**
 * How much heavier a character is in a text that is not plain ASCII: it may become a mark, which is an element,
 * or need a letter that is made of several.
 */
export const WEIGHT_BEYOND_ASCII = 4;

/** The weight of one row. A line without end is laid out in one go, so it goes on in the next row. */
export const LONGEST_ROW = 4_000;

/** Rows in a block, which the browser lays out only when it comes into sight. It looks at each block for that. */
export const ROWS_OF_BLOCK = 400;

/** Blocks in a group, which the browser skips as one: it looks at each group and not at ten thousand blocks. */
export const BLOCKS_OF_GROUP = 64;

/** The weight of a block, unless its only row is heavier. */
export const WEIGHT_OF_BLOCK = 4_000;

/** Lines of a diff that are read in one step. */
export const LINES_OF_STEP = 5_000;

/** The weight of what is drawn before the browser lays it out. */
export const WEIGHT_OF_SLICE = 12_000;

/** How much of its weight a block of rows has that is not laid out before it comes into sight. */
export const SHARE_OUT_OF_SIGHT = 1 / 4;

/** How long the page draws before it answers again, in milliseconds. The last step and laying out come on top. */
export const SLICE_MS = 8;
