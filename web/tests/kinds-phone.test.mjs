// Every kind, answered with a finger on a phone.

import { PHONE } from "./browser.mjs";
import { Finger } from "./hands.mjs";
import { tell } from "./telling.mjs";

tell("W1 every kind is answered on a phone", {
  window: PHONE,
  hand: (page) => new Finger(page),
  open: (finger, page, message) => finger.press(page.getByRole("link", { name: message })),
  answer: (story, finger, page) => story.point(finger, page),
  goBack: (finger, page) => finger.press(page.getByRole("link", { name: "Back to the inbox" })),
  pointing: ["touch"],
});
