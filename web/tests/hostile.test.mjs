// Hostile texts as what there is to look at: nothing runs, nothing is fetched, and nothing is hidden.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { seenOnScreen } from "./hostile-screen.mjs";
import { BEACON, contextTypes, hostileTexts } from "./hostile.mjs";
import { Stage } from "./hostile-stage.mjs";

/** Pieces of context in one request. */
const MOST_CONTEXTS = 50;

let stage;

before(async () => (stage = await Stage.set()));
after(() => stage?.clear());

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

test("S2, S4 every place of the page comes with a policy under which no text could run or load anything", async () => {
  for (const path of ["/", "/r/x"]) {
    const { status, headers } = await stage.hub.call("GET", path, { token: null });
    assert.equal(status, 200);
    assert.equal(headers.get("content-security-policy"), POLICY, path);
  }
});

test("S2 the checks notice what they are there for", async () => {
  const page = await stage.window();
  await page.getByText("Nothing is waiting.").first().waitFor();
  await stage.nothingHappened(page);
  await page.evaluate((beacon) => {
    const add = (name, attributes, text = "") => {
      const element = Object.assign(document.createElement(name), { textContent: text });
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
      document.querySelector("#page").append(element);
    };
    add("p", {}, "turned \u202e around");
    add("p", { "aria-label": "del\u200bete" });
    add("p", { class: "hidden-characters" }, "turned \u2066 here");
    add("b", { style: "display:none" });
    add("a", { href: "javascript:1" });
    add("img", { src: beacon });
    add("iframe", {});
    document.title = "turned \u2067 too";
    window.hostileRan = 1;
  }, BEACON);
  const seen = (await seenOnScreen(page)).join("\n");
  const wanted = ["p hides U+202e", "aria-label of p hides U+200b", "p hides U+2066", "b has style", "a leads to javascript:1", "img loads http", "element iframe", "title hides U+2067"];
  assert.deepEqual(wanted.filter((what) => !seen.includes(what)), [], seen);
  const problems = (await page.watched.problems()).join("\n");
  assert.match(problems, /stopped only by the policy/);
  assert.match(problems, /ran a script/);
  await page.close();
});

const small = hostileTexts.filter(({ text, isLarge }) => !isLarge && text.trim() !== "");

for (const type of contextTypes) {
  test(`S2 ${small.length} hostile texts as ${type}: all of it is seen, and nothing else happens`, async () => {
    const contexts = small.map(({ name, text }) => ({ name, text, type }));
    for (let from = 0; from < contexts.length; from += MOST_CONTEXTS) {
      await stage.lookAndAnswer(contexts.slice(from, from + MOST_CONTEXTS));
    }
  });
}
