// The official Python SDK, version 2, asks by stdio and by HTTP.

import { Python } from "./support/python.mjs";
import { tell } from "./support/story.mjs";

tell(Python, 2, ["2025-11-25", "2026-07-28"]);
