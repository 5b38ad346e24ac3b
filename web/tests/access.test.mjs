// What axe does not see: where the focus goes, what is said aloud, and that it fits small screens, large letters and calm eyes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { FORM, questionOf } from "./asked.mjs";
import { Browser, PHONE, calm } from "./browser.mjs";
import { Gate } from "./gate.mjs";

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

const ask = (request) => hub.ask({ room: "shop", ...request });
const COUNTED = "Your answer was accepted.";

/** What has the focus, as somebody hears it. */
const focus = () =>
  page.evaluate(() => {
    const { activeElement: element } = document;
    const heard = element.cloneNode(true);
    heard.querySelectorAll("[aria-hidden=true]").forEach((sign) => sign.remove());
    const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? heard.textContent;
    return `${element.localName} ${name.trim().replace(/\s+/g, " ").slice(0, 40)}`;
  });

/** Notes everything that is said by itself, from now on. */
async function listen(page) {
  await page.evaluate(() => {
    window.said = [];
    const note = () => {
      for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
        const text = region.textContent.trim();
        if (text !== "" && window.said.at(-1) !== text) window.said.push(text);
      }
    };
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  return (what) => until(`"${what}" is said`, () => page.evaluate((what) => window.said.some((text) => text.includes(what)), what));
}

test("Tab goes from the link that skips over header, list and context to the controls, and then to the question back", async () => {
  const context = [{ type: "command", text: "./deploy" }];
  const id = await ask({ title: "Deploy", context, questions: [questionOf("text")] });
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("textbox", { name: "Your text?" }).fill("fine");
  await page.getByRole("button", { name: "Send answer" }).waitFor();
  await page.evaluate(() => document.activeElement.blur());
  await page.evaluate(() => document.querySelector("a.skip").focus());
  const order = [await focus()];
  for (let step = 0; step < 30 && !order.at(-1).startsWith("summary"); step += 1) {
    await page.keyboard.press("Tab");
    order.push(await focus());
  }
  const places = ["a Skip to the question", "a Inbox (1)", "a History", "a Settings", "a Deploy", "input Your text?", "button Send answer", "summary Ask back, or decline"];
  const found = places.map((place) => order.findIndex((one) => one.startsWith(place)));
  assert.ok(found.every((at) => at >= 0), order.join("\n"));
  assert.deepEqual(found, [...found].sort((one, other) => one - other), order.join("\n"));
  const inContext = order.slice(found[4] + 1, found[5]);
  assert.ok(inContext.some((one) => one.startsWith("button")), `the context is on the way: ${inContext}`);
  await page.getByRole("link", { name: "Skip to the question" }).press("Enter");
  await until("the question is next", async () => (await page.evaluate(() => document.activeElement.id)) === "detail");
  assert.deepEqual(page.problems, []);
});

test("the link that skips is out of sight until it has the focus", async () => {
  await page.goto(hub.origin);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const skip = page.getByRole("link", { name: "Skip to the question" });
  const isSeen = async () => {
    const { y, height } = await skip.boundingBox();
    return y >= 0 && height >= 24;
  };
  assert.equal(await isSeen(), false);
  await skip.focus();
  await until("it is seen", isSeen);
});

test("the focus goes to the heading of what was opened, and to the outcome after answering", async () => {
  const id = await ask(questionOf("confirm"));
  await page.goto(hub.origin);
  await page.getByRole("link", { name: "Your confirm?" }).click();
  await page.waitForURL(`**/r/${id}`);
  await until("the heading has it", async () => (await focus()).startsWith("h1"));
  await calm(page);
  await page.getByRole("button", { name: "Yes" }).press("Enter");
  await page.getByText(COUNTED).waitFor();
  await until("the outcome has it", async () => (await focus()).includes(COUNTED.slice(0, 20)));
  await page.keyboard.press("Tab");
  assert.match(await focus(), /^a /, "and from there on there is a way");
  for (const [name, heading] of [["History", "History"], ["Settings", "Settings"]]) {
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    await until(`the heading of ${name} has it`, async () => (await focus()) === `h1 ${heading}`);
  }
});

test("the heading has the focus as soon as there is a field: whoever is quick keeps what they went to", async () => {
  await ask({ type: "text", message: "Who is quick?" });
  await page.goto(hub.origin);
  await page.getByRole("link", { name: "Who is quick?" }).waitFor();
  await page.evaluate(() => {
    // Told with the change itself, and so before any key could be pressed.
    const note = () => {
      if (document.querySelector("article input[type=text]")) window.focusedFirst ??= document.activeElement.localName;
    };
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole("link", { name: "Who is quick?" }).click();
  await page.getByRole("textbox", { name: "Who is quick?" }).waitFor();
  assert.equal(await page.evaluate(() => window.focusedFirst), "h1");
});

test("what happens by itself is said aloud: a question that comes, the hub that goes and comes back", async () => {
  const gate = await Gate.before(page);
  await page.goto(hub.origin);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByText("Deploy").first().waitFor();
  const says = await listen(page);
  await ask({ type: "confirm", message: "Did you hear that?" });
  await says("New question: Did you hear that?");
  await gate.shut();
  await says("The hub can’t be reached");
  gate.open();
  await says("The hub is back.");
  assert.deepEqual(page.problems, []);
});

test("F15 what is wrong is said aloud, and belongs to its field", async () => {
  await page.goto(`${hub.origin}/r/${await ask(questionOf("number"))}`);
  const field = page.getByRole("textbox", { name: "Your number?" });
  await field.fill("7");
  const says = await listen(page);
  await page.getByRole("heading", { level: 1 }).focus();
  await says("Expected:");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  const described = await field.evaluate((element) => element.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" "));
  assert.match(described, /Expected:/);
});

test("a press that does not count is said aloud", async () => {
  const id = await ask(questionOf("approval"));
  await page.goto(`${hub.origin}/r/${id}`);
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.waitFor();
  const says = await listen(page);
  await page.evaluate(() => window.addEventListener("pointerdown", () => window.dispatchEvent(new Event("focus")), { capture: true, once: true }));
  await approve.click();
  await says("Nothing was sent");
  assert.equal((await hub.outcome(id)).status, "pending");
});

const LONG = "averylongwordwithoutanyplacetobreakitaveryverylongwordthatgoesonandon".repeat(3);
const CONTEXT = [
  { type: "markdown", text: `# ${LONG}\n\n| a | b | c | d | e | f | g | h |\n|---|---|---|---|---|---|---|---|\n| one | two | three | four | five | six | seven | ${LONG} |\n\n\`${LONG}\`` },
  { type: "diff", text: `--- a/${LONG}\n+++ b/${LONG}\n@@ -1 +1 @@\n-${LONG}\n+${LONG}` },
  { type: "code", text: LONG },
  { type: "json", text: JSON.stringify({ [LONG]: LONG }) },
];

/** By how much the page is wider than the window. */
const excess = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test("WCAG 1.4.10 nothing is scrolled sideways at 320 pixels, nor with letters twice as large", async () => {
  const options = [{ value: LONG, description: LONG, preview: LONG }, "short"];
  const questions = [...FORM.questions, { type: "choice", message: LONG, header: "header", options, other: true }];
  const id = await ask({ title: LONG.slice(0, 200), from: LONG.slice(0, 90), context: CONTEXT, questions });
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("button", { name: "Review" }).waitFor();
  const sizes = { "320 pixels": { width: 320, height: 640 }, "a phone": PHONE.viewport, "200 %": { width: 640, height: 450 }, "400 %": { width: 320, height: 225 } };
  for (const [name, size] of Object.entries(sizes)) {
    await page.setViewportSize(size);
    for (const path of [`/r/${id}`, "/", "/history", "/settings"]) {
      await page.goto(hub.origin + path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (path.startsWith("/r/")) await page.getByRole("button", { name: "Review" }).waitFor();
      assert.equal(await excess(page), 0, `${path} at ${name}`);
    }
  }
  await page.setViewportSize({ width: 640, height: 900 });
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("button", { name: "Review" }).waitFor();
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  assert.equal(await excess(page), 0, "with letters twice as large");
  await page.setViewportSize({ width: 1280, height: 900 });
  await hub.call("POST", `/api/v1/requests/${id}/cancel`, { body: {} });
  assert.deepEqual(page.problems, []);
});

test("nothing moves for those who asked for that", async () => {
  const moving = () =>
    page.evaluate(() => {
      const seconds = (text) => Math.max(...text.split(",").map((one) => Number.parseFloat(one)));
      const isMoving = (element) => {
        const style = getComputedStyle(element);
        return seconds(style.transitionDuration) > 0.01 || (style.animationName !== "none" && seconds(style.animationDuration) > 0.01);
      };
      return [...document.querySelectorAll("*")].filter(isMoving).map((element) => `${element.localName}.${element.className}`);
    });
  const id = await ask(FORM);
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("button", { name: "Review" }).waitFor();
  assert.notDeepEqual(await moving(), [], "the control: otherwise something does");
  await page.emulateMedia({ reducedMotion: "reduce" });
  assert.deepEqual(await moving(), []);
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior), "auto");
  await page.emulateMedia({ reducedMotion: null });
});

test("WCAG 2.5.8 what is touched is large enough: 24 pixels anywhere, 44 for buttons of a phone", async () => {
  const alone = await ask(questionOf("approval"));
  const all = await ask(FORM);
  const phone = await browser.open(hub, "/", PHONE);
  for (const path of ["/", `/r/${alone}`, `/r/${all}`, "/history", "/settings"]) {
    await phone.goto(hub.origin + path);
    await phone.getByRole("heading", { level: 1 }).waitFor();
    if (path.startsWith("/r/")) await phone.getByText("Ask back, or decline").click();
    const small = await phone.evaluate(() => {
      const isShown = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 1;
      // A box beside its words is touched by touching either.
      const boxOf = (element) => (element.labels?.length ? [element, ...element.labels] : [element]).map((one) => one.getBoundingClientRect());
      const sizeOf = (element) => Math.max(...boxOf(element).map((box) => Math.min(box.width, box.height)));
      const inText = (element) => element.localName === "a" && element.closest("p, dd, li.in-text") !== null && getComputedStyle(element).display === "inline";
      return [...document.querySelectorAll("a, button, input, textarea, select, summary")]
        .filter((element) => isShown(element) && !inText(element))
        .filter((element) => sizeOf(element) < (element.matches("button, .button, summary") ? 43.5 : 24))
        .map((element) => `${element.localName} ${element.className} "${element.textContent.slice(0, 30)}" ${sizeOf(element)}`);
    });
    assert.deepEqual(small, [], path);
  }
  assert.deepEqual(phone.problems, []);
});
