// How the page is built: into the binary's crate, the same bytes on every machine.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** What is not needed at first. Everything else is one file: many small ones compress worse. */
const LATER =
  /\/src\/(answer\/[A-Z]|kinds\/|context\/|finding\/|hub\/audit|parts\/Origin|texts\/(audit|context|finding|kinds|more)|screens\/(RequestScreen|ShortId|History|Audit|Exporting|csv|Dismissing|LoginLink|Settings|Keys))|\/node_modules\/marked\//;
/** What every question needs besides, in one file. */
const QUESTION =
  /\/src\/(answer\/(?!Ended)[A-Z]|kinds\/(Approval|Confirm|Pair|QuestionField|caption|control|problem|registry)\.|parts\/Origin|screens\/RequestScreen|texts\/kinds)/;
const CHUNKS = [
  { name: "page", test: (id) => !LATER.test(id) },
  { name: "question", test: QUESTION },
];

/** Vite's own looks for styles to load first, and there is one style sheet. */
const importOnly = {
  name: "import-only",
  enforce: "pre",
  load: (id) => (id === "\0vite/preload-helper.js" ? "export const __vitePreload = (load) => load();" : null),
};

/** The readers in Yjs of types that the hub never writes, and the methods of a document that make them. */
const READERS = /^const (readYText|readYXml\w+) = \w+ =>\s+new \w+\(.*\);?$/gm;
const MAKERS = /return this\.get\(name, (?:YText|YXmlFragment)\)/g;

/** A room's document has arrays and maps alone, and Yjs's rich text and XML are a tenth of what the page loads. */
const withoutRichText = {
  name: "without-rich-text",
  transform(code, id) {
    if (!id.endsWith("/yjs/dist/yjs.mjs")) return null;
    const found = [READERS, MAKERS].map((pattern) => code.match(pattern)?.length ?? 0);
    if (found.join() !== "5,2") throw new Error(`Yjs has changed: ${found} readers and makers of rich text, not 5 and 2`);
    const refused = 'throw new Error("this page reads no rich text")';
    return code.replace(READERS, `const $1 = () => { ${refused}; };`).replace(MAKERS, refused);
  },
};

export default defineConfig({
  plugins: [importOnly, withoutRichText],
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
