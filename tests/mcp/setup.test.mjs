// What `askback setup` writes, read by the programs that it is for: Claude Code, Codex and Qwen Code themselves.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { Hub, has } from "../../clients/typescript/live/hub.mjs";
import { ASKING_TOOLS, TOOLS, choice } from "./support/asking.mjs";
import { CLAUDE } from "./support/claude.mjs";
import { CODEX, Codex } from "./support/codex.mjs";
import { COMPLETIONS } from "./support/model-apis.mjs";
import { Model, say, use } from "./support/model.mjs";
import { answer } from "./support/person.mjs";
import { ASKBACK } from "./support/programs.mjs";
import { ASK, NODE, variables } from "./support/qwen.mjs";

/** What a person is asked by the hook. */
const MAY_IT = "Claude Code wants to use Bash: touch made";

let hub;
let home;

before(async () => {
  hub = await Hub.start();
});
after(() => hub?.end());

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "askback-setup-")));
  mkdirSync(join(home, "project"));
});
afterEach(async () => {
  // What a failed test has left running would start a hub of its own when this one is gone.
  const late = [...running].map(async (child) => {
    const ended = once(child, "close");
    child.kill("SIGTERM");
    const tooLate = setTimeout(() => child.kill("SIGKILL"), 5000);
    await ended;
    clearTimeout(tooLate);
  });
  await Promise.all(late);
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
});

const running = new Set();

/** Runs a program in the project, with a home of its own and a hub that runs already. */
function run(command, args, env = {}) {
  const own = {
    PATH: process.env.PATH,
    HOME: home,
    ASKBACK_DATA: hub.folder,
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ...env,
  };
  return new Promise((resolve) => {
    const child = execFile(command, args, { cwd: join(home, "project"), env: own }, (error, out, complaints) => {
      running.delete(child);
      resolve({ status: error ? (error.code ?? error.signal) : 0, out, complaints });
    });
    running.add(child);
    child.stdin.end();
  });
}

async function setup(args, env) {
  const { status, out, complaints } = await run(ASKBACK, ["setup", ...args], env);
  assert.equal(status, 0, complaints);
  return out;
}

describe("Claude Code", () => {
  for (const [where, variables] of [
    ["in the home", () => ({})],
    ["where CLAUDE_CONFIG_DIR says", () => ({ CLAUDE_CONFIG_DIR: join(home, "moved") })],
  ]) {
    test(`F15 finds the server of a user ${where}, and connects`, async () => {
      await setup(["claude-code", "--write"], variables());
      const { out } = await run(CLAUDE, ["mcp", "get", "askback"], variables());
      assert.match(out, /Scope: User config/);
      assert.match(out, /Status: .*Connected/);
      assert.ok(out.includes(`Command: ${ASKBACK}`) && out.includes("Args: mcp"), out);
    });
  }

  test("F15 finds the server of a project, and asks its person about it first", async () => {
    await setup(["claude-code", "--scope", "project", "--write"]);
    const { out } = await run(CLAUDE, ["mcp", "get", "askback"]);
    assert.match(out, /Scope: Project config/);
    assert.match(out, /Pending approval/);
  });

  test("F15 what it writes itself is taken for ours, and what we wrote for its own", async () => {
    await run(CLAUDE, ["mcp", "add", "--scope", "user", "askback", "--", ASKBACK, "mcp"]);
    // It has no option for the one thing that is missing.
    assert.match(await setup(["claude-code", "--write"]), /changed; .*\n  \+ mcpServers\.askback\.alwaysLoad\n[^+~]*$/);
    assert.match(await setup(["claude-code", "--write"]), /has it already/);
    await run(CLAUDE, ["mcp", "add", "--scope", "user", "other", "--", "false"]);
    const { mcpServers } = JSON.parse(readFileSync(join(home, ".claude.json"), "utf8"));
    assert.deepEqual(Object.keys(mcpServers), ["askback", "other"]);
  });

  /** Has a model call tools, one after the other, while somebody looks at the hub: hooks wait only then. */
  async function converse(calls, answers) {
    const model = await Model.start((results) => calls[results.length] ?? say("Thank you."));
    const inbox = hub.join("@inbox");
    try {
      const claude = run(CLAUDE, ["--print", "Ask."], { ANTHROPIC_BASE_URL: model.url });
      for (const [question, response] of answers) await answer(hub, question, response);
      const { status, out, complaints } = await claude;
      assert.equal(status, 0, complaints);
      assert.match(out, /Thank you\./);
      return model.results;
    } finally {
      inbox.leave();
      model.end();
    }
  }

  test("Q6 sends its model all tools with the first request", async () => {
    await setup(["claude-code", "--write"]);
    const model = await Model.start(() => say("Thank you."));
    try {
      await run(CLAUDE, ["--print", "Ask."], { ANTHROPIC_BASE_URL: model.url });
      const sent = model.asked[0].tools.filter(({ defer_loading }) => !defer_loading).map(({ name }) => name);
      for (const tool of TOOLS) assert.ok(sent.includes(`mcp__askback__${tool}`), `${tool}: ${sent}`);
    } finally {
      model.end();
    }
  });

  const touch = use("Bash", { command: "touch made", description: "Make a file" }, "toolu_bash");

  test("Q6 a model asks by a tool that it may use at once, and a person approves by the hook", async () => {
    await setup(["claude-code", "--hook", "--allow", "--write"]);
    const question = "Which database, after setting up?";
    const tool = use("mcp__askback__AskUserQuestion", choice(question), "toolu_ask");
    const results = await converse([tool, touch], [[question, "SQLite"], [MAY_IT, "approve"]]);
    assert.ok(JSON.stringify(results[0]).includes("SQLite"), JSON.stringify(results));
    assert.ok(existsSync(join(home, "project", "made")), JSON.stringify(results));
  });

  test("S5 a person rejects by the hook of a project", async () => {
    await setup(["claude-code", "--hook", "--scope", "project", "--write"]);
    const results = await converse([touch], [[MAY_IT, "reject"]]);
    assert.ok(!existsSync(join(home, "project", "made")), JSON.stringify(results));
    assert.ok(results[0].is_error, JSON.stringify(results));
  });
});

