// What Yjs says to whoever develops with it, in the browser's console. In the place of `lib0/logging`, which brings a library for
// coloured consoles and drawing with it, a tenth of all that is loaded.

const STYLE = "";

export { STYLE as BOLD, STYLE as ORANGE, STYLE as RED, STYLE as UNBOLD };

export function print(...words: unknown[]): void {
  console.info(...words.filter((word) => word !== STYLE));
}

export function warn(...words: unknown[]): void {
  console.warn(...words);
}
