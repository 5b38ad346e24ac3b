// A hub, and a window before it that is watched for anything that a text must not do.

import assert from "node:assert/strict";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm } from "./browser.mjs";
import { checkContexts, drawn, watch } from "./hostile-check.mjs";
import { seenOnScreen, watchScreen } from "./hostile-screen.mjs";

/** How long a busy machine may take to draw very much, in milliseconds. */
const DRAWN_MS = 60_000;
/** Presses of a button before a story gives up, and how long each may take to show an effect. */
const PRESSES = 3;
const PRESS_MS = 5000;

export class Stage {
  static async set() {
    const stage = new Stage();
    stage.hub = await Hub.start();
    stage.browser = await Browser.start();
    stage.page = await stage.window();
    return stage;
  }

  /** A window of somebody, at the inbox. */
  async window({ token, prepare } = {}) {
    const { hub } = this;
    const page = await this.browser.open(hub, "/", token ? { token } : {});
    page.watched = await watch(page, (url) => url.startsWith(`${hub.origin}/`) || url.startsWith("data:image/svg+xml,"));
    await watchScreen(page);
    await prepare?.(page);
    await page.reload();
    return page;
  }

  /** Nothing has run, nothing was fetched, and nothing was hidden, not even for a moment. */
  async nothingHappened(page = this.page) {
    assert.deepEqual(await seenOnScreen(page), []);
    assert.deepEqual(await page.watched.problems(), []);
    assert.deepEqual(page.problems, []);
  }

  /** Asks with these to look at, looks at each of them, and answers by the button. */
  async lookAndAnswer(contexts) {
    const { hub, page } = this;
    const context = contexts.map(({ name, type, text }) => ({ title: name, type, text }));
    const id = await hub.ask({ room: "shop", type: "confirm", message: "Go on?", context });
    await page.goto(`${hub.origin}/r/${id}`);
    const shown = page.locator("section[aria-labelledby='look']");
    await drawn(shown);
    assert.deepEqual(await checkContexts(shown, contexts), []);
    await this.nothingHappened();
    // Looked for where they are: there may be a hundred thousand elements elsewhere. They come when all is drawn, and a press on what has
    // just come does not count.
    const yes = page.locator("form").getByRole("button", { name: "Yes" });
    await yes.waitFor();
    const accepted = page.locator(".outcome").getByText("Your answer was accepted.");
    // A busy machine draws late: then the page asks for another press, or the button has moved away under the press.
    for (let press = 1; press <= PRESSES; press += 1) {
      await calm(page);
      if (await yes.isVisible()) await yes.click({ timeout: PRESS_MS }).catch(() => undefined);
      if (await accepted.waitFor({ timeout: PRESS_MS }).then(() => true, () => false)) break;
    }
    await accepted.waitFor({ timeout: DRAWN_MS });
    assert.equal((await hub.outcome(id)).response, "yes");
  }

  async clear() {
    await this.browser?.end();
    await this.hub?.end();
  }
}
