// Claude Code itself: it waits for a person far longer than it waits for a server, and its model reads the answer.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Hub, pause } from "../../clients/typescript/live/hub.mjs";
import { answered, choice } from "./support/asking.mjs";
import { Claude } from "./support/claude.mjs";
import { Model, say, use } from "./support/model.mjs";
import { allAsked, answer, asked } from "./support/person.mjs";
import { address, shim } from "./support/typescript.mjs";

/** Longer than the minute that Claude Code gives a server to say something. */
const LONGER_MS = 66_000;

const TOOL = "mcp__askback__AskUserQuestion";

let hub;

before(async () => {
  hub = await Hub.start();
});
after(() => hub?.end());

const WAYS = {
  stdio: () => ({ type: "stdio", ...shim(hub) }),
  http: () => ({ type: "http", url: address(hub).href, headers: { Authorization: `Bearer ${hub.asker}` } }),
};

describe("a model asks through Claude Code", { concurrency: true }, () => {
  for (const [way, server] of Object.entries(WAYS)) {
    for (const [pace, ms] of [
      ["at once", 0],
      ["after more than a minute", LONGER_MS],
    ]) {
      test(`${way}: Q6 a person answers ${pace}`, async () => {
        const question = `Which database, over ${way}, ${pace}?`;
        const model = await Model.start((results) => (results.length === 0 ? use(TOOL, choice(question)) : say("Thank you.")));
        const claude = Claude.start(model, { servers: { askback: server() }, tools: [TOOL] });
        try {
          await asked(hub, question);
          await pause(ms);
          assert.ok(claude.isRunning, `it waits: ${claude.printed} ${claude.complaints}`);
          await answer(hub, question, "SQLite");
          assert.equal(await claude.ended, 0, claude.complaints);
          assert.match(claude.printed, /Thank you\./);
          assert.equal(model.results.length, 1, "one call was enough");
          assert.ok(model.heard.includes("SQLite"), model.heard);
          assert.equal((await allAsked(hub, question)).length, 1);
        } finally {
          await claude.end();
          model.end();
        }
      });
    }
  }
});
