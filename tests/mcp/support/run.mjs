// A program that is run once, in a home directory of its own, and has printed what it has to say when it ends.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export class Run {
  #child;
  #home = mkdtempSync(join(tmpdir(), "askback-run-"));
  /** Standard output, and standard error. */
  printed = "";
  complaints = "";

  /** Starts it in a project of its own, with `files` by their path in the home directory and with no variables but `env(home)`. */
  static start(command, args, { files = {}, env = () => ({}) } = {}) {
    const run = new Run();
    const home = run.#home;
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    mkdirSync(join(home, "project"), { recursive: true });
    run.#child = spawn(command, args, {
      cwd: join(home, "project"),
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH, HOME: home, ...env(home) },
    });
    run.#child.stdout.on("data", (data) => (run.printed += data));
    run.#child.stderr.on("data", (data) => (run.complaints += data));
    run.ended = new Promise((resolve) => run.#child.once("close", resolve));
    return run;
  }

  async end() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill("SIGKILL");
    await this.ended;
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
  }
}
