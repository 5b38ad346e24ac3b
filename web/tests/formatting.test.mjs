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

test("S3 a diff of half a million lines is read in many steps", () => {
  const steps = parts.readDiff("+\n".repeat(499_000));
  let count = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) count += 1;
  assert.equal(step.value.added, 499_000);
  assert.ok(count >= 499_000 / 5_000, `${count} steps`);
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
