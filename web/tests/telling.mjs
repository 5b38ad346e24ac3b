// Lets one person answer every story, while a real asker waits for each.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm } from "./browser.mjs";
import { pointedWith, watchPointing } from "./hands.mjs";
import { STORIES } from "./kinds.mjs";

/** The person's name, which is in every outcome. */
const NAME = "Ada";

const WAIT_SECONDS = 30;

/** Windows that are used at once: the calm of one is the other's time. Each sees a room of its own. */
const ROOMS = ["left", "right"];

/**
 * Every story in one way: with a `hand` for the page, `open` to open a request from the inbox, `answer` to answer it and
 * `goBack` to the inbox. `pointing` is all that the page must have been pointed at with.
 */
export function tell(title, { window, hand, open, answer, goBack, pointing }) {
  describe(title, { concurrency: ROOMS.length }, () => {
    let hub, browser;
    const free = [];

    before(async () => {
      hub = await Hub.start();
      browser = await Browser.start();
      for (const room of ROOMS) {
        const { secret } = await hub.give({ role: "answerer", name: NAME, room });
        const page = await browser.open(hub, "/", { token: secret, ...window });
        await watchPointing(page);
        free.push({ room, page });
      }
    });

    after(async () => {
      await browser?.end();
      await hub?.end();
    });

    for (const story of STORIES) {
      test(story.name, async () => {
        const place = free.pop();
        try {
          await happens(story, place);
        } catch (error) {
          await place.page.goto(hub.origin);
          throw error;
        } finally {
          free.push(place);
        }
      });
    }

    async function happens(story, { room, page }) {
      const { message } = story.question;
      const { said, selections, custom, ...expected } = story.outcome;
      const id = await hub.ask({ room, ...story.question });
      const outcome = hub.outcome(id, WAIT_SECONDS);
      await open(hand(page), page, message);
      await page.getByRole("group", { name: message }).or(page.getByLabel(message)).first().waitFor();
      await calm(page);
      await answer(story, hand(page), page);
      await page.getByText(said, { exact: true }).waitFor();
      const { status, response, answeredBy, surface, answers } = await outcome;
      assert.deepEqual({ status, response, answeredBy, surface }, { ...expected, answeredBy: NAME, surface: "page" });
      if (status === "answered") {
        assert.deepEqual(answers.map((one) => [one.response, one.selections, one.custom]), [[response, selections, custom]]);
      }
      await goBack(hand(page), page);
      assert.deepEqual(await pointedWith(page), pointing);
      assert.deepEqual(page.problems, []);
    }
  });
}
