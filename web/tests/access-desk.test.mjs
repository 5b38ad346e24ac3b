// axe finds nothing on any screen of a desk, in light and in dark.

import { inspect } from "./inspecting.mjs";
import { DESK } from "./browser.mjs";

inspect("a desk", DESK);
