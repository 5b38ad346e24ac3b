// Keys move and choose; nothing is answered by a key or a click that was meant for something else.

import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { QUESTIONS, questionOf } from "./asked.mjs";
import { Browser, calm } from "./browser.mjs";

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

/** Nothing waits for the next test. */
afterEach(async () => {
  const { items } = (await hub.call("GET", "/api/v1/requests?status=pending&limit=200")).json;
  for (const { id } of items) await hub.call("POST", `/api/v1/requests/${id}/cancel`, { body: {} });
  assert.deepEqual(page.problems, []);
});

const COUNTED = "Your answer was accepted.";
const CALM = /^Nothing was sent: you pressed just as this came to the front/;

const ask = (question) => hub.ask({ room: "shop", ...question });
const confirm = (message) => ask({ type: "confirm", message });
const press = (...keys) => keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
const row = (name) => page.getByRole("link", { name });
const focused = (locator) => until("it has the focus", () => locator.evaluate((element) => element === document.activeElement));
const status = async (id) => (await hub.outcome(id)).status;

/** Opens a request, with the focus on nothing. */
async function show(id) {
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("article").getByRole("group").first().waitFor();
  await letGo();
}

const letGo = () => page.evaluate(() => document.activeElement?.blur());

test("j and k move in the list, Enter opens, n goes to the next, i back to the inbox", async () => {
  const ids = [await confirm("One?"), await confirm("Two?"), await confirm("Three?")];
  await page.goto(hub.origin);
  await row("Three?").waitFor();
  await letGo();
  await press("j");
  await focused(row("One?"));
  await press("j", "j", "j");
  await focused(row("Three?"));
  await press("k");
  await focused(row("Two?"));
  await press("Enter");
  await page.waitForURL(`**/r/${ids[1]}`);
  await focused(page.getByRole("heading", { level: 1 }));
  await press("j");
  await focused(row("Three?"));
  await press("n");
  await page.waitForURL(`**/r/${ids[2]}`);
  await press("n");
  await page.waitForURL(`**/r/${ids[0]}`);
  await press("i");
  await page.waitForURL(`${hub.origin}/`);
  assert.deepEqual(await Promise.all(ids.map(status)), ["pending", "pending", "pending"]);
});

test("a digit chooses an option, and only goes to a button that would decide", async () => {
  await show(await ask({ ...questionOf("choice"), multiSelect: false }));
  await press("2");
  assert.ok(await page.getByRole("radio", { name: /United States/ }).isChecked());
  // The third is disabled, and keeps its place.
  await press("3");
  assert.ok(await page.getByRole("radio", { name: /United States/ }).isChecked());
  await press("4");
  await focused(page.getByRole("textbox", { name: /Other/ }));
  await show(await ask(questionOf("rating")));
  await press("4");
  assert.ok(await page.getByRole("radio", { name: "4 of 5" }).isChecked());

  const id = await ask(questionOf("approval"));
  await show(id);
  await calm(page);
  await press("2");
  await focused(page.getByRole("button", { name: "Reject" }));
  await press("1");
  await focused(page.getByRole("button", { name: "Approve" }));
  assert.equal(await status(id), "pending");
  await press("Enter");
  await page.getByText(COUNTED).waitFor();
  assert.equal((await hub.outcome(id)).response, "approve");
});

test("Ctrl+Enter sends from anywhere, once everything passes", async () => {
  const id = await ask(questionOf("multiline"));
  await show(id);
  await calm(page);
  await press("Control+Enter");
  const field = page.getByRole("textbox", { name: "Your multiline?" });
  await field.fill("one");
  await field.press("Enter");
  await page.keyboard.type("two");
  assert.equal(await status(id), "pending");
  await field.press("Control+Enter");
  await page.getByText(COUNTED).waitFor();
  assert.equal((await hub.outcome(id)).response, "one\ntwo");
});

test("? shows all keys, Escape closes the list, and no key works behind it", async () => {
  const ids = [await confirm("One?"), await confirm("Two?")];
  await show(ids[0]);
  await press("?");
  const dialog = page.getByRole("dialog", { name: "Keys" });
  await dialog.waitFor();
  await press("n", "i", "j");
  assert.equal(page.url(), `${hub.origin}/r/${ids[0]}`);
  await press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await press("n");
  await page.waitForURL(`**/r/${ids[1]}`);
});

test("WCAG 2.1.4 keys can be switched off, and Ctrl+Enter still sends", async () => {
  const [id, other] = [await ask(questionOf("choice")), await confirm("Another?")];
  await page.goto(`${hub.origin}/settings`);
  const shortcuts = page.getByRole("checkbox", { name: "Keys for moving and choosing" });
  await shortcuts.uncheck();
  await show(id);
  await press("1", "2", "j", "k", "n", "i", "?");
  assert.equal(page.url(), `${hub.origin}/r/${id}`);
  assert.equal(await page.getByRole("checkbox", { checked: true }).count(), 0);
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement === document.body), true, "nothing has moved");
  await page.getByRole("checkbox", { name: /Europe/ }).check();
  await calm(page);
  await press("Control+Enter");
  await page.getByText(COUNTED).waitFor();

  await page.goto(`${hub.origin}/settings`);
  await shortcuts.check();
  await show(other);
  await press("i");
  await page.waitForURL(`${hub.origin}/`);
});

