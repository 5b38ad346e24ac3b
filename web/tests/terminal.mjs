// A person at a terminal: the real binary in a real pty, and on the command line.

import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const BINARY = process.env.ASKBACK_BIN;

/** Somebody who runs a command that asks, and is asked there. */
export class Terminal {
  #child;
  /** All that it has shown. */
  screen = "";

  /** Runs `askback confirm`, which asks here and on the hub. */
  static confirm(hub, message) {
    const terminal = new Terminal();
    const env = { ...process.env, ASKBACK_DATA: hub.folder, TERM: "xterm-256color" };
    terminal.#child = spawn("script", ["-qfec", `'${BINARY}' confirm '${message}'`, "/dev/null"], { env });
    terminal.#child.stdout.on("data", (data) => (terminal.screen += data));
    // Whoever types after somebody else has answered types into nothing.
    terminal.#child.stdin.on("error", () => {});
    terminal.ended = new Promise((resolve) => terminal.#child.once("exit", resolve));
    return terminal;
  }

  type(keys) {
    this.#child.stdin.write(keys);
  }

  kill() {
    this.#child.kill();
  }
}

/** Answers with `askback answer`, in the name that belongs to the token. Gives what it said and how it ended. */
export async function answerByCommand(hub, id, answer, token) {
  const env = { ...process.env, ASKBACK_DATA: hub.folder, ASKBACK_TOKEN: token };
  try {
    const { stdout, stderr } = await run(BINARY, ["answer", id, answer], { env });
    return { code: 0, said: stdout + stderr };
  } catch ({ code, stdout, stderr }) {
    return { code, said: stdout + stderr };
  }
}
