// Where the programs are that the stories run.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The hub, its shim and all commands. */
export const ASKBACK = process.env.ASKBACK_BIN;
if (!ASKBACK) throw new Error("ASKBACK_BIN is to name the binary");

/** A file of the project, by its path from the root. */
export const inProject = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** A file of an installed package. */
export function program(name, path) {
  const file = inProject(`tests/mcp/node_modules/${name}/${path}`);
  if (!existsSync(file)) throw new Error(`${name} is not there: run \`cargo xtask needs\``);
  return file;
}
