// The official TypeScript SDK, version 1, asks by stdio and by HTTP.

import { TypeScript } from "./support/typescript.mjs";
import { tell } from "./support/story.mjs";

tell(TypeScript, 1, ["2025-11-25"]);
