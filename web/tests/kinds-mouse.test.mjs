// Every kind, answered with a mouse.

import { DESK } from "./browser.mjs";
import { Mouse } from "./hands.mjs";
import { tell } from "./telling.mjs";

tell("W1 every kind is answered with a mouse", {
  window: DESK,
  hand: (page) => new Mouse(page),
  open: (mouse, page, message) => mouse.press(page.getByRole("link", { name: message })),
  answer: (story, mouse, page) => story.point(mouse, page),
  goBack: (mouse, page) => mouse.press(page.getByRole("link", { name: "Back to the inbox" })),
  pointing: ["mouse"],
});
