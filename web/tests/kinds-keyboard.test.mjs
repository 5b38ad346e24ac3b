// Every kind, answered by keys alone: nothing is ever pointed at.

import { DESK } from "./browser.mjs";
import { hasFocus, Keys } from "./hands.mjs";
import { tell } from "./telling.mjs";
import { until } from "../../clients/typescript/live/hub.mjs";

tell("W1 every kind is answered by keys alone", {
  window: DESK,
  hand: (page) => new Keys(page),
  open: async (keys, page, message) => {
    const row = page.getByRole("link", { name: message });
    await row.waitFor();
    await until("its row has the focus", async () => {
      await keys.press("j");
      return hasFocus(row);
    });
    await keys.press("Enter");
  },
  answer: (story, keys, page) => story.keys(keys, page),
  goBack: async (keys, page) => {
    await keys.press("i");
    await page.getByRole("heading", { name: "Waiting for you", level: 1 }).waitFor();
  },
  pointing: [],
});
