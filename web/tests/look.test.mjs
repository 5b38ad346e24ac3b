// How the page looks where that says something: a no is not a green tick, agents have their colours, themes, times, and phones.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm, PHONE } from "./browser.mjs";

let hub;
let browser;
let page;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
  page = await browser.open(hub);
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

const ask = (request) => hub.ask({ room: "shop", type: "confirm", message: "Deploy?", ...request });
const colour = (locator, name) => locator.evaluate((element, name) => getComputedStyle(element)[name], name);

/** A colour of the style sheet, as the browser computes it. */
const token = (name) =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);

test("F0 a rejection is not a green tick: neither after it was sent, nor in the history", async () => {
  const id = await ask({ type: "approval", message: "Drop the table?" });
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("button", { name: "Reject" }).waitFor();
  await calm(page);
  await page.getByRole("button", { name: "Reject" }).click();
  const said = page.getByText("You rejected this, and the agent was told.");
  await said.waitFor();
  assert.equal(await page.getByText("✔").count(), 0);
  const [green, red] = [await token("--success"), await token("--error")];
  assert.equal(await colour(said, "color"), red);
  assert.notEqual(await colour(page.locator(".outcome .notice"), "borderTopColor"), green);
  await page.getByText(/^Rejected by you/).waitFor();
  await page.goto(`${hub.origin}/history`);
  const badge = page.locator(".history").getByRole("link", { name: "Drop the table?" }).locator(".badge");
  assert.equal(await badge.innerText(), "Rejected");
  assert.equal(await colour(badge, "color"), red);
  assert.deepEqual(page.problems, []);
});

test("a deadline of 30 minutes is not in 29 minutes, and one of an hour not in 59", async () => {
  const times = { "30 minutes": 1800, "1 hour": 3600, "2 hours": 7200, "1 day": 86_400 };
  const ids = await Promise.all(Object.entries(times).map(([name, timeout]) => ask({ message: `In ${name}?`, timeout })));
  await page.goto(hub.origin);
  for (const name of Object.keys(times)) {
    await until(name, async () => new RegExp(`ends in ${name}\\b`).test(await page.getByRole("link", { name: `In ${name}?` }).innerText()));
  }
  // Past the first second, too.
  await page.waitForTimeout(1500);
  assert.match(await page.getByRole("link", { name: "In 30 minutes?" }).innerText(), /ends in 30 minutes/);
  await Promise.all(ids.map((id) => hub.answer(id, "yes")));
});

test("nothing is said twice: a title that repeats the question, a header that repeats the title, the asker of the heading", async () => {
  const id = await ask({ title: "Deploy?", header: "Deploy?", from: "release-agent" });
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("button", { name: "Yes" }).waitFor();
  const article = page.getByRole("article");
  assert.equal(await article.getByText("Deploy?", { exact: true }).count(), 1);
  await article.getByRole("heading", { level: 1, name: "Question from bot" }).waitFor();
  assert.equal((await article.innerText()).match(/\bbot\b/g).length, 1);
  assert.match(await article.innerText(), /calls itself "release-agent"/, "the claim stays");
  const row = page.getByRole("region", { name: "Waiting for you" }).getByRole("link", { name: "Deploy?" });
  assert.equal((await row.innerText()).match(/Deploy\?/g).length, 1);
  await hub.answer(id, "yes");
  const text = "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-old\n+new";
  const one = await ask({ message: "One file?", context: [{ type: "diff", title: "The change", text }] });
  await page.goto(`${hub.origin}/r/${one}`);
  await page.getByRole("button", { name: "Yes" }).waitFor();
  assert.equal(await page.getByText("1 added").count(), 1, "the counts of a single file stand with its name");
  await hub.answer(one, "yes");
  await page.goto(hub.origin);
  await page.getByText("Nothing is waiting.").first().waitFor();
  assert.equal(await page.getByText("Nothing is waiting.").count(), 1);
});

