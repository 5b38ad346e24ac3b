// What counts as a blank and a control character, and how long a text is: one meaning for every rule and every language.

/** Characters that leave no mark on the screen, as the inside of a character class with the flag `u`. */
export const INVISIBLE =
  "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800" +
  "\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d159}" +
  "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";

const SHOWS_SOMETHING = new RegExp(`[^\\s\\p{Cc}${INVISIBLE}]`, "u");

/** Whether a person would see nothing at all in `text`. */
export function isBlank(text: string): boolean {
  return !SHOWS_SOMETHING.test(text);
}

/** How many code points `text` has, which is how JSON Schema counts. */
export function length(text: string): number {
  let points = 0;
  for (const _ of text) points += 1;
  return points;
}

/** Whether `text` is Unicode throughout. Half a surrogate pair would become another character on its way to the hub. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