test("letters in fields are letters", async () => {
  const typed = "jkni?19";
  await confirm("Another?");
  const options = Array.from({ length: 12 }, (_, index) => `Option ${index}`);
  const kinds = [questionOf("text"), questionOf("multiline"), questionOf("number"), questionOf("email"), questionOf("dropdown")];
  const questions = [...kinds, { type: "choice", message: "Of many?", options, other: true }];
  const id = await ask({ questions });
  await show(id);
  await page.getByText("Ask back, or decline").click();
  await page.getByRole("radio", { name: /^Other/ }).check();
  const fields = page.getByRole("article").locator("input:not([type=radio]), textarea");
  assert.equal(await fields.count(), 8, "all of them, also the search, Other and the question back");
  for (const field of await fields.all()) {
    await field.focus();
    await page.keyboard.type(typed);
    assert.equal(await field.inputValue(), typed);
  }
  assert.equal(page.url(), `${hub.origin}/r/${id}`);
  assert.equal(await page.getByRole("dialog").count(), 0);
});

const KEYS = [
  ..."1234567890abcdefghijklmnopqrstuvwxyz",
  ..."-=[];',./`\\",
  ...["Enter", "Space", "Escape", "Backspace", "Delete", "Insert", "Home", "End", "PageUp", "PageDown"],
  ...["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "NumpadEnter", "F2", "F8", "Shift+Enter", "Alt+Enter", "Shift+A", "Shift+Y"],
];

test("T7 no single key decides, on the screen of any kind", async () => {
  for (const question of QUESTIONS) {
    const id = await ask(question);
    await show(id);
    await calm(page);
    for (const key of KEYS) {
      await press(key);
      await press("Escape");
      if (page.url() !== `${hub.origin}/r/${id}`) {
        await page.goBack();
        await page.getByRole("article").getByRole("group").first().waitFor();
        await calm(page);
      }
      await letGo();
    }
    if (["approval", "confirm"].includes(question.type)) await press("Control+Enter");
    assert.equal(await status(id), "pending", question.type);
    await hub.call("POST", `/api/v1/requests/${id}/cancel`, { body: {} });
  }
});

test("a click that brings the window to the front decides nothing, and says so", async () => {
  const id = await ask(questionOf("approval"));
  await show(id);
  await calm(page);
  await page.evaluate(() => {
    const come = () => window.dispatchEvent(new Event("focus"));
    window.addEventListener("pointerdown", come, { capture: true, once: true });
  });
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.click();
  await page.getByText(CALM).waitFor();
  assert.equal(await status(id), "pending");
  await calm(page);
  await approve.click();
  await page.getByText(COUNTED).waitFor();
});

test("nor does a press on what has only just appeared: the second of a double click, or Enter that is held", async () => {
  const [first, second] = [await confirm("One?"), await ask(questionOf("approval"))];
  await show(first);
  await calm(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByText(COUNTED).waitFor();
  // Where the second press hits depends on the screen, so let it hit what would be worst, as soon as that is there.
  await page.evaluate(() => {
    new MutationObserver((_, observer) => {
      const worst = [...document.querySelectorAll("button")].find((button) => button.textContent === "Approve");
      if (!worst) return;
      observer.disconnect();
      worst.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      worst.click();
    }).observe(document.body, { childList: true, subtree: true });
  });
  await page.getByRole("link", { name: "Next question" }).dblclick();
  await page.waitForURL(`**/r/${second}`);
  await page.getByText(CALM).waitFor();
  assert.equal(await status(second), "pending");

  await page.goto(hub.origin);
  await row("Your approval?").focus();
  await page.keyboard.down("Enter");
  await page.waitForURL(`**/r/${second}`);
  const approve = page.getByRole("button", { name: "Approve" });
  await approve.waitFor();
  for (let held = 0; held < 4; held += 1) {
    await calm(page);
    await approve.focus();
    // A key that is down already comes as a repetition.
    await page.keyboard.down("Enter");
  }
  assert.equal(await status(second), "pending", "however long it is held");
  await page.keyboard.up("Enter");
  await approve.press("Enter");
  await page.getByText(COUNTED).waitFor();
});

test("a key that is held moves once", async () => {
  const ids = [await confirm("One?"), await confirm("Two?"), await confirm("Three?")];
  await show(ids[0]);
  for (let held = 0; held < 5; held += 1) await page.keyboard.down("n");
  await page.keyboard.up("n");
  await page.waitForURL(`**/r/${ids[1]}`);
  assert.deepEqual(await Promise.all(ids.map(status)), ["pending", "pending", "pending"]);
});