test("S9 an agent has a letter and a colour of its own, which come from a hash and from no text of its", async () => {
  const froms = ["claude-code", "release-agent", "\u202e<b>", "red; background: url(//evil.example)"];
  const ids = await Promise.all(froms.map((from, index) => ask({ message: `Number ${index}?`, from })));
  const again = await ask({ message: "Number 0 again?", from: "claude-code" });
  await page.goto(hub.origin);
  const sign = (name) => page.getByRole("link", { name }).locator(".avatar");
  await sign("Number 0 again?").waitFor();
  const looks = await Promise.all(froms.map((_, index) => sign(`Number ${index}?`).evaluate((element) => [element.className, element.textContent])));
  assert.deepEqual(looks.map(([, letter]) => letter), ["C", "R", "B", "R"]);
  for (const [name] of looks) assert.match(name, /^avatar hue-[0-7]$/);
  assert.deepEqual(await sign("Number 0 again?").evaluate((element) => [element.className, element.textContent]), looks[0]);
  assert.ok(new Set(looks.map(([name]) => name)).size > 1);
  assert.equal(await page.locator("[style]").count(), 0);
  await Promise.all([...ids, again].map((id) => hub.answer(id, "yes")));
  assert.deepEqual(page.problems, []);
});

test("the theme is chosen in the settings, at once and for the next visit", async () => {
  const window = await browser.open(hub, "/settings", { colorScheme: "light" });
  const ground = () => window.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await window.getByRole("radio", { name: "Dark" }).check();
  const dark = await ground();
  assert.notEqual(dark, light);
  await window.reload();
  await window.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  assert.equal(await ground(), dark);
  await window.getByRole("radio", { name: "Light" }).check();
  await window.emulateMedia({ colorScheme: "dark" });
  assert.equal(await ground(), light, "whatever the system has");
  await window.getByRole("radio", { name: "As the system" }).check();
  assert.equal(await ground(), dark);
  assert.deepEqual(window.problems, []);
  await window.context().close();
});

const LINE = `const total = ${"items.reduce(add) + ".repeat(8)}0;`;

/** A change of two files with lines wider than a phone. */
const DIFF = ["a", "b"]
  .map((name) => {
    const lines = Array.from({ length: 60 }, (_, index) => `+${index} ${LINE}`);
    return [`diff --git a/src/${name}.ts b/src/${name}.ts`, `--- a/src/${name}.ts`, `+++ b/src/${name}.ts`, "@@ -0,0 +1,60 @@", ...lines].join("\n");
  })
  .join("\n");

test("on a phone a diff wraps, and the name of its file stays in sight", async () => {
  const id = await ask({ type: "approval", message: "Apply?", context: [{ type: "diff", text: `${DIFF}\n` }] });
  const phone = await browser.open(hub, `/r/${id}`, PHONE);
  await phone.getByRole("heading", { name: "src/b.ts" }).waitFor();
  const body = phone.locator(".context-body");
  assert.equal(await body.evaluate((element) => element.scrollWidth - element.clientWidth), 0);
  assert.equal(await phone.getByRole("button", { name: /^Wrap lines/ }).getAttribute("aria-pressed"), "true");
  // In the middle of the second file.
  await phone.getByText("+30 const total").last().evaluate((element) => element.scrollIntoView({ block: "center" }));
  const isAtTop = (name) =>
    phone.locator(".file-bar").evaluate((bar, name) => {
      const { top, bottom, left } = bar.firstElementChild?.getBoundingClientRect() ?? { top: -1, bottom: -1, left: 0 };
      return top >= 0 && bottom < 250 && bar.textContent === name && left < 50;
    }, name);
  await until("its name is at the top", () => isAtTop("src/b.ts"));
  await phone.getByText("+30 const total").first().evaluate((element) => element.scrollIntoView({ block: "center" }));
  await until("the name of the first one is", () => isAtTop("src/a.ts"));
  // Rows that come near take their height, and move what is below them.
  const scrollTo = async (heading) => {
    const covered = Math.max(...[...document.querySelectorAll(".top, .decision-bar")].map((bar) => bar.getBoundingClientRect().bottom));
    window.scrollBy(0, heading.parentElement.getBoundingClientRect().top - covered + 3);
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return document.querySelector(".file-bar").textContent === "";
  };
  await until("above its own heading there is none", () => phone.getByRole("heading", { name: "src/b.ts" }).evaluate(scrollTo));
  await hub.answer(id, "reject");
  assert.deepEqual(phone.problems, []);
});
