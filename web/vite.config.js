// How the page is built: into the binary's crate, the same bytes on every machine.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What is not needed at first. Everything else is one file: many small ones compress worse. */
const LATER = /\/src\/(answer\/(?!Ended|Response)[A-Z]|kinds\/|context\/|texts\/(context|kinds|more)|screens\/(RequestScreen|History|LoginLink|Settings|Keys))|\/node_modules\/marked\//;
const CHUNKS = [{ name: "page", test: (id) => !LATER.test(id) }];

/** Vite's own looks for styles to load first, and there is one style sheet. */
const importOnly = {
  name: "import-only",
  enforce: "pre",
  load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null),
};

export default defineConfig({
  plugins: [importOnly],
  root: here("."),
  base: "/",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  resolve: {
    alias: [
      { find: "@askback/client/provider", replacement: here("../clients/typescript/src/provider.ts") },
      { find: "@askback/client", replacement: here("../clients/typescript/src/index.ts") },
      { find: "lib0/broadcastchannel", replacement: here("src/hub/yjs-tabs.ts") },
      { find: "lib0/logging", replacement: here("src/hub/yjs-logging.ts") },
    ],
    // The client's sources would find a second Yjs in their own folder, and two of them don't know each other.
    dedupe: ["yjs", "y-websocket", "y-protocols", "lib0"],
  },
  build: {
    outDir: process.env.ASKBACK_PAGE ?? here("../crates/askback-server/assets/page"),
    emptyOutDir: true,
    target: "es2022",
    // Every file comes from the hub itself: there is nothing to gain by looking ahead.
    modulePreload: false,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    // Sizes are measured by the bench.
    reportCompressedSize: false,
  },
});
