// The vectors of the kinds that are one field to type into.

import { brief, cases, inTurns, Tally } from "./vectors.mjs";

const LIST = "one field holds one text, and no list";

/**
 * Enters all vectors of a kind and holds the page's verdicts against theirs. `held` are the texts that the field holds in
 * another form, each with that form, and where the verdict changes with it, how the new one is `written`. Those that pass are
 * sent, too, entered as before or by `choose`.
 */
export async function enterAll(bench, kind, held = [], choose = (field, _question, text) => field.fill(text)) {
  const tally = new Tally();
  const known = new Map(held.map((one) => [one.given, one]));
  const passing = [];
  for (const { question, answers } of cases(kind)) {
    const { control } = await bench.ask(question);
    // Whoever has been in a field is told from then on what is wrong with it.
    await control.focus();
    await control.blur();
    for (const [turn, vector] of inTurns(answers).entries()) {
      const text = textOf(vector.given);
      if (text === undefined) {
        tally.add(LIST);
        continue;
      }
      const other = known.get(text);
      await bench.write(control, text, turn);
      if (other) tally.add(other.reason);
      const expected = other?.written === undefined ? vector : { given: text, written: other.written };
      await bench.judge(control, { ...expected, holds: other?.holds ?? text }, `${kind} ${brief(vector)}`);
      if (expected.refused !== undefined) continue;
      passing.push({ question, vector: expected, enter: (field) => choose(field, question, text) });
    }
  }
  await bench.send(passing);
  return { counts: tally.counts, passed: passing.length };
}

/** The one text of an answer, unless it is a list of none or several. */
export function textOf(given) {
  if (typeof given === "string") return given;
  return given.selections.length === 1 && given.custom === undefined ? given.selections[0] : undefined;
}
