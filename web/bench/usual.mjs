// What others would load before a line of their own: the parts that pages like ours are usually made of, bundled as ours is.

import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const PEERS = fileURLToPath(new URL("../../bench/peers/node/", import.meta.url));

/** Their size in bytes, compressed. */
export async function usualParts() {
  const input = `${PEERS}usual_parts.mjs`;
  const { output } = await build({
    root: PEERS,
    configFile: false,
    logLevel: "silent",
    define: { "process.env.NODE_ENV": '"production"' },
    build: { write: false, target: "es2022", modulePreload: false, rolldownOptions: { input, output: { format: "es" } } },
  });
  const scripts = output.filter((chunk) => chunk.type === "chunk");
  return scripts.reduce((sum, { code }) => sum + gzipSync(code, { level: 9 }).length, 0);
}
