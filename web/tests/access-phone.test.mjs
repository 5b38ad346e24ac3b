// axe finds nothing on any screen of a phone, in light and in dark.

import { inspect } from "./inspecting.mjs";
import { PHONE } from "./browser.mjs";

inspect("a phone", PHONE);
