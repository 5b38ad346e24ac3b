// A tab that nobody looks at, and what it tells through the system.

/** From its next load on, the page is in the background, until it is brought to the front. */
export async function hideTab(page) {
  await page.addInitScript(() => {
    let state = "hidden";
    Object.defineProperty(document, "visibilityState", { get: () => state });
    Object.defineProperty(document, "hidden", { get: () => state === "hidden" });
    globalThis.bringToFront = () => {
      state = "visible";
      document.dispatchEvent(new Event("visibilitychange"));
    };
  });
}

/** From its next load on, what the page would tell through the system is written down; somebody has allowed it. */
export async function recordNotifications(page) {
  await page.addInitScript(() => {
    const told = [];
    globalThis.toldNotifications = told;
    globalThis.Notification = class {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title, options) {
        Object.assign(this, { title, ...options });
        told.push(this);
      }
      close() {
        this.isClosed = true;
      }
    };
  });
}

/** From its next load on, somebody wants to be told. */
export async function wantNotifications(page) {
  await page.addInitScript(() => localStorage.setItem("askback.notifications", "on"));
}

/** All that it has told, in order. */
export function notifications(page) {
  return page.evaluate(() => globalThis.toldNotifications.map(({ title, body, tag, icon, isClosed = false }) => ({ title, body, tag, icon, isClosed })));
}

/** Somebody presses one of them. */
export function pressNotification(page, index) {
  return page.evaluate((index) => globalThis.toldNotifications[index].onclick(), index);
}
