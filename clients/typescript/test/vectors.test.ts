// F0–F16: the rules of answers agree with the hub's, vector by vector.

import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { checkAnswer, checkAnswers, show, showPieces, type Layout, type Purpose, type Question } from "@askback/client";
import { cases, failures, KINDS } from "./vectors.js";

describe("F16 the shared vectors", () => {
  for (const kind of KINDS) {
    test(`${kind} passes its vectors`, (t) => {
      const all = cases(kind);
      const answers = all.reduce((count, { answers = [] }) => count + answers.length, 0);
      const refused = all.filter(({ problems }) => problems).length;
      t.diagnostic(`${kind}: ${answers} answers run; ${refused} questions left out, which the hub itself refuses to ask`);
      assert.ok(answers > 0);
      assert.equal(all.length - refused, all.filter(({ answers }) => answers).length, "a case is one or the other");
      assert.deepEqual(failures(kind, checkAnswer), []);
    });
  }

  test("the kinds are those of the schema, and each has its vectors", () => {
    const schema = JSON.parse(readFileSync(new URL("../../../schemas/request.schema.json", import.meta.url), "utf8"));
    const kinds = Object.values<{ properties?: { type?: { const?: string } } }>(schema.$defs).flatMap(
      (definition) => definition.properties?.type?.const ?? [],
    );
    assert.deepEqual([...KINDS].sort(), kinds.sort());
    assert.ok(KINDS.every((kind) => existsSync(new URL(`../../../vectors/${kind}.json`, import.meta.url))));
  });

  test("S2 hidden characters are shown as the vectors say", () => {
    type Shown = { raw: string; layout: Layout; purpose: Purpose; shown: string };
    const all = cases<Shown>("show");
    assert.ok(all.length > 20);
    for (const { raw, layout, purpose, shown } of all) assert.equal(show(raw, layout, purpose), shown, JSON.stringify(raw));
    for (const { raw, layout, purpose, shown } of all) {
      const pieces = showPieces(raw, layout, purpose);
      assert.equal(pieces.map((piece) => piece.text).join(""), shown);
      assert.ok(pieces.every((piece) => piece.isMark === (piece.isMark && /^<U\+[0-9A-F]{4,6}>$/.test(piece.text))));
      assert.equal(pieces.some((piece) => piece.isMark), shown !== raw.replace(/\r\n/g, layout === "block" ? "\n" : "\r\n"));
    }
  });
});

describe("F15 what JavaScript adds to the vectors", () => {
  const text: Question = { type: "text", message: "?" };

  test("half a character is refused, because it would arrive as another", () => {
    const checked = checkAnswer(text, "a\ud800");
    assert.ok(!checked.ok && checked.rule === "json");
    assert.equal(checkAnswer(text, "a😀").ok, true);
  });

  test("what is no answer at all is refused, not thrown at", () => {
    const lists = [{ selections: "a" }, { selections: [1] }, { selections: [], custom: 1 }];
    for (const given of [null, undefined, 5, ["a"], {}, ...lists]) {
      const checked = checkAnswer(text, given as never);
      assert.ok(!checked.ok && checked.rule === "type", JSON.stringify(given));
    }
  });

  test("a kind of a newer hub is refused with the way out", () => {
    const checked = checkAnswer({ type: "toString", message: "?" } as never, "x");
    assert.ok(!checked.ok && checked.rule === "type" && checked.message.includes("newer"));
  });

  test("steps are exact over all finite numbers", () => {
    const number = (fields: object): Question => ({ type: "number", message: "?", ...fields });
    assert.equal(checkAnswer(number({ step: 0.1 }), "0.3").ok, true);
    assert.equal(checkAnswer(number({ step: 5e-324 }), "1.7976931348623157e308").ok, true);
    assert.equal(checkAnswer(number({ step: 0.1 }), "1e-300").ok, false);
    assert.equal(checkAnswer(number({ min: -0.05, step: 0.1 }), "0.05").ok, true);
  });
});

describe("F15 answers to a form", () => {
  const form = {
    questions: [
      { type: "choice", message: "?", options: ["A", "B"], multiSelect: true, other: true },
      { type: "number", message: "?", max: 5 },
    ] satisfies Question[],
  };

  test("pass together", () => {
    const answers = [{ written: "A, c", selections: ["A", "c"], custom: "c" }, { written: "5" }];
    assert.deepEqual(checkAnswers(form, [{ selections: ["A"], custom: " c " }, "5.0"]), { ok: true, answers });
  });

  test("say everything that is wrong, and where", () => {
    const problems = [
      { path: "responses[0]", rule: "repeat", message: '"A" is selected twice', expected: "each option at most once" },
      { path: "responses[1]", rule: "max", message: "6 is too large", expected: "a number of at most 5" },
    ];
    assert.deepEqual(checkAnswers(form, ["A, A", "6"]), { ok: false, problems });
  });

  test("are named as over HTTP where one is a list", () => {
    const checked = checkAnswers(form, [{ selections: ["A"] }, "6"]);
    assert.deepEqual(!checked.ok && checked.problems.map(({ path }) => path), ["answers[1]"]);
  });

  test("are as many as the questions", () => {
    const problem = { message: "1 answer came for 2 questions", expected: "one answer for each question" };
    const problems = [{ path: "responses", rule: "answers", ...problem }];
    assert.deepEqual(checkAnswers(form, ["A"]), { ok: false, problems });
  });
});
