// Nothing is decided out of sight: the control that is pressed is in view, and the end of what there is to look at was in view or in focus.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { violations } from "./axe.mjs";
import { COUNTED } from "./away.mjs";
import { Browser, calm, DESK, PHONE } from "./browser.mjs";
import { approvalOf, diffOf, inView, scrollTo, staysInView } from "./deciding.mjs";

const OUT_OF_VIEW = "Nothing was sent: the button was out of view.";
const END_NOT_VIEWED = "Nothing was sent: the end of what there is to look at had not been in view.";
const END = "End of what there is to look at";
const JUMP = "Jump to decision";

let hub;
let browser;
let stage;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
  stage = { hub, browser };
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

const status = async (id) => (await hub.outcome(id)).status;

/** A message that is longer than a window. */
const LONG_MESSAGE = Array.from({ length: 90 }, (_, line) => `Line ${line} of what is asked.`).join("\n");

test("S5 Enter on a button that is out of view decides nothing, and shows the button", async () => {
  const { id, page, approve } = await approvalOf(stage, diffOf(300));
  assert.equal(await inView(approve), 0, "it begins far below");
  await page.keyboard.press("1");
  await staysInView(page, approve);
  // It keeps the focus while one scrolls back to look at something.
  await scrollTo(page, 0);
  await calm(page);
  assert.equal(await inView(approve), 0);
  await page.keyboard.press("Enter");
  await page.getByText(OUT_OF_VIEW).waitFor();
  await staysInView(page, approve);
  assert.equal(await status(id), "pending");
  await page.keyboard.press("Enter");
  await page.getByText(COUNTED).waitFor();
  assert.deepEqual(page.problems, []);
});

test("S5 Enter on a button that a pinch zoom has left beside the screen decides nothing, and shows the button", async () => {
  const { id, page, approve } = await approvalOf(stage, "-old\n+new");
  await page.keyboard.press("1");
  await staysInView(page, approve);
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setPageScaleFactor", { pageScaleFactor: 3 });
  await until("the zoom is there", () => page.evaluate(() => window.visualViewport.scale === 3));
  await calm(page);
  await page.keyboard.press("Enter");
  await page.getByText(OUT_OF_VIEW).waitFor();
  assert.equal(await status(id), "pending");
  await calm(page);
  await page.keyboard.press("Enter");
  await page.getByText(COUNTED).waitFor();
  assert.deepEqual(page.problems, []);
});

test("S5 the end of a long line is in the window, and nothing is beside it", async () => {
  const { page } = await approvalOf(stage, `+echo clean${" ".repeat(300)}; rm -rf /`);
  const end = await page.locator(".context-body").evaluate((body) => {
    const range = document.createRange();
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const at = texts.currentNode.data.indexOf("rm -rf");
      if (at < 0) continue;
      range.setStart(texts.currentNode, at);
      range.setEnd(texts.currentNode, at + 6);
      return { right: range.getBoundingClientRect().right, window: document.documentElement.clientWidth, hidden: body.scrollWidth - body.clientWidth };
    }
  });
  assert.ok(end.right <= end.window && end.hidden <= 1, JSON.stringify(end));
  assert.deepEqual(page.problems, []);
});

test("S5 a press right after the jump of the window decides nothing", async () => {
  const { id, page } = await approvalOf(stage, diffOf(300));
  await page.keyboard.press("1");
  await page.keyboard.press("Enter");
  await page.getByText(/^Nothing was sent/).waitFor();
  assert.equal(await status(id), "pending");
  assert.deepEqual(page.problems, []);
});

test("S5 the end of what there is to look at has to be in view before an answer counts", async () => {
  const { id, page, approve } = await approvalOf(stage, diffOf(300), PHONE, { message: LONG_MESSAGE });
  const end = page.getByText(END, { exact: true });
  await page.keyboard.press("1");
  await staysInView(page, approve);
  await page.keyboard.press("Enter");
  await page.getByText(END_NOT_VIEWED).waitFor();
  await staysInView(page, end);
  assert.equal(await inView(page.getByText(END_NOT_VIEWED)), 1, "the reason is in view, too");
  assert.equal(await end.evaluate((element) => element === document.activeElement), true);
  assert.equal(await status(id), "pending");
  await page.keyboard.press("1");
  await staysInView(page, approve);
  await page.keyboard.press("Enter");
  await page.getByText(COUNTED).waitFor();
  assert.deepEqual(page.problems, []);
});

test("S5 the focus in the end counts as well, for those who see no window", async () => {
  const { page, approve } = await approvalOf(stage, diffOf(300), PHONE, { message: LONG_MESSAGE });
  await page.getByText(END, { exact: true }).evaluate((element) => element.focus({ preventScroll: true }));
  await page.keyboard.press("1");
  await staysInView(page, approve);
  await page.keyboard.press("Enter");
  await page.getByText(COUNTED).waitFor();
  assert.deepEqual(page.problems, []);
});

