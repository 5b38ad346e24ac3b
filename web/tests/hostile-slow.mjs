// Requests whose contexts would freeze a page that drew each of them at once: generated, each within what a hub takes.

/** Pieces of context in one request. */
const MOST_CONTEXTS = 50;

const repeat = (text, length) => text.repeat(Math.ceil(length / text.length)).slice(0, length);
const lines = (count, line) => Array.from({ length: count }, (_, index) => line(index)).join("\n");
const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const paragraphs = (count, text) => Array.from({ length: count }, () => text).join("\n\n");

/** The worst of the lexer of its kind: openers that are closed, one within the other, in a paragraph of this length. */
const nestedEmphasis = (length) => `${repeat("***a ", length / 2)}${repeat("a* ", length / 2)}`;

/** Markdown texts by name. */
export const slowMarkdown = {
  "runs of emphasis": () => `${repeat("*_a ", 1_000)}${repeat("_a* ", 1_000)}`,
  "long runs of emphasis": () => `${`${"*".repeat(10)}a `.repeat(420)}${" a***".repeat(78)}`,
  "nested emphasis, many paragraphs": () => paragraphs(40, nestedEmphasis(700)),
  "emphasis in paragraphs of the longest that is formatted": () => paragraphs(45, nestedEmphasis(640)),
  "emphasis in one paragraph": () => nestedEmphasis(6_000),
  "brackets": () => paragraphs(4, repeat("[a](", 5_900)),
  "links in brackets": () => paragraphs(10, `${repeat("![a](", 1_400)}${repeat("](a)", 1_400)}`),
  "angles": () => paragraphs(4, repeat('<a b="', 5_900)),
  "backticks": () => paragraphs(10, repeat("` `` ", 2_900)),
  "addresses": () => paragraphs(6, repeat("http://a www. a@b.c ", 4_900)),
  "a word without end": () => repeat("a", 29_000),
  "quotes in quotes": () => lines(1_400, () => `${"> ".repeat(9)}a`),
  "lists in lists": () => lines(1_400, (index) => `${"  ".repeat(index % 15)}- a`),
  "lists and quotes on a line": () => lines(1_400, () => `${"> - ".repeat(4)}a`),
  "a table of many cells": () => `${repeat("a|", 6_000)}\n${repeat("-|", 6_000)}\n${lines(2, () => repeat("a|", 6_000))}`,
  "heads of tables in a list": () => `${lines(990, () => "- [ ] a\n[=\n|---|---|").split("\n").slice(0, 990).join("\n")}${repeat("-|-|---", 16_000)}`,
  "many small paragraphs": () => paragraphs(740, "a *b* `c`"),
  "blocks of code": () => paragraphs(370, "```\na\n```"),
  "blanks before an item": () => `${" ".repeat(29_000)}a`,
  "headings": () => lines(1_450, (index) => `${"#".repeat(1 + (index % 6))} a`),
  "hidden characters": () => repeat("a\u200b", 3_900),
  "accents": () => repeat(`z${"\u0301\u0300\u0333".repeat(9)}`, 29_000),
  "many different accents": () => times(29_000, (index) => (index % 28 ? String.fromCodePoint(0x300 + ((index * 37 + (index >> 5)) % 0x4e)) : "z")).join(""),
};

const others = {
  "a diff of half a million lines": () => [{ type: "diff", text: repeat("+\n", 999_000) }],
  "a diff of ten thousand files": () => [{ type: "diff", text: lines(10_000, (index) => `diff --git a/f${index} b/f${index}\n--- a/f${index}\n+++ b/f${index}\n@@ -1 +1 @@\n-a\n+b`) }],
  "a diff of one line": () => [{ type: "diff", text: `@@ -1 +1 @@\n-${repeat("a b", 499_000)}\n+${repeat("a c", 499_000)}` }],
  "a diff of hidden characters": () => [{ type: "diff", text: `+${repeat("\u200b", 200_000)}` }],
  "a diff of one file with a name without end": () => [{ type: "diff", text: `diff --git a/f${repeat(" b/", 499_000)}\u2028\n--- a${repeat("\t", 499_000)}\u2028\n+++ b` }],
  "fifty diffs": () => times(MOST_CONTEXTS, () => ({ type: "diff", text: lines(4_000, (index) => (index % 2 ? "+added" : "-removed")) })),
  "half a million short lines": () => [{ type: "code", text: repeat("a\n", 999_000) }],
  "fifty pieces of code": () => times(MOST_CONTEXTS, () => ({ type: "code", text: lines(4_000, (index) => `l${index}`) })),
  "hidden characters line by line": () => [{ type: "code", text: lines(20_000, () => `a${"\u200b".repeat(9)}`) }],
  "JSON of many tokens": () => times(20, () => ({ type: "json", text: `[${repeat("[],", 30_000)}[]]` })),
  "JSON that grows when indented": () => times(20, () => ({ type: "json", text: `${"[".repeat(60)}${repeat("1,", 99_000)}1${"]".repeat(60)}` })),
};

/** Every request with its name: each Markdown text fifty times, and everything else as it is. */
export const slowRequests = [
  ...Object.entries(slowMarkdown).map(([name, make]) => {
    const text = make();
    return { name: `fifty texts of ${name}`, contexts: times(MOST_CONTEXTS, () => ({ type: "markdown", text })) };
  }),
  ...Object.entries(others).map(([name, make]) => ({ name, contexts: make() })),
];
