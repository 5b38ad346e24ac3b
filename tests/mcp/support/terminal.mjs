// Claude Code in a terminal, as people use it: in a tmux of its own, with a model on this machine.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../../clients/typescript/live/hub.mjs";
import { CLAUDE } from "./claude.mjs";
import { PATIENCE_MS } from "./hook.mjs";

/** What it asks when it is started for the first time, answered. */
const ONBOARDED = { hasCompletedOnboarding: true, theme: "dark", customApiKeyResponses: { approved: ["none"], rejected: [] } };

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

export class Terminal {
  #folder = realpathSync(mkdtempSync(join(tmpdir(), "askback-terminal-")));
  #pid;

  /** Starts it with something to do, `settings` as in `settings.json`, and more for its environment in `env`. */
  static start(model, { settings, env }) {
    const terminal = new Terminal();
    const own = terminal.#folder;
    mkdirSync(join(own, "config"));
    mkdirSync(terminal.project);
    const projects = { [terminal.project]: { hasTrustDialogAccepted: true } };
    writeFileSync(join(own, "config", ".claude.json"), JSON.stringify({ ...ONBOARDED, projects }));
    writeFileSync(join(own, "settings.json"), JSON.stringify(settings));
    const variables = {
      PATH: process.env.PATH,
      TERM: "xterm-256color",
      LANG: "C.UTF-8",
      HOME: own,
      CLAUDE_CONFIG_DIR: join(own, "config"),
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      ...env,
    };
    const settled = Object.entries(variables).map(([name, value]) => `${name}=${quoted(value)}`);
    // Otherwise it decides about permissions by itself.
    const args = ["--permission-mode", "default", "--strict-mcp-config", "--settings", join(own, "settings.json"), "Ask."];
    const command = ["exec env -i", ...settled, quoted(CLAUDE), ...args.map(quoted)].join(" ");
    terminal.#tmux("-f", "/dev/null", "new-session", "-d", "-x", "110", "-y", "45", "-c", terminal.project, command);
    terminal.#pid = Number(terminal.#tmux("list-panes", "-F", "#{pane_pid}"));
    return terminal;
  }

  #tmux(...args) {
    return execFileSync("tmux", ["-u", "-S", join(this.#folder, "tmux"), ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  }

  /** The folder that it works in. */
  get project() {
    return join(this.#folder, "project");
  }

  get screen() {
    return this.#tmux("capture-pane", "-p");
  }

  /** Waits until this is on the screen. */
  async shows(text) {
    let screen = "";
    try {
      await until(`“${text}” is on the screen`, () => (screen = this.screen).includes(text), PATIENCE_MS);
    } catch (error) {
      throw new Error(`${error.message}\n${screen}`);
    }
  }

  press(...keys) {
    this.#tmux("send-keys", ...keys);
  }

  async end() {
    if (isAlive(this.#pid)) process.kill(this.#pid, "SIGKILL");
    // It writes into its folder until it is gone; tmux ends with its only window.
    await until("it has ended", () => !isAlive(this.#pid));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
