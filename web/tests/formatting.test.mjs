// What is formatted and drawn at once is bounded, whatever the text: no test here depends on how long anything takes.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { slowMarkdown } from "./hostile-slow.mjs";
import { hostileTexts } from "./hostile.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "askback-page-"));

let parts;

before(async () => {
  const lib = { entry: here("formatting-parts.mjs"), formats: ["es"] };
  const [{ output }] = await build({
    configFile: here("../vite.config.js"),
    logLevel: "warn",
    build: { write: false, lib, rolldownOptions: { output: { codeSplitting: false } } },
  });
  const file = join(folder, "parts.mjs");
  writeFileSync(file, output[0].code);
  // Where the page is: a link there would be one to the hub itself.
  globalThis.location = new URL("http://localhost:1/");
  parts = await import(pathToFileURL(file));
});
after(() => rmSync(folder, { recursive: true }));

/** Formats a text; gives its parts, and of each step what the lexer was given in it. */
function formatted(text, budget = new parts.Budget()) {
  const { Lexer, format } = parts;
  const given = [];
  const { blockTokens, inlineTokens } = Lexer.prototype;
  let depth = 0;
  const counted = (what, method) =>
    function (source, ...others) {
      if (depth === 0) given.push({ what, source });
      depth += 1;
      try {
        return method.call(this, source, ...others);
      } finally {
        depth -= 1;
      }
    };
  Lexer.prototype.blockTokens = counted("blocks", blockTokens);
  Lexer.prototype.inlineTokens = counted("within", inlineTokens);
  try {
    const steps = [];
    const shown = [];
    for (const part of format(text, budget)) {
      steps.push(given.splice(0));
      if (part) shown.push(part);
    }
    steps.push(given.splice(0));
    return { shown, steps, all: steps.flat() };
  } finally {
    Object.assign(Lexer.prototype, { blockTokens, inlineTokens });
  }
}

const signs = (text) => text.match(/[*_~`<>[\]\\]/g)?.length ?? 0;
const linesOf = (text) => text.split("\n").length;

/** The text of what is shown, as far as it is an agent's. */
function writtenIn(node) {
  if (Array.isArray(node)) return node.map(writtenIn).join("");
  if (!node?.props) return "";
  return (node.props.text ?? "") + writtenIn(node.props.children);
}

const texts = () => [...Object.entries(slowMarkdown).map(([name, make]) => ({ name, text: make() })), ...hostileTexts].filter(({ text }) => parts.isFormattable(text));

test("S3 each step gives the lexer one text, and its signs times its length are bounded", () => {
  let count = 0;
  for (const { name, text } of texts()) {
    for (const step of formatted(text).steps) {
      assert.ok(step.length <= 1, `${name}: ${step.length} texts in one step`);
      for (const { what, source } of step) {
        count += 1;
        const work = what === "within" ? source.length * signs(source) : source.length * linesOf(source);
        assert.ok(work <= (what === "within" ? 500_000 : 1_600_000), `${name}: ${what} ${source.length} characters, ${signs(source)} signs, ${linesOf(source)} lines`);
      }
    }
  }
  assert.ok(count > 100, "some of the texts are formatted");
});

test("S3 fifty texts share one budget: what the lexer reads of them is bounded, and all of each text is shown", () => {
  for (const [name, make] of Object.entries(slowMarkdown)) {
    const text = make();
    if (!parts.isFormattable(text)) continue;
    const budget = new parts.Budget();
    let work = 0;
    for (let count = 0; count < 50; count += 1) {
      const { all, shown } = formatted(text, budget);
      for (const { what, source } of all) work += what === "within" ? source.length * signs(source) : (source.length * linesOf(source)) / 4;
      const letters = (text) => text.replace(/[^\p{L}\p{N}]/gu, "");
      assert.equal(letters(shown.map(({ shown }) => writtenIn(shown)).join("")), letters(text), name);
    }
    assert.ok(work <= 10_000_000, `${name}: ${work}`);
  }
});

test("S3 one paragraph that is too complex is shown as it is written, and what is around it is formatted", () => {
  const long = "*a ".repeat(900) + "a* ".repeat(900);
  const { shown, all } = formatted(`# Plan\n\nFirst **this**.\n\n${long}\n\n- then that\n`);
  assert.ok(!all.some(({ what, source }) => what === "within" && source.includes("*a *a")), "the lexer never reads it");
  const types = shown.map(({ shown, isAsWritten }) => (isAsWritten ? "note" : typeof shown.type === "function" ? [shown.props.children].flat()[0]?.type : shown.type));
  assert.deepEqual(types.filter((type) => type !== undefined), ["h3", "p", "note", "pre", "pre", "ul"]);
  assert.ok(writtenIn(shown.map(({ shown }) => shown)).includes(long.trim().slice(0, 3_000)));
});

