// What the page costs, in a real browser before a real hub: prints JSON. `cargo xtask bench page` runs it; with --quick it does just
// enough to see that it works, and the numbers mean little.

import http from "node:http";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser, DESK, loginLink } from "../tests/browser.mjs";
import { usualParts } from "./usual.mjs";

const isQuick = process.argv.includes("--quick");
const ROUNDS = isQuick ? 3 : 40;
const PENDING = isQuick ? 60 : 500;
const NS = 1e6;

const question = { room: "shop", from: "claude-code", type: "confirm", message: "Deploy version 2.4?" };

const hub = await Hub.start();
const browser = await Browser.start();
try {
  const results = [...(await sizes()), ...(await navigation()), await arrival(), ...(await crowd())];
  console.log(JSON.stringify(results));
} finally {
  await browser.end();
  await hub.end();
}

/** Scripts that a first visit loads, as they come over the wire. */
async function sizes() {
  const id = await hub.ask(question);
  const context = [{ type: "markdown", text: "It is **slow**." }, { type: "diff", text: "-old\n+new" }];
  const whole = await hub.ask({ ...question, context });
  const usual = await usualParts();
  const peers = (bytes) => [{ name: "the usual parts alone: React, Yjs, y-websocket, marked, DOMPurify", bytes: usual, ratio: bytes / usual }];
  const size = async (name, path, until, headline) => {
    const bytes = await scripts(path, until);
    return { name, headline, bytes, peers: peers(bytes) };
  };
  return [
    await size("scripts that the inbox loads first, compressed", "/", "link", true),
    await size("scripts that a link to a question loads, compressed", `/r/${id}`, "button", true),
    await size("scripts that a link to a question with Markdown and a diff loads, compressed", `/r/${whole}`, "button", false),
  ];
}

async function scripts(path, role) {
  const page = await browser.open(hub, "/settings");
  const seen = new Set();
  const shown = page.getByRole(role, { name: role === "link" ? /Deploy version/ : "Yes" });
  page.on("request", (request) => request.resourceType() === "script" && seen.add(new URL(request.url()).pathname));
  await page.goto(hub.origin + path);
  await shown.first().waitFor();
  const needed = [...seen];
  await page.context().close();
  const lengths = await Promise.all(needed.map(wireLength));
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** The bytes of a file as they are sent to a browser. */
function wireLength(path) {
  return new Promise((resolve, reject) => {
    http.get(hub.origin + path, { headers: { "accept-encoding": "gzip" } }, (response) => {
      let length = 0;
      response.on("data", (data) => (length += data.length));
      response.on("end", () => resolve(length));
      response.on("error", reject);
    });
  });
}

/** From going to an address until the question can be answered. */
async function navigation() {
  const id = await hub.ask(question);
  const page = await browser.open(hub, "/settings");
  await page.addInitScript(noteFirst, "Deploy version 2.4?");
  const visit = async (path) => {
    await page.goto(hub.origin + path);
    return page.waitForFunction(() => window.firstSeen).then((handle) => handle.jsonValue());
  };
  await page.goto(await loginLink(hub, hub.person, { plain: true }));
  await page.getByRole("button", { name: "Log in" }).click();
  await page.waitForURL(/\/plain\/[^/]{22}\/$/);
  const home = new URL(page.url()).pathname;
  const [ours, plain] = [[], []];
  for (let round = 0; round < ROUNDS + 2; round += 1) {
    const [live, bare] = [await visit(`/r/${id}`), await visit(home + id)];
    // The first ones fill the browser's cache.
    if (round >= 2) ours.push(live), plain.push(bare);
  }
  // A new window with the same login, and with nothing in its cache.
  const storageState = await page.context().storageState({ indexedDB: true });
  await page.context().close();
  const cold = [];
  for (let round = 0; round < Math.ceil(ROUNDS / 4); round += 1) {
    const fresh = await browser.window(hub, { storageState });
    // The window itself has been opened before.
    await fresh.goto(`${hub.origin}/plain`);
    await fresh.addInitScript(noteFirst, "Deploy version 2.4?");
    await fresh.goto(`${hub.origin}/r/${id}`);
    cold.push(await fresh.waitForFunction(() => window.firstSeen).then((handle) => handle.jsonValue()));
    await fresh.context().close();
  }
  const peers = [compared("the page without scripts", ours, plain)];
  return [
    { name: "from following a link to a question until it is on the screen", headline: true, ...times(ours), peers },
    { name: "the same in a browser that was never here", headline: false, ...times(cold), peers: [] },
  ];
}

/** In the page: when its text first stood on the screen, in milliseconds since it was gone to. */
function noteFirst(text) {
  const look = () => {
    if (!document.body?.innerText.includes(text)) return requestAnimationFrame(look);
    // Once it is painted.
    requestAnimationFrame(() => (window.firstSeen = performance.now()));
  };
  requestAnimationFrame(look);
}

/** From asking over HTTP until it is on the screen of an open page. */
async function arrival() {
  const page = await browser.open(hub, "/");
  await page.getByRole("link", { name: /Deploy/ }).first().waitFor();
  const bare = hub.join("@inbox");
  const [ours, theirs] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const message = `Question number ${round} of this run?`;
    const seen = page.evaluate(waitForText, message);
    const heard = hears(bare.doc, message);
    // At another moment of a frame each time, so that a frame that is just missed does not decide the median.
    await page.waitForTimeout(60 + ((round * 7) % 17));
    const asked = performance.timeOrigin + performance.now();
    await hub.ask({ ...question, message });
    ours.push((await seen) - asked);
    theirs.push((await heard) - asked);
  }
  bare.leave();
  await page.context().close();
  const peers = [compared("a bare Yjs client in Node.js that hears of it", ours, theirs)];
  return { name: "from asking over HTTP until it is on the screen of an open page", headline: true, ...times(ours), peers };
}

