// A unified diff as rows: which lines were added and removed, by the counts of each hunk, and where a file begins.

import { LONGEST_FILE_NAME } from "./limits";
import { endOfPart, type Row, type RowFile } from "./rows";
import { Step } from "./work";

export interface Diff {
  /** One for each line. */
  rows: Row[];
  files: RowFile[];
  added: number;
  removed: number;
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/;
const HEADER =
  /^(?:diff |index |--- |\+\+\+ |(?:old|new|deleted file|new file) mode |(?:dis)?similarity index |rename |copy |Binary files |GIT binary patch)/;

/** What is left of a hunk, and the numbers of its next lines. */
interface Hunk {
  leftBefore: number;
  left: number;
  lineBefore: number;
  line: number;
}

/** Reads the lines of a diff in steps. */
export function* readDiff(lines: readonly string[]): Generator<undefined, Diff> {
  const step = new Step();
  const diff: Diff = { rows: [], files: [], added: 0, removed: 0 };
  let hunk: Hunk | undefined;
  let file: RowFile | undefined;
  // Git names a file in a line of its own, and the two names after it begin no other.
  let isNamedByGit = false;

  for (const [index, line] of lines.entries()) {
    if (step.endsWith(line)) yield;
    // Within a hunk a line is what its sign says, even if it looks like the name of a file.
    let row = hunk && rowInside(line, hunk);
    if (!row) {
      row = rowOutside(line);
      hunk = hunkOf(line);
      const isGit = line.startsWith("diff --git ");
      const isPair = line.startsWith("--- ") && (lines[index + 1]?.startsWith("+++ ") ?? false);
      if (isGit || (isPair && !isNamedByGit)) {
        file = { name: isGit ? nameByGit(line) : "", added: 0, removed: 0 };
        diff.files.push(file);
        row.file = file;
      }
      if (file && isPair) file.name = nameOf(line, lines[index + 1] ?? "") || file.name;
      if (isGit) isNamedByGit = true;
      else if (hunk) isNamedByGit = false;
    }
    if (row.kind === "added" || row.kind === "removed") {
      diff[row.kind] += 1;
      if (file) file[row.kind] += 1;
    }
    diff.rows.push(row);
  }
  return diff;
}

function hunkOf(line: string): Hunk | undefined {
  const found = HUNK.exec(line);
  if (!found) return undefined;
  const [, lineBefore, leftBefore = "1", after, left = "1"] = found;
  return { leftBefore: Number(leftBefore), left: Number(left), lineBefore: Number(lineBefore), line: Number(after) };
}

/** The row of a line that belongs to the hunk, and the hunk without it; nothing if the hunk is over. */
function rowInside(text: string, hunk: Hunk): Row | undefined {
  const sign = text.charAt(0);
  if (sign === "\\") return { text, kind: "header", goesOn: false };
  if (sign === "+" && hunk.left > 0) {
    hunk.left -= 1;
    return { text, kind: "added", line: hunk.line++, goesOn: false };
  }
  if (sign === "-" && hunk.leftBefore > 0) {
    hunk.leftBefore -= 1;
    return { text, kind: "removed", lineBefore: hunk.lineBefore++, goesOn: false };
  }
  // Some programs take the blank off an empty line.
  if ((sign === " " || sign === "") && hunk.left > 0 && hunk.leftBefore > 0) {
    hunk.left -= 1;
    hunk.leftBefore -= 1;
    return { text, kind: "plain", line: hunk.line++, lineBefore: hunk.lineBefore++, goesOn: false };
  }
  return undefined;
}

/** A line that no hunk counts. It still looks like what its sign says: a wrong count hides no change. */
function rowOutside(text: string): Row {
  if (HEADER.test(text)) return { text, kind: "header", goesOn: false };
  if (text.startsWith("@@")) return { text, kind: "hunk", goesOn: false };
  if (text.startsWith("+")) return { text, kind: "added", goesOn: false };
  if (text.startsWith("-")) return { text, kind: "removed", goesOn: false };
  return { text, kind: "plain", goesOn: false };
}

/** The name after the change in the line by which Git begins a file. */
function nameByGit(line: string): string {
  const at = line.indexOf(" b/");
  return at < 0 ? "" : bounded(line.slice(at + " b/".length));
}

/** The name after the change, or before it if the file is gone, without what only a diff writes. */
function nameOf(before: string, after: string): string {
  const [nameBefore, nameAfter] = [before, after].map((line) => line.slice("--- ".length).split("\t", 1)[0]);
  const name = nameAfter === "/dev/null" ? nameBefore : nameAfter;
  return bounded((name ?? "").replace(/^[ab]\//, ""));
}

function bounded(name: string): string {
  return name.length > LONGEST_FILE_NAME ? `${name.slice(0, endOfPart(name, LONGEST_FILE_NAME))}…` : name;
}
