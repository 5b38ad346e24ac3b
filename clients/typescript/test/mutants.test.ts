// The vectors' own test: with a rule turned off, or with a mistake that is easily made, some vector fails.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkAnswer, type Checked, type Given, type KindName, type Question, type Rule } from "@askback/client";
import { failures, KINDS, type Check } from "./vectors.js";

/** Every rule that answers to a kind can break. */
const RULES: Record<KindName, Rule[]> = {
  approval: ["word", "answers"],
  text: ["blank", "length", "control", "answers"],
  multiline: ["blank", "length", "control", "answers"],
  choice: ["option", "repeat", "other", "blank", "length", "control", "answers"],
  confirm: ["word", "answers"],
  number: ["number", "integer", "min", "max", "step", "blank", "length", "answers"],
  email: ["email", "domain", "blank", "length", "answers"],
  date: ["date", "min", "max", "answers"],
  dropdown: ["option", "answers"],
  rating: ["integer", "min", "max", "answers"],
};

const text = (given: Given) => (typeof given === "string" ? given : given.selections.join(", "));
const pass = (written: string): Checked => ({ ok: true, written });

/** Accepts what our checker refuses, or refuses what it accepts, where `wrong` says so. */
function mutant<Kind extends KindName>(
  wrong: (question: Extract<Question, { type: Kind }>, given: string, checked: Checked) => Checked,
): Check {
  return (question, given) => wrong(question as never, text(given), checkAnswer(question, given));
}

/** One mistake for each kind, as somebody would make it who had only read what the kind is for. */
const MISTAKES: Record<KindName, [mistake: string, check: Check]> = {
  approval: ["any case will do", mutant((_, given, checked) => (/^(approve|reject)$/i.test(given) ? pass(given) : checked))],
  confirm: ["y stands for yes", mutant((_, given, checked) => (/^y/i.test(given) ? pass("yes") : checked))],
  text: ["lengths are counted in UTF-16", mutant<"text">(({ maxLength = 10_000 }, given, checked) =>
    given.length > maxLength ? { ok: false, rule: "length", message: "too long", expected: "less" } : checked)],
  multiline: ["line ends are kept", mutant((_, given, checked) => (checked.ok ? pass(given) : checked))],
  choice: ["a joined answer is split at commas", mutant<"choice">((question, given, checked) => {
    if (!checked.ok || !question.multiSelect) return checked;
    return { ...checked, selections: given.split(", ") };
  })],
  number: ["steps are counted in doubles", mutant<"number">(({ step, min = 0 }, given, checked) => {
    const off = step !== undefined && (Number(given) - min) % step !== 0;
    return checked.ok && off ? { ok: false, rule: "step", message: "off", expected: "a step" } : checked;
  })],
  email: ["a subdomain is at the domain", mutant<"email">(({ domain }, given, checked) =>
    !checked.ok && checked.rule === "domain" && domain && given.endsWith(domain) ? pass(given) : checked)],
  date: ["days roll over as Date does it", mutant((_, given, checked) =>
    !checked.ok && checked.rule === "date" && Number.isFinite(Date.parse(given)) ? pass(given) : checked)],
  dropdown: ["space around a value does not matter", mutant((_, given, checked) =>
    !checked.ok && given !== given.trim() ? pass(given.trim()) : checked)],
  rating: ["a number is a number", mutant((_, given, checked) =>
    !checked.ok && checked.rule === "integer" && Number.isInteger(Number(given)) ? pass(String(Number(given))) : checked)],
};

describe("F16 the vectors bite", () => {
  for (const kind of KINDS) {
    for (const rule of RULES[kind]) {
      test(`${kind} without the rule ${rule}`, () => {
        const without: Check = (question, given) => {
          const checked = checkAnswer(question, given);
          return !checked.ok && checked.rule === rule ? pass(text(given)) : checked;
        };
        assert.notDeepEqual(failures(kind, without), []);
      });
    }

    const [mistake, check] = MISTAKES[kind];
    test(`${kind} with a mistake: ${mistake}`, () => {
      assert.notDeepEqual(failures(kind, check), []);
    });
  }
});
