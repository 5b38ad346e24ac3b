// Texts that would stop the page, if it drew them at once or believed their size: they are seen whole, and answered beside.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { contextTypes, hostileTexts } from "./hostile.mjs";
import { Stage } from "./hostile-stage.mjs";

/** Characters of one piece of context that a hub takes. */
const LONGEST_CONTEXT = 1_000_000;

/** Characters of context in one request here, unless a single piece has more. */
const MOST_AT_ONCE = 300_000;

let stage;

before(async () => (stage = await Stage.set()));
after(() => stage?.clear());

const large = hostileTexts.filter(({ isLarge }) => isLarge);
const isTaken = ({ text }) => [...text].length <= LONGEST_CONTEXT;

/** In so many requests that none is too much. */
function batches(contexts) {
  const batches = [[]];
  let size = 0;
  for (const context of contexts) {
    size += context.text.length;
    if (size > MOST_AT_ONCE && batches.at(-1).length > 0) {
      batches.push([]);
      size = context.text.length;
    }
    batches.at(-1).push(context);
  }
  return batches;
}

const contexts = large.filter(isTaken).map(({ name, text }, index) => ({ name, text, type: contextTypes[index % contextTypes.length] }));

for (const batch of batches(contexts)) {
  const names = batch.map(({ name, type }) => `${name} as ${type}`).join(", ");
  test(`S2 ${names}: all of it is seen, and it can be answered`, () => stage.lookAndAnswer(batch));
}

test("S3 what is larger is refused, and never reaches a page", async () => {
  const refused = large.filter((one) => !isTaken(one));
  assert.ok(refused.length > 0);
  for (const { text } of refused) {
    const body = { room: "shop", type: "confirm", message: "Go on?", context: [{ type: "code", text }] };
    assert.equal((await stage.hub.call("POST", "/api/v1/requests", { token: stage.hub.asker, body })).status, 422);
  }
});
