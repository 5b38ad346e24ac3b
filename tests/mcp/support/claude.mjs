// Claude Code itself, with a model on this machine and without anybody's account.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program } from "./programs.mjs";

/** `npm ci --ignore-scripts` leaves the program where its package for this kind of machine has it. */
export const CLAUDE = program(`@anthropic-ai/claude-code-${process.platform}-${process.arch}`, "claude");

/** As an editor runs it. */
const HOSTED = ["--print", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json", "--permission-prompt-tool", "stdio"];

export class Claude {
  #child;
  #folder = mkdtempSync(join(tmpdir(), "askback-claude-"));
  /** What it has printed, and what it has complained about. */
  printed = "";
  complaints = "";

  /**
   * Starts it with something to do: `servers` as in `.mcp.json`, the `tools` that it may call without asking, `settings` as in
   * `settings.json`, more for its environment in `env` and more for its command line in `args`. With a `host` it runs as in an
   * editor, which it asks whenever it would ask in its own terminal.
   */
  static start(model, { servers = {}, tools = [], settings = {}, env = {}, args: more = [], host = null }) {
    const claude = new Claude();
    const own = claude.#folder;
    mkdirSync(join(own, "config"));
    mkdirSync(join(own, "project"));
    const file = (name, json) => {
      writeFileSync(join(own, name), JSON.stringify(json));
      return join(own, name);
    };
    const args = host ? [...HOSTED, ...more] : ["--print", "Ask.", "--output-format", "text", ...more];
    args.push("--strict-mcp-config", "--mcp-config", file("servers.json", { mcpServers: servers }));
    args.push("--settings", file("settings.json", settings));
    if (tools.length > 0) args.push("--allowedTools", tools.join(","));
    claude.#child = spawn(CLAUDE, args, {
      cwd: join(own, "project"),
      stdio: [host ? "pipe" : "ignore", "pipe", "pipe"],
      // Nothing of ours: it would find accounts, settings and servers there.
      env: {
        PATH: process.env.PATH,
        HOME: own,
        CLAUDE_CONFIG_DIR: join(own, "config"),
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        ...env,
      },
    });
    claude.#child.stdout.on("data", (data) => (claude.printed += data));
    claude.#child.stderr.on("data", (data) => (claude.complaints += data));
    claude.ended = new Promise((resolve) => claude.#child.once("close", resolve));
    host?.attend(claude.#child);
    return claude;
  }

  /** The folder that it works in. */
  get project() {
    return join(this.#folder, "project");
  }

  get isRunning() {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Ends it as a system does that runs out of memory: it can tell nobody. */
  kill() {
    this.#child.kill("SIGKILL");
  }

  async end() {
    if (this.isRunning) this.kill();
    await this.ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
