// Codex itself: its app server, which is asked to call tools as its own screen would ask, without anybody's account.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { program } from "./programs.mjs";
import { Run } from "./run.mjs";

const MACHINE = process.arch === "arm64" ? "aarch64" : "x86_64";
/** `npm ci --ignore-scripts` leaves the program where its package for this kind of machine has it. */
export const CODEX = program(`@openai/codex-linux-${process.arch}`, `vendor/${MACHINE}-unknown-linux-musl/bin/codex`);

const settings = (url) => `
model = "story"
model_provider = "story"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.story]
name = "story"
base_url = "${url}/v1"
wire_api = "responses"
supports_websockets = false
`;

/** A model nobody has: none is needed to call a tool, and Codex looks for its own one elsewhere otherwise. */
const NO_MODEL = settings("http://127.0.0.1:9");

/** Runs `codex exec` with a model on this machine and the servers of its configuration, as TOML. */
export function codexExec(model, servers) {
  return Run.start(CODEX, ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "Ask."], {
    files: { "config.toml": `${settings(model.url)}\n${servers}` },
    env: (home) => ({ CODEX_HOME: home }),
  });
}

export class Codex {
  #child;
  #home = mkdtempSync(join(tmpdir(), "askback-codex-"));
  #calls = new Map();
  #next = 1;
  #thread;
  /** The dialogs that it was to show, as it was told of them. */
  dialogs = [];
  log = "";

  /** Starts it with the servers of its configuration, as TOML, and more for its environment. It answers dialogs by `answer(params)`. */
  static async start(servers, { answer = () => ({ action: "cancel" }), env: more = {} } = {}) {
    const codex = new Codex();
    const home = codex.#home;
    writeFileSync(join(home, "config.toml"), `${NO_MODEL}\n${servers}`);
    mkdirSync(join(home, "project"));
    const env = { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, ...more };
    codex.#child = spawn(CODEX, ["app-server"], { cwd: home, env });
    codex.#child.stderr.on("data", (data) => (codex.log += data));
    codex.ended = new Promise((resolve) => codex.#child.once("close", resolve));
    createInterface(codex.#child.stdout).on("line", (line) => codex.#hear(JSON.parse(line), answer));
    await codex.#ask("initialize", { clientInfo: { name: "story", version: "1" }, capabilities: { experimentalApi: true } });
    codex.#send({ method: "initialized" });
    codex.#thread = (await codex.#ask("thread/start", { cwd: join(home, "project") })).thread.id;
    return codex;
  }

  /** Calls a tool. Fails with Codex's own words. */
  call(server, tool, input) {
    return this.#ask("mcpServer/tool/call", { threadId: this.#thread, server, tool, arguments: input });
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #ask(method, params) {
    const id = this.#next++;
    this.#send({ id, method, params });
    return new Promise((resolve, reject) => this.#calls.set(id, { resolve, reject }));
  }

  #hear(message, answer) {
    if (message.method === undefined) {
      const call = this.#calls.get(message.id);
      this.#calls.delete(message.id);
      if (message.error) call?.reject(new Error(message.error.message));
      else call?.resolve(message.result);
    } else if (message.id !== undefined) {
      this.dialogs.push(message.params);
      this.#send({ id: message.id, result: answer(message.params) });
    }
  }

  async end() {
    // It ends by itself when nobody speaks to it any more, and takes its servers with it.
    this.#child.stdin.end();
    const late = setTimeout(() => this.#child.kill("SIGKILL"), 3000);
    await this.ended;
    clearTimeout(late);
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
  }
}
