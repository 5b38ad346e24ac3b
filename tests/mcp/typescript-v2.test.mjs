// The official TypeScript SDK, version 2, asks by stdio and by HTTP.

import { TypeScript } from "./support/typescript.mjs";
import { tell } from "./support/story.mjs";

tell(TypeScript, 2, ["2025-11-25", "2026-07-28"]);
