// The parts of the page that a test calls without a browser.

export { Lexer } from "marked";
export { readDiff } from "../src/context/diff";
export { isFormattable } from "../src/context/formattable";
export * as limits from "../src/context/limits";
export { format } from "../src/context/markdown-tokens";
export { read } from "../src/context/reading";
export { layoutWeight, linesOf, rowsOf } from "../src/context/rows";
export { inSlices } from "../src/context/slices";
export { Budget } from "../src/context/work";
