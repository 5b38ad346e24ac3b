// Qwen Code itself, with a model on this machine and without anybody's account.

import { existsSync } from "node:fs";
import { inProject } from "./programs.mjs";

/** The Node.js that runs it, and its program. */
export const NODE = inProject("target/node-conformance/bin/node");
export const QWEN = inProject("target/qwen/node_modules/@qwen-code/qwen-code/cli.js");
for (const file of [NODE, QWEN]) if (!existsSync(file)) throw new Error(`${file} is not there: run \`cargo xtask needs\``);

/** Its arguments and variables for a model on this machine. */
export const ASK = [QWEN, "--auth-type", "openai", "--prompt", "Ask."];
export const variables = (model) => ({ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: "none", OPENAI_MODEL: "story" });
