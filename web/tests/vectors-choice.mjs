// The vectors of choice, entered by pressing its options in that order, and Other with its text where that stands.

import assert from "node:assert/strict";
import { CANT_BE, pressesFor } from "./pressing.mjs";
import { brief, cases, inTurns, Tally } from "./vectors.mjs";

const OTHER = "Other (please specify)";

/** Every how many-th vector is entered by real clicks. */
const CLICKED_EVERY = 4;

/** Options from which on they are searched (W1). */
const SEARCHED_FROM = 10;

export const ONE_LINE = "a field of one line turns line breaks into spaces";
export const OF_OTHER = "what is wrong with a list is wrong with its Other";

/** Strings that break another rule as the list that the page makes of them: it knows what was meant for Other. */
const RULES = { "": "other", "Dark mode, ": "other", " Dark mode,  Dark mode": "other" };

/** Rows in the page at once, of however many options. */
const MOST_DRAWN = 100;

/** One for each option that is offered, and one for Other. */
const shownRows = ({ other }, { offered }) => offered + (other ? 1 : 0);

/** The radios or checkboxes of a question, in the order of its options. */
const rows = (group, { multiSelect }) => group.getByRole(multiSelect ? "checkbox" : "radio");
const isSearched = ({ options }) => options.length >= SEARCHED_FROM;
const otherText = (group) => group.getByRole("textbox", { name: "Other: your own answer" });

/** Enters what is to be pressed, in order: now and then by real clicks, else by the elements' own, which take no time. */
async function enter(group, question, presses, turn) {
  if (turn % CLICKED_EVERY === 0 || isSearched(question)) {
    for (const press of presses) await (await find(group, question, press)).click();
  } else {
    await group.evaluate(
      async (element, indices) => {
        for (const index of indices) {
          [...element.querySelectorAll("input:is([type=radio], [type=checkbox])")].at(index).click();
          // Only what is drawn can be pressed.
          await new Promise((resolve) => setTimeout(resolve));
        }
      },
      presses.map((press) => press.option ?? -1),
    );
  }
  const other = presses.find((press) => press.other !== undefined);
  if (other) await otherText(group).fill(other.other);
}

/** What to press. Where there is a search, that is how it is found. */
async function find(group, question, press) {
  if (press.other !== undefined) return rows(group, question).last();
  if (!isSearched(question)) return rows(group, question).nth(press.option);
  await group.getByRole("searchbox").fill(press.value);
  return group.getByRole(question.multiSelect ? "checkbox" : "radio", { name: press.value, exact: true });
}

/** Presses whatever is on once more; radios stay as they are. */
async function clear(group, question) {
  if (!question.multiSelect) return;
  await group.evaluate(async (element) => {
    for (let on; (on = element.querySelector("input:checked")); ) {
      on.click();
      // Only what is drawn can be pressed.
      await new Promise((resolve) => setTimeout(resolve));
    }
  });
}

/** Shows that the control can't hold it, for the reason that was given. */
async function cantBeEntered(group, question, entry) {
  const { reason, presses } = entry;
  const all = rows(group, question);
  switch (reason) {
    case CANT_BE.offered: {
      if (isSearched(question)) await group.getByRole("searchbox").fill(presses[0].other);
      return assert.equal(await all.count(), isSearched(question) ? 0 : shownRows(question, entry));
    }
    case CANT_BE.enabled:
      return assert.equal(await all.nth(presses.find((press) => press.isDisabled).option).isDisabled(), true);
    case CANT_BE.oneOther:
      return assert.equal(await group.getByLabel(OTHER, { exact: true }).count(), 1);
    case CANT_BE.once: {
      await enter(group, question, presses, 0);
      return assert.equal(await group.getByRole("checkbox", { checked: true }).count(), 0);
    }
    case CANT_BE.oneRadio: {
      await enter(group, question, presses, 0);
      return assert.equal(await group.getByRole("radio", { checked: true }).count(), 1);
    }
  }
}

/** Enters the vectors of one choice or of many, and holds the page's verdicts against theirs; those that pass are sent. */
export async function enterAll(bench, isOfMany) {
  const tally = new Tally();
  const passing = [];
  for (const { question, answers } of cases("choice").filter((one) => (one.question.multiSelect === true) === isOfMany)) {
    const { control } = await bench.ask(question);
    await rows(control, question).first().focus();
    await rows(control, question).first().blur();
    const entries = inTurns(answers).map((vector) => ({ vector, entry: pressesFor(question, vector) }));
    assert.equal(await rows(control, question).count(), Math.min(shownRows(question, entries[0].entry), MOST_DRAWN));
    // A radio stays on once it was pressed.
    entries.sort((one, other) => Math.min(one.entry.presses.length, 1) - Math.min(other.entry.presses.length, 1));
    for (const [turn, { vector, entry }] of entries.entries()) {
      if (entry.reason) {
        assert.notEqual(vector.refused, undefined, `${brief(vector)} passes, and can't be entered`);
        tally.add(entry.reason);
        await cantBeEntered(control, question, entry);
      } else {
        await enter(control, question, entry.presses, turn);
        const expected = expectedOf(vector, tally);
        await bench.judge(control, expected, `${JSON.stringify(question).slice(0, 80)} ${brief(vector)}`);
        const again = (group, index) => enter(group, question, entry.presses, index);
        if (expected.refused === undefined) passing.push({ question, vector: expected, enter: again });
      }
      await clear(control, question);
    }
  }
  await bench.send(passing);
  return { counts: tally.counts, passed: passing.length };
}

/** The vector, or what it comes to on a page. */
function expectedOf(vector, tally) {
  if (vector.given === "two\nlines") {
    tally.add(ONE_LINE);
    return { given: vector.given, written: "two lines", custom: "two lines" };
  }
  if (vector.refused !== undefined && Object.hasOwn(RULES, vector.given)) {
    tally.add(OF_OTHER);
    return { ...vector, refused: RULES[vector.given] };
  }
  return vector;
}
