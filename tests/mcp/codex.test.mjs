// Codex itself: it gives up before the person has answered, asks again, and is told.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Hub, has } from "../../clients/typescript/live/hub.mjs";
import { answered, choice, text } from "./support/asking.mjs";
import { Codex } from "./support/codex.mjs";
import { allAsked, answer, asked } from "./support/person.mjs";
import { address, shim } from "./support/typescript.mjs";

/** What Codex gives a call, in seconds: less than the person takes. */
const LIMIT = 2;

/** Of a race that either call may win. */
const ATTEMPTS = 3;

let hub;

before(async () => {
  hub = await Hub.start();
});
after(() => hub?.end());

/** The server in Codex's configuration, in both ways. JSON's strings and lists are TOML's, too. */
const WAYS = {
  stdio: () => {
    const { command, args, env } = shim(hub);
    return `[mcp_servers.askback]
command = ${JSON.stringify(command)}
args = ${JSON.stringify(args)}
env = { ASKBACK_DATA = ${JSON.stringify(env.ASKBACK_DATA)} }
tool_timeout_sec = ${LIMIT}
`;
  },
  http: () => `[mcp_servers.askback]
url = ${JSON.stringify(address(hub).href)}
http_headers = { Authorization = ${JSON.stringify(`Bearer ${hub.asker}`)} }
tool_timeout_sec = ${LIMIT}
`,
};

for (const [way, configuration] of Object.entries(WAYS)) {
  test(`${way}: L3 a call that ran out of time is found again by asking the same`, async () => {
    const question = `Which database, over ${way}?`;
    const codex = await Codex.start(configuration());
    try {
      await assert.rejects(codex.call("askback", "AskUserQuestion", choice(question)), /timed out/);
      const { id } = await asked(hub, question);
      const again = codex.call("askback", "AskUserQuestion", choice(question));
      assert.equal(await answer(hub, question, "SQLite"), id, "it is the same request");
      const { content, structuredContent } = await again;
      assert.equal(content[0].text, answered(question, "SQLite"));
      has(structuredContent, { status: "answered", request_id: id });
      assert.equal((await allAsked(hub, question)).length, 1);
    } finally {
      await codex.end();
    }
  });

  test(`${way}: L3 an answer that came when nobody waited is delivered to whoever asks the same`, async () => {
    const codex = await Codex.start(configuration());
    try {
      let found;
      // The call that Codex has given up may still be there when the answer comes, and take it: not every time.
      for (let count = 0; count < ATTEMPTS && !found; count += 1) {
        const question = `Which database then, over ${way}, ${count}?`;
        await assert.rejects(codex.call("askback", "AskUserQuestion", choice(question)), /timed out/);
        const id = await answer(hub, question, "SQLite");
        const again = await codex.call("askback", "AskUserQuestion", choice(question)).catch((error) => {
          if (!/timed out/.test(error.message)) throw error;
        });
        if (again) found = { id, content: again.structuredContent };
      }
      assert.ok(found, "none of them was delivered to the next call");
      has(found.content, { status: "answered", request_id: found.id });
    } finally {
      await codex.end();
    }
  });
}

test("S1 its own dialog answers where the person has named it, and only there", async () => {
  const answers = { answer: () => ({ action: "accept", content: { q1: "Ada" } }) };
  const strange = await Codex.start(WAYS.stdio(), answers);
  try {
    const call = strange.call("askback", "request_user_input", text("Your name, elsewhere?"));
    await answer(hub, "Your name, elsewhere?", "Grace");
    has((await call).structuredContent, { status: "answered", response: "Grace" });
    assert.deepEqual(strange.dialogs, []);
  } finally {
    await strange.end();
  }

  writeFileSync(join(hub.folder, "config.toml"), '[mcp]\ndialogs = ["codex-mcp-client"]\n');
  await hub.restart("SIGTERM");
  const named = await Codex.start(WAYS.stdio(), answers);
  try {
    const { structuredContent } = await named.call("askback", "request_user_input", text("Your name, here?"));
    has(structuredContent, { status: "answered", response: "Ada", surface: "mcp" });
    assert.equal(named.dialogs.length, 1);
  } finally {
    await named.end();
  }
});
