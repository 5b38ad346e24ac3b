// Breaks the built client in one way after the other. Some test must notice each, or the tests promise more than they keep.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What is broken, where, how, and by whom it must be noticed. */
const MUTANTS = [
  ["a pending beats a final", "requests.js", "index.finals.get(id) ?? index.pending.get(id)", "index.pending.get(id)", "requests"],
  ["a request stands twice", "requests.js", "&& !finals.has(item.id)", "", "requests"],
  ["requests are read anew each time", "requests.js", "(cache.index ??= build(ydoc))", "build(ydoc)", "requests"],
  ["requests are read once and for all", "requests.js", "cache.index = undefined;", "", "requests"],
  ["within a transaction one reads what was", "requests.js", "if (cache.transactions > 0)", "if (false)", "requests"],
  ["a destroyed document is read as it was", "requests.js", 'ydoc.on("destroy", () => caches.delete(ydoc));', "", "requests"],
  ["an observer does not hear at once", "requests.js", "    tell();\n", "", "requests"],
  ["an answer is sent unchecked", "proposal.js", "if (!checked.ok)", "if (false)", "answering"],
  ["what is sent is not canonical", "proposal.js", "response: answer.written", "response: String(given)", "answering"],
  ["an answer to what has ended is sent", "answering.js", "if (isFinal(request))", "if (false)", "answering"],
  ["the document is taken for proof", "waiting.js", "{ ...verdict, success: null }", "{ ...verdict, success: true }", "answering"],
  ["any surface could be ours", "waiting.js", 'final.surface !== "yjs"', "false", "answering"],
  ["the document is believed before the hub", "waiting.js", "waits.sources > 0 ||", "", "verdicts"],
  ["a judged proposal stays", "waiting.js", "    forget(ydoc, verdict.key);\n", "", "verdicts"],
  ["an earlier proposal stays beside the later one", "proposal.js", "earlier.proposal.requestId === proposal.requestId", "false", "answering"],
  ["what was replaced is waited for", "waiting.js", "if (replacedBy !== key)", "if (true)", "verdicts"],
  ["what was replaced and sent is not judged", "waiting.js", "waiting.replacedBy = key;", "end(ydoc, { key: earlier });", "verdicts"],
  ["a final close leaves everybody waiting", "verdicts.js", "closeWaits(provider.doc, code, reason);", "", "verdicts"],
  ["destroy leaves everybody waiting", "provider.js", "closeWaits(this.doc, NORMAL, reason);", "", "verdicts"],
  ["one of two connections ends the waiting", "waiting.js", "if (waits.sources > 0)", "if (false)", "verdicts"],
  ["after a final close the document is believed before the hub", "verdicts.js", "unexpect ??= expectVerdicts(provider.doc);", "", "verdicts"],
  ["what could not be judged is not sent again", "verdicts.js", "resending.add(verdict.key);", "", "verdicts"],
  ["everything is sent again at once", "backoff.js", "(0.5 + Math.random() / 2)", "0", "verdicts"],
  ["what was taken back is sent again", "proposal.js", "keys.filter((key) => proposals(from).has(key))", "keys", "verdicts"],
  ["an exception of a listener is thrown on", "verdicts.js", "catch(report)", "catch((error) => { throw error; })", "verdicts"],
  ["ready ends those who do not look", "provider.js", "this.ready.catch(() => { });", "", "verdicts"],
  ["a problem is said twice", "error.js", "!said.includes(detail)", "true", "http"],
  ["a wrong port is silent", "calls.js", "onRetry?.(tried.error, attempt + 1);", "", "http"],
  ["every proposal is forgotten with one", "proposal.js", "proposals(ydoc).delete(key)", "proposals(ydoc).clear()", "verdicts"],
  ["a transient code is final", "verdict.js", "!TRANSIENT.includes(verdict.code)", "true", "verdicts"],
  ["a room's name is not encoded", "provider.js", "encodeURIComponent(room)", "room", "verdicts"],
  ["tabs tell each other", "provider.js", "disableBc = true", "disableBc = false", "verdicts"],
  ["each try has an id of its own", "calls.js", "fetch(this.#address + path,", "fetch(this.#address + path + '&' + Math.random(),", "http"],
  ["the hub's word on when to come back is ignored", "calls.js", "tried.retryAfterMs ??", "", "http"],
  ["a refusal is tried again", "calls.js", "if (!PASSING.includes(status))", "if (false)", "http"],
  ["an aborted pause lasts", "calls.js", 'signal?.addEventListener("abort", done);', "", "http"],
  ["the id that was chosen is waited for, not the one that counts", "http.js", "waitFor(asked.id,", "waitFor(id,", "http"],
];

const dist = new URL("../dist/", import.meta.url);
const tests = new URL("../dist-test/", import.meta.url);

/** The exit status of one file of tests. */
function run(name) {
  const file = fileURLToPath(new URL(`${name}.test.js`, tests));
  return spawnSync(process.execPath, ["--test", "--test-timeout=5000", file], { timeout: 60_000 }).status;
}

// A mutant that can't be made is said before any is tried.
for (const [what, file, from] of MUTANTS) {
  const parts = readFileSync(new URL(file, dist), "utf8").split(from).length;
  if (parts !== 2) throw new Error(`${file} has not exactly one "${from.trim()}": mend the mutant "${what}"`);
}

// Without a control, tests that always fail would notice everything.
for (const name of new Set(MUTANTS.map((mutant) => mutant.at(-1)))) {
  if (run(name) !== 0) throw new Error(`${name}.test.js fails without any mutant`);
}

let survivors = 0;
for (const [what, file, from, to, name] of MUTANTS) {
  const target = new URL(file, dist);
  const whole = readFileSync(target, "utf8");
  try {
    writeFileSync(target, whole.replace(from, () => to));
    const noticed = run(name) !== 0;
    survivors += noticed ? 0 : 1;
    console.log(`${noticed ? "noticed" : "SURVIVED"}: ${what}`);
  } finally {
    writeFileSync(target, whole);
  }
}
console.log(`${MUTANTS.length - survivors} of ${MUTANTS.length} noticed`);
process.exitCode = survivors > 0 ? 1 : 0;
