// How a person acts on the page: with a mouse, with a finger on a phone, or with nothing but the keys.

import assert from "node:assert/strict";

/** Tabs until something is reached; more than any screen has. */
const MOST_TABS = 40;

/** Points and clicks; what is written needs keys all the same. */
export class Mouse {
  constructor(page) {
    this.page = page;
  }

  press(locator) {
    return locator.click();
  }

  async write(field, text) {
    await this.press(field);
    await this.page.keyboard.type(text);
  }

  /** Segment by segment, as the field itself asks for it. The picker that it opens is no part of the page. */
  async writeDate(field, day) {
    await field.click({ position: { x: 18, y: 18 } });
    await this.page.keyboard.type(inSegments(day));
  }
}

/** Taps; what is written comes in one piece, as from the keyboard on a screen, without keys going up and down. */
export class Finger {
  constructor(page) {
    this.page = page;
  }

  press(locator) {
    return locator.tap();
  }

  async write(field, text) {
    await this.press(field);
    await this.page.keyboard.insertText(text);
  }

  /** What the phone's own picker gives, which is no part of the page. */
  async writeDate(field, day) {
    await field.fill(day);
  }
}

/** Nothing but keys, from wherever the page has put the focus. */
export class Keys {
  constructor(page) {
    this.page = page;
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  write(text) {
    return this.page.keyboard.type(text);
  }

  writeDate(day) {
    return this.write(inSegments(day));
  }

  /** Goes there by Tab. */
  async to(locator) {
    for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
      if (await hasFocus(locator)) return;
      await this.press("Tab");
    }
    assert.fail(`${locator} is not reached by Tab`);
  }
}

export function hasFocus(locator) {
  return locator.evaluate((element) => element === document.activeElement);
}

/** Month, day and year, as an American field has them. */
export function inSegments(day) {
  const [year, month, date] = day.split("-");
  return month + date + year;
}

/** From now on the page notes with what it is pointed at. */
export async function watchPointing(page) {
  await page.addInitScript(() => {
    window.pointedWith = [];
    for (const type of ["pointerdown", "pointermove", "mousedown", "mousemove", "touchstart", "wheel"]) {
      window.addEventListener(type, (event) => window.pointedWith.push(event.pointerType ?? type), { capture: true });
    }
  });
  await page.reload();
}

/** With what it was pointed at since it was loaded: "mouse", "touch", or nothing. */
export async function pointedWith(page) {
  const all = await page.evaluate(() => window.pointedWith);
  return [...new Set(all)].filter((what) => !/^(mouse|touch)./.test(what)).sort();
}
