// Claude Code itself with the hook: people answer its questions and its permission prompts on the hub, and where nobody does it
// asks in its own way. Nothing is ever allowed by silence.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Hub, pause, until } from "../../clients/typescript/live/hub.mjs";
import { Claude } from "./support/claude.mjs";
import { approve, hooked, local, look, record, reject, remote } from "./support/hook.mjs";
import { Host } from "./support/host.mjs";
import { Model, say, use } from "./support/model.mjs";
import { answer, decline } from "./support/person.mjs";

const options = (...labels) => labels.map((label) => ({ label, description: `That is ${label}` }));
const one = (question, ...labels) => ({ question, header: "One", multiSelect: false, options: options(...labels) });
const many = (question, ...labels) => ({ question, header: "Many", multiSelect: true, options: options(...labels) });

/** Longer than a second, by far. */
const LONGER_MS = 4_000;

let hub;
let somebody;

before(async () => {
  hub = await Hub.start();
  somebody = await look(hub);
});
after(async () => {
  somebody?.leave();
  await hub?.end();
});

/** Runs a story with a model that calls one tool and then thanks; everything ends with it. */
async function story({ on = hub, way = local, call, script, host = null, args, hook }, tell) {
  const model = await Model.start(script ?? ((results) => (results.length === 0 ? use(...call) : say("Thank you."))));
  const claude = Claude.start(model, { settings: hooked(hook), env: way(on), host, args });
  try {
    await tell({ model, claude, hub: on, host });
  } finally {
    await claude.end();
    model.end();
  }
}

/** What its model has read of the only result, once Claude Code is done. */
async function read({ claude, model }) {
  assert.equal(await claude.ended, 0, claude.complaints);
  const result = model.results.at(-1);
  return { text: model.heard, isError: result.is_error === true };
}

const isThere = ({ claude }, file) => existsSync(join(claude.project, file));

/** Asks its own questions in an editor: without one, `claude -p` has no such tool. */
const asking = (questions, tell, more = {}) => story({ call: ["AskUserQuestion", { questions }], host: new Host(), ...more }, tell);

const running = (command, tell, more = {}) => story({ call: ["Bash", { command, description: "Make a file" }], ...more }, tell);

