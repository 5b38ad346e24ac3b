// What could be answered by mistake, or lost without a word, in moments in which several things happen at once.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { COUNTED } from "./away.mjs";
import { Browser, calm } from "./browser.mjs";
import { Gate } from "./gate.mjs";

let hub;
let browser;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

const ask = (request) => hub.ask({ room: "shop", ...request });
const status = async (id) => (await hub.outcome(id)).status;
const back = (page) => page.getByRole("textbox", { name: "Your question, or why not" });

test("L7 Ctrl+Enter in a question back sends that, and never the answer beside it", async () => {
  const id = await ask({ type: "text", message: "Which region?", initial: "eu-west" });
  const page = await browser.open(hub, `/r/${id}`);
  await page.getByText("Ask back, or decline").click();
  await calm(page);
  await back(page).press("Control+Enter");
  await back(page).fill("Which do you mean?");
  assert.equal(await status(id), "pending", "without a text there is nothing to send");
  await back(page).fill("");
  assert.ok(await back(page).isVisible(), "whoever deletes their text is still there");
  await back(page).fill("Which do you mean?");
  await back(page).press("Control+Enter");
  await page.getByText("You declined, and the agent was told.").waitFor();
  const { status: ended, reason } = await hub.outcome(id);
  assert.deepEqual([ended, reason], ["declined", "Which do you mean?"]);
  assert.deepEqual(page.problems, []);
});

test("W1 nothing behind an open dialog is sent", async () => {
  const id = await ask({ type: "text", message: "Which name?", initial: "as it is" });
  const page = await browser.open(hub, `/r/${id}`);
  await page.getByRole("button", { name: "Send answer" }).waitFor();
  await calm(page);
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await calm(page);
  await page.keyboard.press("Control+Enter");
  await calm(page);
  assert.equal(await status(id), "pending");
  assert.deepEqual(page.problems, []);
});

