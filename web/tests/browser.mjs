// A real browser before a real hub, as a person has it.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Longer than anything takes that does not hang. */
const PATIENCE_MS = 15_000;

/** A window on a desk, and a phone. */
export const DESK = { viewport: { width: 1280, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export class Browser {
  #chromium;

  static async start() {
    const browser = new Browser();
    browser.#chromium = await chromium.launch({ executablePath: find("chromium"), args: FLAGS });
    return browser;
  }

  /** A window of somebody who is logged in, at an address of the hub. What goes wrong in it is in `page.problems`. */
  async open(hub, path = "/", { token = hub.person, ...options } = {}) {
    const page = await this.follow(await loginLink(hub, token), hub, options);
    if (path !== "/") await page.goto(hub.origin + path);
    return page;
  }

  /** A window of a person who opens a login link and logs in. */
  async follow(link, hub, options = {}) {
    const page = await this.window(hub, options);
    await page.goto(link);
    await logIn(page, hub);
    return page;
  }

  /** A window of nobody. */
  async window(hub, options = {}) {
    const context = await this.#chromium.newContext({ ...DESK, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return watch(await context.newPage(), hub);
  }

  /** Another tab of the same window. */
  async tab(page, hub, path = "/") {
    const tab = watch(await page.context().newPage(), hub);
    await tab.goto(hub.origin + path);
    return tab;
  }

  /** The longest task of a page's main thread while something is done, in milliseconds. */
  async longestTask(page, work) {
    const tasks = await this.#tasks(page, work);
    return Math.max(0, ...tasks.map(({ dur = 0 }) => dur / 1000));
  }

  /** The same in time of the processor, which a machine that is busy with something else does not make longer. */
  async longestWork(page, work) {
    const tasks = await this.#tasks(page, work);
    return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
  }

  /** The tasks of a page's main thread while something is done, except those in which it answers to the test. */
  async #tasks(page, work) {
    await this.#chromium.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
    // Also if the work fails: while one trace is recorded there can be no other.
    const trace = await work().then(
      () => this.#chromium.stopTracing(),
      (error) => this.#chromium.stopTracing().then(() => Promise.reject(error)),
    );
    const { traceEvents } = JSON.parse(trace.toString());
    const names = traceEvents.filter(({ name }) => name === "thread_name");
    const main = names.filter(({ args }) => args.name === "CrRendererMain").map(({ pid, tid }) => `${pid} ${tid}`);
    const events = traceEvents.filter(({ pid, tid }) => main.includes(`${pid} ${tid}`));
    const own = events.filter(({ args }) => args.chrome_mojo_event_info?.mojo_interface_tag === "blink.mojom.DevToolsSession");
    const isOwn = ({ ts, dur = 0 }) => own.some((event) => event.ts >= ts && event.ts <= ts + dur);
    return events.filter((event) => /RunTask$/.test(event.name) && !isOwn(event));
  }

  async end() {
    await this.#chromium.close();
  }
}

/** A link that logs a browser in as the holder of a token. */
export async function loginLink(hub, token = hub.person, body = {}) {
  const { json } = await hub.call("POST", "/api/v1/login-links", { token, body });
  return json.url;
}

/** Has an admin revoke all sessions of a person. */
export async function endSessions(hub, name) {
  const { json } = await hub.call("GET", "/api/v1/tokens");
  const sessions = json.items.filter((token) => token.name === name && /session$/.test(token.purpose));
  for (const { number } of sessions) await hub.call("DELETE", `/api/v1/tokens/${number}`);
  return sessions.length;
}

/** Logs in on a page that a login link has opened. */
export async function logIn(page, hub, path = "/") {
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(hub.origin + path);
}

/** A program of the system's. */
function find(program) {
  const paths = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, program));
  const found = paths.find((path) => existsSync(path));
  if (!found) throw new Error(`${program} is not installed: on Debian, \`apt-get install ${program}\``);
  return found;
}

/** Notes whatever a page must not do: errors, complaints of the browser, and anything fetched from elsewhere. */
function watch(page, hub) {
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // A hub that is away is said by the browser, too, and is no fault of the page.
    const isAway = /net::ERR_|WebSocket connection to|WebSocket is already in CLOSING|Failed to load resource/.test(message.text());
    if (message.type() === "error" && !isAway) page.problems.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    const isOurs = request.url().startsWith(`${hub.origin}/`) || /^(data|blob):/.test(request.url());
    if (!isOurs) page.problems.push(`fetched: ${request.url()}`);
  });
  return page;
}

/** Nothing is decided in the first moments of a screen, which on a busy machine begin when it is drawn at last. */
export async function calm(page) {
  const isDrawn = page.evaluate(() => new Promise((drawn) => {
    requestAnimationFrame(() => setTimeout(drawn));
    // A window that is not seen draws nothing.
    setTimeout(drawn, 1000);
  }));
  // A page that goes on to another has nothing left to draw.
  await isDrawn.catch(() => {});
  await page.waitForTimeout(450);
}
