// How much is drawn at once, so that no text, whatever it is made of, keeps the page from answering.

/*
 * A text is formatted as Markdown only within the following limits, and shown as it is written beyond them. They were
 * found by measuring some hundred pathological texts: those that the limits let through take the lexer at most
 * about 50 ms of a slow processor.
 */

/** Characters of a text that is formatted. */
export const LONGEST_FORMATTED = 30_000;

/** Its lines. Each may be a list of its own, which takes the lexer as long as a paragraph. */
export const MOST_FORMATTED_LINES = 1_500;

/** The sum of the squares of its paragraphs' lengths: signs that might begin a link take quadratic time. */
export const MOST_PARAGRAPH_WORK = 6_000 ** 2;

/**
 * The sum of the squares of the runs of emphasis in each paragraph. For every run that might open something the
 * lexer looks at all that follow: 12,000 characters of `*_a` would take seconds.
 */
export const MOST_EMPHASIS_WORK = 500 ** 2;

/** Quotes and lists within each other, on one line or by indentation. The lexer reads the inside anew for each. */
export const DEEPEST_NESTING = 16;

/** Characters that are shown as marks in a text that is formatted: each is an element of its own. */
export const MOST_FORMATTED_MARKS = 2_000;

/** Characters of a JSON text that is indented anew. */
export const LONGEST_INDENTED = 100_000;

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

/** The weight of a block, unless its only row is heavier. */
export const WEIGHT_OF_BLOCK = 4_000;

/** How long rows are drawn before the page answers again, in milliseconds. Laying them out comes on top. */
export const DRAWING_MS = 8;