test("S2 the buttons come when everything to look at is drawn, to its last line", async () => {
  const text = Array.from({ length: 60_000 }, (_, number) => `+ line ${number}`).join("\n");
  const id = await ask({ type: "approval", message: "Apply it?", context: [{ type: "diff", text }] });
  const page = await browser.open(hub);
  await page.addInitScript(() => {
    const isThere = (text) => [...document.querySelectorAll("button")].some((button) => button.textContent === text);
    const look = () => {
      const drawn = document.querySelectorAll(".context .rows > *, .context .row").length;
      if (document.querySelector(".still-drawing")) (window.seenDrawing ??= []).push({ drawn, isThere: isThere("Approve") });
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`${hub.origin}/r/${id}`);
  await page.getByRole("button", { name: "Approve" }).waitFor();
  const seen = await page.evaluate(() => window.seenDrawing ?? []);
  assert.ok(seen.length > 0, "it takes a while");
  assert.deepEqual(seen.filter(({ isThere }) => isThere), []);
  assert.ok((await page.locator(".context").textContent()).includes("+ line 59999"));
  assert.deepEqual(page.problems, []);
});

test("W1 a press on what has just been moved does not count", async () => {
  const id = await ask({ type: "approval", message: "Delete it?" });
  const [page, gate] = await gatedPage(`/r/${id}`);
  const reject = page.getByRole("button", { name: "Reject" });
  await reject.waitFor();
  await calm(page);
  await gate.shut();
  // The notice that the hub is away has pushed the buttons down: where Reject was, something else may be.
  await page.getByText(/The hub can’t be reached/).waitFor();
  await page.evaluate(() => document.querySelector("button.decide.success").dispatchEvent(new PointerEvent("pointerdown", { bubbles: true })));
  await page.evaluate(() => document.querySelector("button.decide.success").click());
  await page.getByText(/Nothing was sent/).waitFor();
  await calm(page);
  await reject.click();
  await page.getByText(/Kept in this browser/).waitFor();
  gate.open();
  await until("it is answered", async () => (await status(id)) === "declined");
  assert.deepEqual(page.problems, []);
});

test("L1 whoever is typing when somebody else answers does not press keys of the page", async () => {
  const [id, next] = [await ask({ type: "text", message: "Which version?" }), await ask({ type: "approval", message: "Ship it?" })];
  const page = await browser.open(hub, `/r/${id}`);
  await page.getByRole("textbox", { name: "Which version?" }).pressSequentially("versio");
  await hub.answer(id, "2.4");
  await page.getByText(/^Answered by/).waitFor();
  await page.keyboard.type("n 1 in all");
  assert.equal(new URL(page.url()).pathname, `/r/${id}`);
  await page.getByText("What you had entered").waitFor();
  // After a pause they are keys again.
  await page.waitForTimeout(1100);
  await page.keyboard.press("n");
  await page.waitForURL((url) => url.pathname !== `/r/${id}`);
  assert.equal(await status(next), "pending");
  assert.deepEqual(page.problems, []);
});

test("L1 an answer that came too late says so wherever one is by then, and what it was", async () => {
  const id = await ask({ type: "approval", message: "Merge it?" });
  const [page, gate] = await gatedPage(`/r/${id}`);
  await page.getByRole("button", { name: "Approve" }).waitFor();
  await gate.shut();
  await page.getByText(/The hub can’t be reached/).waitFor();
  await calm(page);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText(/Kept in this browser/).waitFor();
  await page.getByRole("link", { name: "History" }).click();
  await hub.answer(id, "reject");
  gate.open();
  await page.getByText("Your answer came too late:").waitFor();
  await page.getByRole("status").getByRole("link", { name: "Merge it?" }).click();
  await page.getByText("Too late: what you sent does not count.").waitFor();
  const kept = page.getByRole("heading", { name: "What you had entered" }).locator("xpath=..");
  assert.match(await kept.innerText(), /Approve/);
  assert.equal(await page.getByText("Your answer came too late:").count(), 0, "it is said where it belongs");
  await page.reload();
  await page.getByText("What you had entered").waitFor();
  assert.deepEqual(page.problems, []);
});

test("W2 more than one message holds is sent in several, and all of it arrives", async () => {
  const long = "語".repeat(10_000);
  const questions = Array.from({ length: 18 }, (_, number) => ({ type: "text", message: `Part ${number}?` }));
  const ids = [await ask({ title: "The first half", questions }), await ask({ title: "The second half", questions })];
  const [page, gate] = await gatedPage("/");
  const links = ["The first half", "The second half"].map((name) => page.getByRole("link", { name }));
  await links[1].waitFor();
  await links[0].click();
  await page.getByRole("textbox", { name: "Part 17?" }).waitFor();
  await gate.shut();
  await page.getByText(/The hub can’t be reached/).waitFor();
  for (const link of links) {
    await link.click();
    for (const { message } of questions) await page.getByRole("textbox", { name: message }).fill(long);
    await page.getByRole("button", { name: "Review" }).click();
    await calm(page);
    await page.getByRole("button", { name: "Send answers" }).click();
    await page.getByText(/Kept in this browser/).waitFor();
  }
  gate.open();
  await until("all of them have arrived", async () => (await Promise.all(ids.map(status))).every((ended) => ended === "answered"), 30_000);
  assert.deepEqual(page.problems, []);
});

test("W1 what would not pass is explained to whoever tries to send it", async () => {
  const id = await ask({ type: "number", message: "Share?", min: 0, max: 1, step: 0.05 });
  const page = await browser.open(hub, `/r/${id}`);
  await page.getByRole("textbox", { name: "Share?" }).fill("0.33");
  await page.getByRole("textbox", { name: "Share?" }).press("Enter");
  await page.getByText("0.33 is between two steps. Expected: a number from 0 to 1 in steps of 0.05.").waitFor();
  assert.equal(await status(id), "pending");
  assert.equal(await page.getByText(COUNTED).count(), 0);
  assert.deepEqual(page.problems, []);
});

test("W1 a press on what stands below a question that one leaves is not lost", async () => {
  const options = ["A", "B"];
  const questions = [{ type: "text", message: "Which name?" }, { type: "choice", message: "Which one?", options }];
  const page = await browser.open(hub, `/r/${await ask({ title: "Both", questions })}`);
  await page.getByRole("textbox", { name: "Which name?" }).focus();
  const radio = page.getByRole("radio", { name: "B" });
  const { x, y, width, height } = await radio.boundingBox();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.down();
  // As long as a finger takes; what is wrong with the question above must not move this one meanwhile.
  await page.waitForTimeout(80);
  await page.mouse.up();
  await page.getByText("The answer is blank.").waitFor();
  assert.ok(await radio.isChecked());
  assert.deepEqual(page.problems, []);
});

/** A page whose connection can be cut. */
async function gatedPage(path) {
  const page = await browser.open(hub);
  const gate = await Gate.before(page);
  await page.goto(hub.origin + path);
  return [page, gate];
}
