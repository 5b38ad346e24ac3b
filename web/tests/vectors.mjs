// The shared vectors (F16), entered into the real controls: what each kind's tests have in common.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm } from "./browser.mjs";

/** Vectors in one form: it takes 50 questions, and one is there already. */
const MOST_VECTORS = 49;

/** Every how many-th text is typed key by key, and not put in at once. */
const TYPED_EVERY = 4;
const TYPED_LENGTH = 24;

/** What the page says when a rule is broken. */
const SAYS = {
  answers: /^Nothing is chosen yet\. Expected: /,
  blank: /^The answer is blank\. Expected: /,
  control: /has a control character\. Expected: /,
  date: /^(Nothing is chosen yet|The date is not complete|.* is not a calendar day written YYYY-MM-DD)\. Expected: /,
  domain: /is at another domain \(a subdomain is another, too\)\. Expected: /,
  email: /is not an email address\. Expected: /,
  integer: /is not whole\. Expected: /,
  length: /characters are too many\. Expected: at most \d+ characters\.$/,
  max: /is too (large|late)\. Expected: /,
  min: /is too (small|early)\. Expected: /,
  number: /is not a finite number written like -1, 0\.5 or 1e3\. Expected: /,
  option: /^(Nothing is chosen yet|This is typed, but not chosen|.* is not an option|.* is disabled)\. Expected: /s,
  other: /^(Other was selected without its text|Joined with the other selections, Other's text reads as options, .*)\. Expected: /,
  repeat: /is selected twice\. Expected: /,
  step: /is between two steps\. Expected: /,
};

/** The questions of a kind that can be asked, each with the answers that are given to it. */
export function cases(kind) {
  const file = new URL(`../../vectors/${kind}.json`, import.meta.url);
  return expand(JSON.parse(readFileSync(file, "utf8"))).cases.filter((one) => one.answers);
}

/** Long texts and lists are written short (vectors/README.md). */
function expand(value) {
  if (Array.isArray(value)) return value.map(expand);
  if (typeof value !== "object" || value === null) return value;
  const { $repeat, $times, $list, $item } = value;
  if ($repeat !== undefined) return $repeat.repeat($times);
  if ($list !== undefined) return Array.from({ length: $list }, (_, index) => numbered($item, index + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expand(inner)]));
}

function numbered(item, number) {
  if (typeof item === "string") return item.replaceAll("#", String(number));
  return Object.fromEntries(Object.entries(item).map(([name, inner]) => [name, numbered(inner, number)]));
}

/** Those that pass and those that don't in turns, so that every verdict has to take the place of another. */
export function inTurns(answers) {
  const passing = answers.filter((vector) => vector.refused === undefined);
  const refused = answers.filter((vector) => vector.refused !== undefined);
  const turns = Array.from({ length: Math.max(passing.length, refused.length) }, (_, index) => [passing[index], refused[index]]);
  return turns.flat().filter(Boolean);
}

/** Short enough to name a vector by. */
export function brief(vector) {
  return JSON.stringify(vector).slice(0, 120);
}

/** Counts why controls can't hold what vectors give. */
export class Tally {
  counts = {};

  add(reason) {
    this.counts[reason] = (this.counts[reason] ?? 0) + 1;
  }
}

/** A hub, and a window before it. */
export class Bench {
  #asked = 0;

  static async start() {
    const bench = new Bench();
    bench.hub = await Hub.start();
    bench.browser = await Browser.start();
    bench.page = await bench.browser.open(bench.hub);
    return bench;
  }

  async end() {
    await this.browser?.end();
    await this.hub?.end();
  }

  /** Asks one question under a name of its own, opens it, and gives that name and its control. */
  async ask(question) {
    const message = `Vectors ${(this.#asked += 1)}?`;
    const id = await this.hub.ask({ room: "demo", ...question, message });
    await this.page.getByRole("link", { name: message }).click();
    const control = this.control(question, message);
    await control.waitFor();
    return { id, message, control };
  }

  /** The one field of a question, or the group of several. */
  control({ type }, message) {
    const isGroup = ["approval", "choice", "confirm", "rating"].includes(type);
    if (isGroup) return this.page.getByRole("group", { name: message, exact: true });
    return this.page.getByLabel(message, { exact: true }).and(this.page.locator("input, textarea"));
  }

  /** Puts a text into a field: at once, or now and then key by key. */
  async write(field, text, turn) {
    const isTyped = turn % TYPED_EVERY === 0 && text.length <= TYPED_LENGTH && !/\p{Cc}/u.test(text);
    await field.fill(isTyped ? "" : text);
    if (isTyped) await field.pressSequentially(text);
  }

  /** What the page says of what is entered: whether it can be sent, and what is wrong to somebody who only hears it. */
  verdict(control) {
    return control.evaluate((element) => {
      const ids = element.getAttribute("aria-describedby").split(/\s+/);
      const isSendable = !document.querySelector("button[type=submit]").disabled;
      return { isSendable, problem: document.getElementById(ids.at(-1)).textContent, holds: element.value };
    });
  }

  /** Holds what the page says against what a vector does, and what a field has against the text that it `holds`. */
  async judge(control, { refused, holds }, about) {
    const found = await this.verdict(control);
    if (holds !== undefined) assert.equal(found.holds, holds, about);
    assert.equal(found.isSendable, refused === undefined, `${about}: ${found.problem}`);
    if (refused === undefined) assert.equal(found.problem, "", about);
    else assert.match(found.problem, SAYS[refused], about);
  }

  /**
   * Sends all of these through the hub, many in one form, each a question and how to `enter` its answer into the control.
   * What the waiting asker gets is held against the vectors.
   */
  async send(entries) {
    for (let start = 0; start < entries.length; start += MOST_VECTORS) {
      await this.#sendForm(entries.slice(start, start + MOST_VECTORS));
    }
  }

  async #sendForm(entries) {
    const title = `Form ${(this.#asked += 1)}`;
    // One that is answered already makes a form even of one vector.
    const named = entries.map(({ question }, index) => ({ ...question, message: `#${index + 1}` }));
    const questions = [...named, { type: "text", message: "Filled in", initial: "so" }];
    const id = await this.hub.ask({ room: "demo", title, questions });
    const outcome = this.hub.outcome(id, 60);
    // If something fails before it is looked at, that is what is to be seen.
    outcome.catch(() => {});
    await this.page.getByRole("link", { name: title }).click();
    for (const [index, { question, enter }] of entries.entries()) await enter(this.control(question, `#${index + 1}`), index);
    await this.page.getByText(`${questions.length} of ${questions.length} answered`, { exact: true }).waitFor();
    await this.page.getByRole("button", { name: "Review", exact: true }).click();
    await calm(this.page);
    await this.page.getByRole("button", { name: "Send answers" }).click();
    await this.page.getByRole("heading", { level: 1, name: title }).waitFor();
    const { answers } = await outcome;
    for (const [index, { vector }] of entries.entries()) {
      const { response, selections, custom } = answers[index];
      assert.equal(response, vector.written, brief(vector));
      if ("selections" in vector) assert.deepEqual(selections, vector.selections, brief(vector));
      if ("custom" in vector) assert.equal(custom, vector.custom, brief(vector));
    }
  }
}
