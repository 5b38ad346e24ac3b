// Holds every screen against axe and against what axe does not look at, on one kind of device.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { violations } from "./axe.mjs";
import { Browser } from "./browser.mjs";
import { visit } from "./screens.mjs";

/** Every screen that there is, so that none is left out when something changes on the way. */
const SCREENS = 41;

/** Only colours differ in the dark. */
const COLOURS = ["color-contrast", "link-in-text-block"];

export function inspect(device, options) {
  let hub;
  let browser;

  before(async () => {
    hub = await Hub.configured('[server]\nattended_for = "10s"\n');
    browser = await Browser.start();
  });

  after(async () => {
    await browser?.end();
    await hub?.end();
  });

  test(`WCAG 2.2 AA axe finds nothing on any screen of ${device}, in light and in dark`, async () => {
    const found = [];
    const seen = new Set();
    const problems = await visit(browser, hub, { ...options, colorScheme: "light", reducedMotion: "reduce" }, async (name, page) => {
      seen.add(name);
      found.push(...(await violations(page)).map((what) => `${name}: ${what}`));
      await page.emulateMedia({ colorScheme: "dark" });
      found.push(...(await violations(page, COLOURS)).map((what) => `${name}, dark: ${what}`));
      await page.emulateMedia({ colorScheme: "light" });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 0) found.push(`${name}: ${wide} pixels too wide`);
    });
    assert.equal(found.join("\n"), "");
    assert.equal(seen.size, SCREENS, [...seen].join(", "));
    assert.deepEqual(problems, []);
  });
}