test("S5 a press of a screen reader on a button out of view shows the button, and the next one counts", async () => {
  const { id, page, approve } = await approvalOf(stage, diffOf(300));
  await page.evaluate(() => {
    window.alerts = [];
    const note = () => window.alerts.push(...[...document.querySelectorAll("[role=alert]")].map((alert) => alert.textContent));
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  const click = () => approve.evaluate((button) => button.click());
  await click();
  await until("it is said aloud", () => page.evaluate((what) => window.alerts.some((text) => text.startsWith(what)), OUT_OF_VIEW));
  assert.equal(await status(id), "pending");
  await staysInView(page, approve);
  await click();
  await page.getByText(COUNTED).waitFor();
  assert.deepEqual(page.problems, []);
});

for (const [device, window] of [["desk", DESK], ["phone", PHONE]]) {
  test(`S5 on a ${device} the question stays beside a long context, with the way to the decision and how much was in view`, async () => {
    const { page, approve } = await approvalOf(stage, diffOf(300), window);
    const bar = page.locator(".decision-bar");
    const percent = async () => Number((await bar.getByText(/% viewed$/).innerText()).match(/(\d+) %/)[1]);
    assert.equal(await inView(bar.getByText("Apply this patch?")), 1, "the question stands above");
    await until("some of it was in view", async () => (await percent()) > 0);
    const atFirst = await percent();
    assert.ok(atFirst < 50, `${atFirst} %`);
    await scrollTo(page, 1_500);
    await until("more of it was in view", async () => (await percent()) > atFirst);
    assert.equal(await inView(bar.getByText("Apply this patch?")), 1, "and stays in view");
    assert.deepEqual(await violations(page), []);

    await bar.getByRole("button", { name: JUMP }).click();
    await staysInView(page, approve);
    await staysInView(page, page.getByText(END, { exact: true }));
    assert.ok((await percent()) < 100, "what was jumped over was not in view");
    // Lines wrap on a phone.
    for (let y = 0; y < (await page.evaluate(() => document.documentElement.scrollHeight)); y += 300) {
      await scrollTo(page, y);
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    }
    await until("all of it was in view", async () => (await percent()) === 100);
    if (window === PHONE) await approve.tap();
    else await approve.click();
    await page.getByText(COUNTED).waitFor();
    assert.equal(await bar.count(), 0);
    assert.deepEqual(page.problems, []);
  });
}

test("S5 keys alone jump to the decision and approve, and a screen reader has a name for each stop", async () => {
  const { page, approve } = await approvalOf(stage, diffOf(300));
  // The heading has the focus, and the way to the decision is next.
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), JUMP);
  await page.keyboard.press("Enter");
  await staysInView(page, approve);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), END);
  await page.getByRole("form", { name: "Decision" }).getByRole("group", { name: "Apply this patch?" }).waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await approve.evaluate((element) => element === document.activeElement), true, "and the decision after that");
  await page.keyboard.press("Enter");
  await page.getByText(COUNTED).waitFor();
  assert.deepEqual(page.problems, []);
});

test("S5 a text is sent from its field while that is in view, and not from elsewhere", async () => {
  const context = [{ type: "diff", text: diffOf(300) }];
  const id = await hub.ask({ room: "shop", type: "text", message: "Which name?", initial: "cart", context });
  const page = await browser.open(hub, `/r/${id}`);
  const send = page.getByRole("button", { name: "Send answer" });
  await send.waitFor();
  await calm(page);
  await page.keyboard.press("Control+Enter");
  await page.getByText(OUT_OF_VIEW).waitFor();
  await staysInView(page, send);
  assert.equal(await status(id), "pending");
  await page.setViewportSize({ width: 1280, height: 420 });
  const field = page.getByRole("textbox", { name: "Which name?" });
  await field.focus();
  await staysInView(page, field);
  await page.keyboard.press("Control+Enter");
  await page.getByText(COUNTED).waitFor();
  assert.deepEqual(page.problems, []);
});

test("L7 asking back needs no end, only its own button", async () => {
  const { id, page } = await approvalOf(stage, diffOf(300), PHONE, { message: LONG_MESSAGE });
  await page.getByText("Ask back, or decline").click();
  const field = page.getByRole("textbox", { name: "Your question, or why not" });
  await field.fill("Why so much at once?");
  await calm(page);
  await field.press("Control+Enter");
  await page.getByText("You declined, and the agent was told.").waitFor();
  assert.equal((await hub.outcome(id)).reason, "Why so much at once?");
  assert.deepEqual(page.problems, []);
});

test("S5 a question that fits into the window needs nothing of this", async () => {
  for (const window of [DESK, PHONE]) {
    const { page, approve } = await approvalOf(stage, "-old\n+new", window);
    assert.equal(await page.locator(".decision-bar").count(), 0);
    const { height } = await page.getByText(END, { exact: true }).boundingBox();
    assert.ok(height <= 1, "its end is not told");
    await page.keyboard.press("1");
    await page.keyboard.press("Enter");
    await page.getByText(COUNTED).waitFor();
    assert.equal(await approve.count(), 0);
    assert.deepEqual(page.problems, []);
  }
});

test("S5 it guards the page, and not the API", async () => {
  const { id, page } = await approvalOf(stage, diffOf(300));
  await hub.answer(id, "approve");
  await page.getByText("through the API").waitFor();
  assert.equal(await page.locator(".decision-bar").count(), 0);
  assert.deepEqual(page.problems, []);
});
