// The official Python SDK, version 1, asks by stdio and by HTTP.

import { Python } from "./support/python.mjs";
import { tell } from "./support/story.mjs";

// It sends nothing when a call has taken too long.
tell(Python, 1, ["2025-11-25"], "silently");
