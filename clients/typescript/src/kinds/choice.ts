// Choice (F3, F4, F11, F13): one option or several, and perhaps Other with a text of the person's own.

import { checkFreeText, FREE_TEXT_LENGTH } from "../free-text.js";
import type { ChoiceQuestion } from "../generated/request.js";
import { Joined, SEPARATOR } from "../joined.js";
import { Options } from "../options.js";
import type { Accepted, Reader } from "../question.js";
import { keep, Refusal } from "../rule.js";
import { quote } from "../show.js";

/** Where Other stands in a list of selections that arrives with Other's text beside it. */
export const OTHER_PLACEHOLDER = "__other__";

/** How often an answer is read again because trimming changed it; each round removes a space beside a comma. */
const ROUNDS = 16;

interface Selection {
  from: "options" | "other";
  text: string;
}

export const readChoice: Reader<"choice"> = (question, given) => {
  const choice = new Choice(question);
  const selections = typeof given === "string" ? choice.readResponse(given) : choice.readList(given.selections, given.custom);
  return accepted(selections);
};

class Choice {
  readonly #options: Options;
  readonly #select: "one" | "many";
  readonly #other: "offered" | "absent";

  constructor(question: ChoiceQuestion) {
    this.#select = question.multiSelect ? "many" : "one";
    this.#other = question.other ? "offered" : "absent";
    this.#options = new Options(question.options, this.#other);
  }

  /** From the written form. */
  readResponse(response: string): Selection[] {
    if (this.#select === "one") return this.#check([this.#readItem(response)]);
    // Trimming Other's text may bring an option to light, and what is written must read as itself.
    let text = response;
    for (let round = 0; round < ROUNDS; round += 1) {
      const selections = this.#readJoined(text);
      const { written } = accepted(selections);
      if (written === text) return selections;
      text = written;
    }
    throw new Refusal("other", `${quote(text)} has stray spaces around commas`, 'values joined by ", " and nothing else');
  }

  /** From a list, with Other's text inside it or beside it. */
  readList(list: readonly string[], custom: string | null | undefined): Selection[] {
    this.#checkCount(list.length);
    let placed = false;
    const items = list.map((selection) => {
      const standsForCustom = selection === OTHER_PLACEHOLDER || custom?.trim() === selection.trim();
      if (!custom || !standsForCustom || this.#options.has(selection)) return this.#readItem(selection);
      placed = true;
      return this.#readOther(custom);
    });
    if (custom && !placed) items.push(this.#readOther(custom));
    const selections = this.#check(items);
    this.#checkWritten(selections);
    return selections;
  }

  /** A choice of many, from what joining gave. */
  #readJoined(text: string): Selection[] {
    const joined = new Joined(this.#options.values);
    // Each option once, and a longest Other made of nothing but separators.
    const most = joined.size + FREE_TEXT_LENGTH / SEPARATOR.length + 1;
    const parts = text.split(SEPARATOR).length;
    keep("length", parts <= most, () => [`${parts} comma-separated parts are too many`, `at most ${most}`]);
    const stretches = joined.read(text, this.#other);
    if (!stretches) {
      const expected = `values joined by ", ", each ${this.#options.describe()}`;
      throw new Refusal("option", `${quote(text)} is not made of options`, expected);
    }
    return this.#check(stretches.map((stretch) => this.#readItem("option" in stretch ? stretch.option : stretch.other)));
  }

  /** One selection: an option, else Other's text where the question has Other. */
  #readItem(text: string): Selection {
    if (this.#other === "offered" && !this.#options.has(text)) return this.#readOther(text);
    return { from: "options", text: this.#options.choose(text) };
  }

  #readOther(given: string): Selection {
    keep("other", this.#other === "offered", () => [
      `the text ${quote(given)} comes with a question that has no Other`,
      this.#options.describe(),
    ]);
    const text = given.trim();
    // Text equal to an option is that option.
    if (this.#options.has(text)) return { from: "options", text: this.#options.choose(text) };
    keep("other", text !== OTHER_PLACEHOLDER, () => ["Other was selected without its text", "a text of your own"]);
    checkFreeText(text, FREE_TEXT_LENGTH, "none");
    return { from: "other", text };
  }

  /** More selections than could pass are not looked into, so that work stays bounded. */
  #checkCount(count: number): void {
    const most = this.#select === "one" ? 1 : this.#options.values.length + 1;
    const expected = this.#select === "one" ? "exactly one" : `at most ${most}, each once`;
    keep("answers", count <= most, () => [`${count} selections are too many`, expected]);
  }

  /** Enough of them, none twice, and Other at most once. */
  #check(items: Selection[]): Selection[] {
    const enough = this.#select === "one" ? items.length === 1 : items.length > 0;
    const expected = this.#select === "one" ? "exactly one" : "at least one";
    keep("answers", enough, () => [`${items.length} selections`, expected]);
    const seen = new Set<string>();
    for (const { text } of items) {
      keep("repeat", !seen.has(text), () => [`${quote(text)} is selected twice`, "each option at most once"]);
      seen.add(text);
    }
    const others = items.filter((item) => item.from === "other").length;
    keep("other", others <= 1, () => [
      `${others} selections are no options`,
      `one text of your own at most, and otherwise ${this.#options.describe()}`,
    ]);
    return items;
  }

  /** What a list says must also pass as the string that stands for it, though it may read differently there. */
  #checkWritten(selections: Selection[]): void {
    const { written, custom } = accepted(selections);
    if (this.#select === "one" || custom === undefined) return;
    try {
      this.readResponse(written);
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal;
      const message = `joined with the other selections, Other's text reads as options, and ${refusal.message}`;
      throw new Refusal("other", message, "another text");
    }
  }
}

function accepted(items: Selection[]): Accepted {
  const selections = items.map((item) => item.text);
  const custom = items.find((item) => item.from === "other")?.text;
  const answer = { written: selections.join(SEPARATOR), selections };
  return custom === undefined ? answer : { ...answer, custom };
}
