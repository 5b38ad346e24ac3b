// A client's own dialog is one more place to answer: where the person has said so, never for approvals, and never the only one.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Hub, has, until } from "../../clients/typescript/live/hub.mjs";
import { text } from "./support/asking.mjs";
import { allAsked, answer, asked } from "./support/person.mjs";
import { Python } from "./support/python.mjs";
import { TypeScript } from "./support/typescript.mjs";

/** The name of the client that the person trusts. */
const TRUSTED = "trusted-story";

let hub;

before(async () => {
  hub = await Hub.start();
  writeFileSync(join(hub.folder, "config.toml"), `[mcp]\ndialogs = ["${TRUSTED}"]\n`);
  await hub.restart("SIGTERM");
});
after(() => hub?.end());

const OLD = "2025-11-25";
const NEW = "2026-07-28";
const CLIENTS = [
  { Peer: TypeScript, version: 1, era: OLD },
  { Peer: TypeScript, version: 2, era: OLD },
  { Peer: TypeScript, version: 2, era: NEW },
  { Peer: Python, version: 1, era: OLD },
  { Peer: Python, version: 2, era: OLD },
  { Peer: Python, version: 2, era: NEW },
];

/** What the person does who is shown a dialog, by what it is about. Whoever says no has read it first. */
const PERSON = [
  { about: "what is accepted", action: "accept", content: { q1: "Ada" } },
  { about: "what is declined", action: "decline", after: 1200 },
  { about: "a no at once", action: "decline" },
  { about: "that is closed", action: "cancel" },
  { about: "breaks the rules", action: "accept", content: { q1: " " } },
  { about: "", action: "accept", content: { q1: "nobody asked" } },
];

for (const { Peer, version, era } of CLIENTS) {
  for (const over of ["stdio", "http"]) {
    const way = `${Peer.name} ${version}, ${over}, ${era}`;
    describe(way, () => {
      let peer;
      before(async () => {
        peer = await Peer.connect(hub, { version, over, era, dialog: PERSON, name: TRUSTED });
      });
      after(() => peer?.end());
      /** A test with a question of its own. Gives the dialogs that there were since it began. */
      const story = (name, body) =>
        test(name, async () => {
          const before = peer.dialogs.length;
          await body(`${name} (${way})?`, () => peer.dialogs.slice(before));
        });

      story("S1 what is accepted there is the answer, and kept as given there", async (message, dialogs) => {
        const { structured } = await peer.call("request_user_input", text(message));
        has(structured, { status: "answered", response: "Ada", surface: "mcp" });
        const [dialog] = dialogs();
        assert.ok(dialog.message.includes(message), dialog.message);
        assert.equal(dialog.requestedSchema.properties.q1.type, "string");
        const [request] = await allAsked(hub, message);
        // S9: what the client calls itself is a claim beside the name of its token.
        assert.ok(dialog.message.startsWith(`From: ${request.asker} (calls itself "${TRUSTED}")\n\n`), dialog.message);
        has(request.outcome, { status: "answered", surface: "mcp" });
      });

      story("L5 what is declined there is declined", async (message) => {
        const { structured, text: said } = await peer.call("request_user_input", text(message));
        has(structured, { status: "declined", surface: "mcp" });
        assert.equal(said, "The user declined to answer.");
      });

      /** The request stays open: the person answers elsewhere. */
      const isAnsweredElsewhere = async (message, dialogs, most) => {
        const call = peer.call("request_user_input", text(message));
        await until("there was a dialog", () => dialogs().length === most);
        await answer(hub, message, "Grace");
        const { structured } = await call;
        has(structured, { status: "answered", response: "Grace" });
        assert.notEqual(structured.surface, "mcp");
        assert.equal(dialogs().length, most, "nobody is pestered");
      };

      story("L5 a dialog that is closed decides nothing", (message, dialogs) => isAnsweredElsewhere(message, dialogs, 1));

      story("L5 a no at once is the client’s own, and decides nothing", (message, dialogs) => isAnsweredElsewhere(message, dialogs, 1));

      story("F15 what breaks the rules there is not taken, and said so", async (message, dialogs) => {
        await isAnsweredElsewhere(message, dialogs, 3);
        assert.match(dialogs()[1].message, /^Not taken: /);
      });

      story("S1 an approval is never shown there", async (message, dialogs) => {
        const call = peer.call("request_user_input", { type: "approval", message });
        await answer(hub, message, "approve");
        has((await call).structured, { status: "answered", response: "approve" });
        assert.deepEqual(dialogs(), []);
      });

      test("S1 a client that nobody has named shows none", async () => {
        const message = `What does a stranger show (${way})?`;
        const stranger = await Peer.connect(hub, { version, over, era, dialog: PERSON, name: "stranger" });
        try {
          const call = stranger.call("request_user_input", text(message));
          await answer(hub, message, "Grace");
          has((await call).structured, { status: "answered", response: "Grace" });
          assert.deepEqual(stranger.dialogs, []);
        } finally {
          await stranger.end();
        }
      });
    });
  }
}

for (const { version, era } of CLIENTS.filter(({ Peer }) => Peer === TypeScript)) {
  for (const over of ["stdio", "http"]) {
    test(`TypeScript ${version}, ${over}, ${era}: L1 whoever is first counts, also before a dialog that is open`, async () => {
      const message = `Who is first (${version}, ${over}, ${era})?`;
      /** A person who has the dialog before them until somebody else has answered. */
      const slow = async () => {
        const { id } = await asked(hub, message);
        await hub.answer(id, "Grace");
        return { action: "accept", content: { q1: "Ada" } };
      };
      const peer = await TypeScript.connect(hub, { version, over, era, dialog: slow, name: TRUSTED });
      try {
        const { structured } = await peer.call("request_user_input", text(message));
        has(structured, { status: "answered", response: "Grace" });
        assert.equal((await allAsked(hub, message)).length, 1);
      } finally {
        await peer.end();
      }
    });
  }
}
