// The protocol's own conformance suite, and what it is known to miss in askback.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inProject, program } from "./programs.mjs";

/** The suite needs a newer Node.js than everything else here does. */
const NODE = inProject("target/node-conformance/bin/node");
const SUITE = program("@modelcontextprotocol/conformance", "dist/index.js");

/** Runs all that a revision asks of a server. Gives the checks of each scenario: `{id, status, errorMessage}`. */
export async function conform(url, revision) {
  const folder = mkdtempSync(join(tmpdir(), "askback-conformance-"));
  try {
    const printed = await run(["server", "--url", url, "--requirements", revision, "--output-dir", folder]);
    const folders = readdirSync(folder);
    if (folders.length === 0) throw new Error(`the suite did not run: ${printed}`);
    return new Map(folders.map((name) => [scenarioOf(name), checksIn(join(folder, name, "checks.json"))]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A scenario that breaks off keeps nothing. */
function checksIn(file) {
  if (!existsSync(file)) return [{ id: "broke-off", status: "FAILURE", errorMessage: "it did not come to its end" }];
  return JSON.parse(readFileSync(file, "utf8"));
}

/** The suite calls a folder of results `server-SCENARIO-DATE`. */
const scenarioOf = (name) => name.replace(/^server-/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, "");

/** The scenarios that a revision asks of a server, be they counted or not. */
export async function scenariosOf(revision) {
  const printed = await run(["list", "--requirements", revision]);
  const [, required, others] = printed.match(/Server scenarios[^\n]*\n((?: {2}- .*\n)*)[^]*?(Run and reported[^]*)?$/);
  const named = [...required.matchAll(/- (\S+)/g), ...(others ?? "").matchAll(/- (\S+) \[server\]/g)];
  return named.map(([, name]) => name).sort();
}

/** What it prints. How it ends is no matter: it counts what does not apply as failed. */
function run(args) {
  const child = spawn(NODE, [SUITE, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += data));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve(printed));
  });
}

/** What is sent must be well formed also where it says that something is not there: no scenario is excused from this as a whole. */
const ALWAYS = "wire-schema-valid";

/**
 * Holds results against what is known not to apply: `SCENARIO` or `SCENARIO:CHECK`, each with its reason. Gives what is wrong:
 * what fails and is not listed, and what is listed and does not fail.
 */
export function compare(results, known) {
  const failing = new Map();
  for (const [scenario, checks] of results) {
    for (const { id, status, errorMessage } of checks) {
      if (status === "FAILURE" || status === "WARNING") failing.set(`${scenario}:${id}`, errorMessage);
    }
  }
  const covers = (entry, check) => entry === check || (check.startsWith(`${entry}:`) && !check.endsWith(`:${ALWAYS}`));
  const isKnown = (check) => Object.keys(known).some((entry) => covers(entry, check));
  const fails = (entry) => [...failing.keys()].some((check) => covers(entry, check));
  const unexpected = [...failing].filter(([check]) => !isKnown(check)).map(([check, message]) => `fails: ${check}: ${message}`);
  const stale = Object.keys(known).filter((entry) => !fails(entry)).map((entry) => `is listed, and does not fail: ${entry}`);
  return [...unexpected, ...stale];
}