describe("Codex", () => {
  test("F15 finds the server, with the time that a call may take", async () => {
    await setup(["codex", "--write"], { CODEX_HOME: join(home, "codex") });
    const { out } = await run(CODEX, ["mcp", "get", "askback", "--json"], { CODEX_HOME: join(home, "codex") });
    const server = JSON.parse(out);
    has(server, { name: "askback", enabled: true, tool_timeout_sec: 3600 });
    has(server.transport, { type: "stdio", command: ASKBACK, args: ["mcp", "--wait", "55m"] });
    assert.ok(server.transport.env_vars.includes("ASKBACK_DATA"), out);
  });

  test("F15 what it writes itself gets the time that it lacks, and what we wrote stays", async () => {
    await run(CODEX, ["mcp", "add", "askback", "--", ASKBACK, "mcp"]);
    assert.match(await setup(["codex", "--write"]), /instead of \["mcp"\]/);
    // It writes all servers anew, in its own way.
    await run(CODEX, ["mcp", "add", "other", "--", "false"]);
    assert.match(await setup(["codex", "--write"]), /has it already/);
  });

  test("Q6 asks on the hub that its own variables name", async () => {
    await setup(["codex", "--write"]);
    const servers = readFileSync(join(home, ".codex/config.toml"), "utf8");
    // The app server inherits little of ours: this is what Codex has to hand on.
    const codex = await Codex.start(servers, { env: { ASKBACK_DATA: hub.folder } });
    try {
      const { structuredContent } = await codex.call("askback", "list_requests", {});
      assert.ok(structuredContent, "it is served");
      const call = codex.call("askback", "AskUserQuestion", choice("On which hub?"));
      await answer(hub, "On which hub?", "SQLite");
      has((await call).structuredContent, { status: "answered" });
    } finally {
      await codex.end();
    }
  });
});

describe("Qwen Code", () => {
  test("Q6 sends its model all tools with the first request", async () => {
    await setup(["qwen", "--write"]);
    const model = await Model.start(() => say("Thank you."), COMPLETIONS);
    try {
      const { status, complaints } = await run(NODE, ASK, variables(model));
      assert.equal(status, 0, complaints);
      const sent = new Map(model.asked[0].tools.map(({ function: tool }) => [tool.name, tool.parameters]));
      for (const tool of TOOLS) assert.ok(sent.has(`mcp__askback__${tool}`), `${tool}: ${[...sent.keys()]}`);
      for (const tool of ASKING_TOOLS) assert.ok(sent.get(`mcp__askback__${tool}`).properties.questions.items, tool);
    } finally {
      model.end();
    }
  });
});