test("a text in parts is formatted as it is in one: links, code and lists over blank lines", () => {
  const text = "See [it].\n\n```\n# no heading\n\nstill code\n```\nAfter.\n\n- one\n\n  more of one\n\n- two\n# Heading\n<div>\n# in HTML\n</div>\n\n> quote\n\n[it]: https://a.example/\n";
  const { shown } = formatted(text);
  const kinds = shown.map(({ shown }) => [shown.props.children].flat()[0]).map((node) => node?.type).filter((type) => type !== undefined);
  assert.deepEqual(kinds.map((type) => (typeof type === "function" ? type.name : type)).length, 8);
  const whole = JSON.stringify(shown.map(({ shown }) => shown));
  assert.match(whole, /"href":"https:\/\/a\.example\/"/);
  assert.match(writtenIn(shown.map(({ shown }) => shown)), /# no heading\n\nstill code/);
});

/** What a look at a text costs beside its characters. */
const EACH = 20;

/**
 * Does `steps`; gives what they give, and what the most laborious of them took: the characters that it cut out, searched or took apart, and
 * some more for each time. A regular expression that goes on from match to match has searched what it found.
 */
function measured(steps) {
  let work = 0;
  let most = 0;
  const counted = (method, cost) =>
    function (...given) {
      const found = method.apply(this, given);
      work += EACH + cost.call(this, found, given);
      return found;
    };
  const { slice, split, replace, replaceAll, match } = String.prototype;
  const { exec } = RegExp.prototype;
  const whole = function (found) {
    return this.length + EACH * (Array.isArray(found) ? found.length : 0);
  };
  Object.assign(String.prototype, {
    slice: counted(slice, (part) => part.length),
    split: counted(split, whole),
    replace: counted(replace, whole),
    replaceAll: counted(replaceAll, whole),
    match: counted(match, whole),
  });
  RegExp.prototype.exec = counted(exec, function (found, [text]) {
    return this.global ? (found?.[0].length ?? 0) : text.length;
  });
  try {
    for (;;) {
      work = 0;
      const { done, value } = steps.next();
      most = Math.max(most, work);
      if (done) return { value, most };
    }
  } finally {
    Object.assign(String.prototype, { slice, split, replace, replaceAll, match });
    RegExp.prototype.exec = exec;
  }
}

/** Texts of the largest size, each of a kind that a step could take too much of. */
const largeTexts = {
  "short lines": "+\n".repeat(499_000),
  "short lines with carriage returns": "a\r\n".repeat(333_000),
  "long lines": `${"é".repeat(900)}\n`.repeat(1_100),
  "hidden characters": "\u200b".repeat(199_000),
  "lines of hidden characters": `${"\u200b".repeat(150)}\n`.repeat(2_000),
  "accents": "e\u0301".repeat(150_000),
  "headers of files": "--- a\n+++ b\n".repeat(80_000),
  "tokens": `[${"[],".repeat(30_000)}1]`,
  "tokens within each other": `${"[".repeat(60)}${"1,".repeat(2_900)}1${"]".repeat(60)}`,
};

test("S3 a text of the largest size is read in steps of bounded work, whatever its type, and its rows are made in such steps", () => {
  for (const [name, text] of Object.entries(largeTexts)) {
    // A step looks at a line several times, and at the line that ends it in full.
    const longestLine = text.split("\n").reduce((longest, line) => Math.max(longest, line.length), 0);
    const bound = 10 * (parts.limits.WORK_OF_STEP + longestLine);
    for (const type of ["markdown", "diff", "json", "code", "command"]) {
      const { value, most } = measured(parts.read({ type, text }));
      assert.ok(most <= bound, `${name} as ${type}: ${most} to read it`);
      const rows = measured(value.blocks());
      assert.ok(rows.most <= bound, `${name} as ${type}: ${rows.most} to make a block of its rows`);
    }
  }
});

test("S3 marks fill a row sooner than letters do, and accents do not", () => {
  const rowOf = (text) => [...parts.rowsOf([text])][0].text;
  const { LONGEST_ROW, WEIGHT_BEYOND_ASCII, WEIGHT_OF_MARK } = parts.limits;
  const marks = LONGEST_ROW / (WEIGHT_BEYOND_ASCII + WEIGHT_OF_MARK);
  assert.equal(rowOf("\u200b".repeat(10_000)).length, marks);
  assert.equal(rowOf("\u200b".repeat(marks)).length, marks);
  assert.equal(rowOf("\ufe0f".repeat(10_000)).length, marks);
  assert.equal(rowOf("é".repeat(10_000)).length, LONGEST_ROW / WEIGHT_BEYOND_ASCII);
  assert.equal(rowOf("e\u0301".repeat(10_000)).length, LONGEST_ROW / WEIGHT_BEYOND_ASCII);
  assert.equal(rowOf("e".repeat(10_000)).length, LONGEST_ROW);
  const mixed = `${"é".repeat(3_000)}${"\u200b".repeat(3_000)}`;
  for (const { text } of parts.rowsOf([mixed])) assert.ok([...text].filter((character) => character === "\u200b").length <= marks, "also where they are all at the end");
  assert.equal([...parts.rowsOf([mixed])].map(({ text }) => text).join(""), mixed);
});

test("S3 a character that is drawn onto others weighs more than a letter, and a mark more than that", () => {
  const [plain, letter, accent, mark] = ["a", "é", "\u0301", "\u200b"].map((character) => parts.layoutWeight(character.repeat(100)));
  assert.ok(plain < letter && letter < accent && accent < mark, `${plain} ${letter} ${accent} ${mark}`);
});

test("lines end where they ended before they were read in steps", () => {
  const atOnce = (text) => {
    const lines = text.replaceAll("\r\n", "\n").split("\n");
    return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
  };
  for (const text of ["", "\n", "\n\n", "a", "a\n", "a\nb", "a\r\nb\r\n", "\r\n", "\r", "a\r", "\r\r\n", "a\rb\n\r\n\nc"]) assert.deepEqual(parts.linesOf(text), atOnce(text), JSON.stringify(text));
});

const drained = (steps) => {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

test("S3 a diff of half a million lines is read whole", () => {
  const diff = drained(parts.readDiff(parts.linesOf("+\n".repeat(499_000))));
  assert.equal(diff.added, 499_000);
});

/** What would take minutes in time that is quadratic, in milliseconds: it takes some now. */
const LINEAR_MS = 2_000;

test("S3 the names in a diff and the blanks before an item take time that is linear, and a name without end is cut above the rows", () => {
  const began = performance.now();
  const git = drained(parts.readDiff([`diff --git a/f${" b/".repeat(300_000)}\u2028`]));
  const tabs = drained(parts.readDiff([`--- a/name${"\t".repeat(900_000)}\u2028`, "+++ b/name\twhen"]));
  const blanks = Array.from({ length: 20 }, () => parts.isFormattable(`${" ".repeat(29_000)}a`));
  assert.ok(performance.now() - began < LINEAR_MS);
  assert.equal(git.files[0].name.length, parts.limits.LONGEST_FILE_NAME + 1);
  assert.equal(tabs.files[0].name, "name");
  assert.ok(blanks.every((is) => is));
  assert.equal(git.rows[0].text.length, 900_000 + "diff --git a/f".length + 1, "the row has all of it");
});

test("JSON is indented as it was before it was read in steps", () => {
  const rows = (text) => [...drained(parts.read({ type: "json", text })).blocks()].flat().map(({ text }) => text);
  assert.deepEqual(rows('{"a":[1,{"b":"c, {d}"},[],{}],"e":null}'), ["{", '  "a": [', "    1,", "    {", '      "b": "c, {d}"', "    },", "    [],", "    {}", "  ],", '  "e": null', "}"]);
  assert.deepEqual(rows("1"), ["1"]);
  assert.deepEqual(rows("{]"), ["{]"]);
  const says = (text) => drained(parts.read({ type: "json", text })).facts.map(({ says }) => says);
  assert.equal(says('[\n  1\n]\n').length, 1, "nothing is said of what is indented already");
  assert.equal(says("[1]").length, 2);
});

test("what weighs much ends a slice, all contexts share it, and the order of the contexts is the order of the work", () => {
  const frames = [];
  const { setTimeout } = globalThis;
  globalThis.requestAnimationFrame = (call) => frames.push(call);
  globalThis.setTimeout = (call, wait) => (wait === 0 ? call() : undefined);
  try {
    const done = [];
    function* work(name, weights) {
      for (const weight of weights) {
        done.push(name);
        yield weight;
      }
    }
    const half = parts.limits.WEIGHT_OF_SLICE / 2;
    parts.inSlices(work("second", [half, half, half]), 1);
    assert.deepEqual(done, ["second", "second"]);
    parts.inSlices(work("third", [half]), 2);
    parts.inSlices(work("first", [half]), 0);
    const stop = parts.inSlices(work("never", [half]), 3);
    assert.deepEqual(done, ["second", "second"], "what comes in the same task shares its slice");
    stop();
    frames.shift()();
    assert.deepEqual(done, ["second", "second", "first", "second"]);
    frames.shift()();
    assert.deepEqual(done, ["second", "second", "first", "second", "third"]);
  } finally {
    globalThis.setTimeout = setTimeout;
    delete globalThis.requestAnimationFrame;
  }
});