describe("Claude Code asks people by the hook", { concurrency: 3 }, () => {
  test("Q2, F3 its model reads the option that a person has chosen, in Claude Code's own words", () =>
    asking([one("Which database?", "SQLite", "PostgreSQL")], async (run) => {
      await answer(hub, "Which database?", "SQLite");
      const said = 'Your questions have been answered: "Which database?"="SQLite". You can now continue with these answers in mind.';
      assert.deepEqual(await read(run), { text: said, isError: false });
      assert.deepEqual(run.host.asked, [], "and nobody else was asked");
    }));

  test("F4, F13 two questions, several options and a text of the person's own", () => {
    const preview = "+--+\n|  |\n+--+";
    const layout = { ...one("Which layout?", "Wide", "Narrow"), options: [{ label: "Wide", description: "W", preview }, ...options("Narrow")] };
    const features = many("Which features?", "Sync", "Search, fast", "Share");
    return asking([layout, features, one("Where?", "Here", "There")], async (run) => {
      await answer(hub, "Which layout?", "Wide", "Sync, Search, fast, and a bell", "Else, where");
      const { text } = await read(run);
      assert.ok(text.startsWith("The user answered: "), text);
      assert.ok(text.includes(`"Which layout?"="Wide" selected preview:\n${preview}, `), text);
      assert.ok(text.includes('"Which features?"="Sync, "Search, fast", and a bell", "Where?"="Else, where"'), text);
    });
  });

  test("F11 options with a comma in them are the options that Claude Code knows", () =>
    asking([many("Which, of these?", "A", "B, or so")], async (run) => {
      await answer(hub, "Which, of these?", "A, B, or so");
      assert.match((await read(run)).text, /^Your questions have been answered: "Which, of these\?"="A, "B, or so""\./);
    }));

  test("L5, L7 a person declines, and says why", () =>
    asking([one("Which colour?", "Red", "Blue")], async (run) => {
      await decline(hub, "Which colour?", "Which colours are there?");
      const { text, isError } = await read(run);
      assert.ok(isError && text.includes("Which colours are there?"), text);
      assert.deepEqual(run.host.asked, []);
    }));

  test("S5 what is approved runs, as it was shown", () =>
    running("touch approved.txt && echo it ran", async (run) => {
      const { questions, context, from } = (await record(hub, "approved.txt")).request;
      assert.deepEqual([questions[0].message, from], ["Claude Code wants to use Bash: touch approved.txt && echo it ran", "claude-code"]);
      assert.equal(context[0].text, "touch approved.txt && echo it ran");
      assert.ok(!isThere(run, "approved.txt"), "not before");
      await approve(hub, "approved.txt");
      assert.deepEqual(await read(run), { text: "it ran", isError: false });
      assert.ok(isThere(run, "approved.txt"));
    }));

  test("S5, L5 what is rejected does not run, and the model reads why", () =>
    running("touch rejected.txt", async (run) => {
      await reject(hub, "rejected.txt", "Not in this folder.");
      const text = "The user rejected this. Reason: Not in this folder.";
      assert.deepEqual(await read(run), { text, isError: true });
      assert.ok(!isThere(run, "rejected.txt"));
    }));

  test("S5 an approval is for one use: the next one is asked anew", () => {
    const ids = [];
    const script = (results) => (results.length < 2 ? use("Bash", { command: "echo again >> twice.txt", description: "x" }, `toolu_${results.length}`) : say("Thank you."));
    return story({ script }, async (run) => {
      for (let time = 0; time < 2; time += 1) {
        const { id } = await record(hub, "twice.txt");
        ids.push(id);
        await hub.answer(id, "approve");
      }
      assert.equal((await read(run)).isError, false);
      assert.notEqual(ids[0], ids[1]);
    });
  });

  test("S5 a plan is approved with the plan", () => {
    const place = (body) => JSON.stringify(body).match(/\/[^\s"`\\]+\/plans\/[^\s"`\\]+\.md/)[0];
    const steps = [(body) => use("Write", { file_path: place(body), content: "# A plan\n\n1. Rest\n" }, "toolu_w"), () => use("ExitPlanMode", {}, "toolu_p")];
    const script = (results, body) => steps[results.length]?.(body) ?? say("Thank you.");
    return story({ script, host: new Host(), args: ["--permission-mode", "plan"] }, async (run) => {
      const { context } = (await record(hub, "# A plan")).request;
      assert.deepEqual([context[0].type, context[0].text], ["markdown", "# A plan\n\n1. Rest\n"]);
      await approve(hub, "# A plan");
      assert.match((await read(run)).text, /approved your plan/);
    });
  });

  test("L9 somebody who has only the page open is there", async () => {
    const own = await Hub.start();
    try {
      const page = own.join("@inbox");
      const people = async () => (await own.call("GET", "/api/v1/me", { token: own.asker })).json.people;
      await until("they count", async () => (await people()) === 1);
      await running("touch page.txt", async (run) => {
        await record(own, "page.txt");
        await pause(LONGER_MS);
        await approve(own, "page.txt");
        assert.equal((await read(run)).isError, false);
      }, { on: own, hook: { args: "--nobody 1s" } });
      page.leave();
      await until("they don't any more", async () => (await people()) === 0);
    } finally {
      await own.end();
    }
  });

  test("L1 an editor shows its own dialog as well, and the first answer counts", async () => {
    await running("touch hub-first.txt", async (run) => {
      await run.host.question("Bash");
      await approve(hub, "hub-first.txt");
      assert.equal((await read(run)).isError, false);
      assert.ok(isThere(run, "hub-first.txt"));
      assert.equal(run.host.takenBack, 1, "the editor's dialog is closed");
    }, { host: new Host() });
    await running("touch editor-first.txt", async (run) => {
      const { id } = await record(hub, "editor-first.txt");
      run.host.decide(await run.host.question("Bash"), { behavior: "deny", message: "No, says the editor." });
      assert.deepEqual(await read(run), { text: "No, says the editor.", isError: true });
      const { outcome } = await record(hub, "editor-first.txt", "cancelled");
      assert.equal(outcome.reason, "Claude Code does not wait for it any more", id);
    }, { host: new Host() });
  });
});

/** Whatever happens to the hook: Claude Code asks by itself, and what is said there counts. */
async function fallsBack(run) {
  const question = await run.host.question("AskUserQuestion");
  run.host.decide(question, { behavior: "deny", message: "Not now." });
  assert.deepEqual(await read(run), { text: "Not now.", isError: true });
}

describe("Claude Code asks by itself where nobody answers", { concurrency: 3 }, () => {
  test("S5 without an editor it has no questions, and what it may not do stays forbidden", async () => {
    const empty = await Hub.start();
    try {
      await running("touch nobody.txt", async (run) => {
        const { isError } = await read(run);
        assert.ok(isError && !isThere(run, "nobody.txt"));
        assert.ok(!run.model.asked[0].tools.some(({ name }) => name === "AskUserQuestion"));
        assert.equal((await record(empty, "nobody.txt", "cancelled")).outcome.reason, "asked in Claude Code instead");
      }, { on: empty, hook: { args: "--nobody 1s" } });
    } finally {
      await empty.end();
    }
  });

  test("L4 nobody is there: it asks in its own way", async () => {
    const empty = await Hub.start();
    try {
      await asking([one("Is nobody there?", "No", "Yes")], async (run) => {
        await fallsBack(run);
        assert.equal((await record(empty, "Is nobody there?", "cancelled")).outcome.reason, "asked in Claude Code instead");
      }, { on: empty, hook: { args: "--nobody 1s" } });
    } finally {
      await empty.end();
    }
  });

  test("L4 the time is up", () =>
    asking([one("Too slow?", "Yes", "No")], async (run) => {
      await fallsBack(run);
      await record(hub, "Too slow?", "expired");
    }, { hook: { args: "--timeout 1s" } }));

  test("L4, S5 the time is up for a command, which does not run", () =>
    running("touch late.txt", async (run) => {
      assert.ok((await read(run)).isError && !isThere(run, "late.txt"));
      await record(hub, "late.txt", "expired");
    }, { hook: { args: "--timeout 1s" } }));

  test("L9 Claude Code's own limit for the hook is up", () =>
    asking([one("Cut off?", "Yes", "No")], async (run) => {
      await fallsBack(run);
      await record(hub, "Cut off?", "cancelled");
    }, { hook: { seconds: 5 } }));

  test("S5 the hub dies while the hook waits", async () => {
    const fragile = await Hub.start();
    try {
      const watcher = await look(fragile);
      await running("touch fragile.txt", async (run) => {
        await record(fragile, "fragile.txt");
        await fragile.stop("SIGKILL");
        assert.ok((await read(run)).isError && !isThere(run, "fragile.txt"));
      }, { on: fragile, way: remote });
      watcher.leave();
    } finally {
      await fragile.end();
    }
  });

  test("L9 Claude Code dies while the hook waits: the request is taken away", () =>
    running("touch orphan.txt", async (run) => {
      await record(hub, "orphan.txt");
      run.claude.kill();
      const { outcome } = await record(hub, "orphan.txt", "cancelled");
      assert.equal(outcome.reason, "Claude Code does not wait for it any more");
      await pause(100);
      assert.ok(!isThere(run, "orphan.txt"));
    }));
});