/** In the page: when a text is on the screen, by the system's clock. */
function waitForText(text) {
  return new Promise((resolve) => {
    const look = () => {
      if (!document.body.innerText.includes(text)) return requestAnimationFrame(look);
      requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now()));
    };
    look();
  });
}

function hears(doc, message) {
  const requests = doc.getArray("inputRequests");
  return new Promise((resolve) => {
    const look = () => {
      if (!requests.toArray().some((request) => request.message === message)) return;
      requests.unobserve(look);
      resolve(performance.timeOrigin + performance.now());
    };
    requests.observe(look);
  });
}

/** The longest that the page keeps the browser from anything else, with many questions in it. */
async function crowd() {
  await hub.askMany("crowd", PENDING);
  const page = await browser.open(hub, "/settings", DESK);
  const loading = [];
  const coming = [];
  for (let round = 0; round < Math.ceil(ROUNDS / 8); round += 1) {
    loading.push(
      await browser.longestTask(page, async () => {
        await page.goto(hub.origin);
        await page.waitForFunction((count) => document.querySelectorAll("[data-row]").length >= count, Math.min(PENDING, 500));
      }),
    );
    coming.push(await browser.longestTask(page, () => hub.askMany("crowd", 20).then(() => page.waitForTimeout(300))));
  }
  await page.context().close();
  return [
    { name: `the longest task of the page while it opens with ${PENDING} questions`, headline: true, ...times(loading), peers: [] },
    { name: `the longest task of the page while 20 more come to ${PENDING}`, headline: false, ...times(coming), peers: [] },
  ];
}

function times(samplesMs) {
  const sorted = [...samplesMs].sort((left, right) => left - right);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] * NS;
  return { median_ns: at(0.5), p95_ns: at(0.95), p99_ns: at(0.99), samples: sorted.length };
}

function compared(name, ours, theirs) {
  const { median_ns, p95_ns } = times(theirs);
  return { name, median_ns, p95_ns, ratio: times(ours).median_ns / median_ns };
}
