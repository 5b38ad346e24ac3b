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
 * How much heavier a character is in a text that is not plain ASCII: its letters may come from several fonts.
 */
export const WEIGHT_BEYOND_ASCII = 4;

/** How much a hidden character adds, which becomes a mark: an element of its own. */
export const WEIGHT_OF_MARK = 16;

/** How much a character adds that is drawn onto the letter before it. */
export const WEIGHT_OF_ACCENT = 4;

/** The weight of one row. A line without end is laid out in one go, so it goes on in the next row. */
export const LONGEST_ROW = 4_000;

/** Rows in a block, which the browser lays out only when it comes into sight. It looks at each block for that. */
export const ROWS_OF_BLOCK = 400;

/** Blocks in a group, which the browser skips as one: it looks at each group and not at ten thousand blocks. */
export const BLOCKS_OF_GROUP = 64;

/** The weight of a block, unless its only row is heavier. */
export const WEIGHT_OF_BLOCK = 4_000;

/** The work of one step of reading, in characters: a step ends with the line or the token that exceeds it. */
export const WORK_OF_STEP = 100_000;

/** What a line or a token adds to the work of its characters. */
export const WORK_OF_EACH = 20;

/** Characters of the name above the rows of a file: one without end is laid out in one go. The rows have all of it. */
export const LONGEST_FILE_NAME = 500;

/** The weight of what is drawn before the browser lays it out. */
export const WEIGHT_OF_SLICE = 12_000;

/** Rows of a request that are in sight or near it, at most: the browser lays them out as soon as they are there. */
export const ROWS_IN_SIGHT = 200;

/** How much of its weight a block of rows has that is not laid out before it comes into sight. */
export const SHARE_OUT_OF_SIGHT = 1 / 4;

/** How long the page draws before it answers again, in milliseconds. The last step and laying out come on top. */
export const SLICE_MS = 8;
