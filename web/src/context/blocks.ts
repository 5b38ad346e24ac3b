// A Markdown text in parts that the lexer can read one after another: each begins where a block of the document must begin.

/** What a fence of code is opened with. */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;

/** Tags after which a blank line need not end the HTML. */
const LONG_HTML = /^ {0,3}<(?:[!?]|(?:script|pre|style|textarea)(?![a-z0-9-]))/i;
const HTML = /^ {0,3}</;

const HEADING = /^#{1,6}(?:[ \t]|$)/;

/** The beginning of an item of a list. After a blank line, it may go on with a list; any other line without a blank before it begins a block. */
const ITEM = /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)/;

/**
 * The parts of `source`, which together are all of it. Only formatting depends on where they begin: each is shown whole.
 * A line of which it is not sure begins no part.
 */
export function* blocksIn(source: string): Generator<string> {
  let from = 0;
  /** What the open fence was opened with, and whether its part begins with it. */
  let fence: { run: string; isPart: boolean } | undefined;
  let isAfterBlank = false;
  let isAfterFence = false;
  let isHtml = false;
  let hasItem = false;
  for (let at = 0, next; at < source.length; at = next) {
    const end = source.indexOf("\n", at);
    next = end < 0 ? source.length : end + 1;
    const line = source.slice(at, end < 0 ? source.length : end);
    if (fence) {
      if (closes(line, fence.run)) {
        isAfterFence = fence.isPart;
        fence = undefined;
      }
      continue;
    }
    const isItem = ITEM.test(line);
    const begins = isAfterFence || (isAfterBlank && /^\S/.test(line) && !(hasItem && isItem)) || (!isHtml && HEADING.test(line));
    if (begins && at > from) {
      yield source.slice(from, at);
      from = at;
      hasItem = false;
    }
    hasItem ||= isItem;
    isAfterFence = false;
    isAfterBlank = line.trim() === "";
    // No part begins within a comment or a script, wherever that ends.
    if (LONG_HTML.test(line)) break;
    isHtml = !isAfterBlank && (isHtml || HTML.test(line));
    const run = isHtml ? undefined : FENCE.exec(line)?.[1];
    if (run !== undefined) fence = { run, isPart: at === from };
  }
  if (from < source.length) yield source.slice(from);
}

function closes(line: string, run: string): boolean {
  const written = line.trim();
  return written.length >= run.length && /^ {0,3}\S/.test(line) && written === run.charAt(0).repeat(written.length);
}
