// The hub goes away and comes back: nothing that was typed or sent is lost, and everything counts once.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { FORM } from "./asked.mjs";
import { COUNTED, KEPT, LATE, OFFLINE, QUESTION, back, endings, field, gated, keptIn, leave, seen, send, shelf } from "./away.mjs";
import { Browser, calm } from "./browser.mjs";

let hub;
let browser;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
});

beforeEach(async () => {
  if (!hub.isUp) await hub.resume();
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

test("W2 what was entered survives a reload, for every kind", async () => {
  const id = await hub.ask({ room: "shop", ...FORM });
  const page = await browser.open(hub, `/r/${id}`);
  const group = (kind) => page.getByRole("group", { name: `Your ${kind}?` });
  const textbox = (kind) => page.getByRole("textbox", { name: `Your ${kind}?` });
  await group("approval").getByRole("radio", { name: "Approve" }).check();
  await group("confirm").getByRole("radio", { name: "No" }).check();
  await textbox("text").fill("  two blanks before");
  await textbox("multiline").fill("one\ntwo");
  await group("choice").getByRole("checkbox", { name: /United States/ }).check();
  await group("choice").getByRole("checkbox", { name: /^Other/ }).check();
  await group("choice").getByRole("textbox").fill("Mars");
  await group("choice").getByRole("checkbox", { name: /Europe/ }).check();
  await textbox("number").fill("0.3");
  await textbox("email").fill("ada@example.com");
  await page.getByLabel("Your date?").fill("2026-11-16");
  await page.getByRole("combobox", { name: "Your dropdown?" }).fill("Ced");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await group("rating").getByRole("radio", { name: "4 of 5" }).check();
  await page.getByText("Ask back, or decline").click();
  await page.getByRole("textbox", { name: "Your question, or why not" }).fill("Which moon?");
  await seen(page, "10 of 10 answered");
  await until("the last of it is kept", async () => (await shelf(page, "drafts")).some(({ reason }) => reason === "Which moon?"));

  await page.reload();
  await seen(page, "10 of 10 answered");
  assert.ok(await group("approval").getByRole("radio", { name: "Approve" }).isChecked());
  assert.ok(await group("confirm").getByRole("radio", { name: "No" }).isChecked());
  assert.equal(await textbox("text").inputValue(), "  two blanks before");
  assert.equal(await textbox("multiline").inputValue(), "one\ntwo");
  assert.equal(await group("choice").getByRole("textbox").inputValue(), "Mars");
  assert.equal(await textbox("number").inputValue(), "0.3");
  assert.equal(await textbox("email").inputValue(), "ada@example.com");
  assert.equal(await page.getByLabel("Your date?").inputValue(), "2026-11-16");
  assert.equal(await page.getByRole("combobox", { name: "Your dropdown?" }).inputValue(), "Cedar");
  assert.ok(await group("rating").getByRole("radio", { name: "4 of 5" }).isChecked());
  assert.equal(await page.getByRole("textbox", { name: "Your question, or why not" }).inputValue(), "Which moon?");

  await page.getByRole("button", { name: "Review" }).click();
  await calm(page);
  await page.getByRole("button", { name: "Send answers" }).click();
  await seen(page, COUNTED);
  const { answers } = await hub.outcome(id);
  assert.equal(answers[4].response, "us, Mars, eu", "F4 also the order in which options were chosen was kept");
  await until("the draft is forgotten", async () => (await keptIn(page)).drafts === 0);
  assert.deepEqual(page.problems, []);
});

test("L2 a hub that is killed in the middle gets the answer when it is back, once", async () => {
  const id = await hub.ask(QUESTION);
  const page = await browser.open(hub, `/r/${id}`);
  const received = hub.outcome(id, 30).catch(() => hub.outcome(id, 30));
  received.catch(() => {});
  await field(page).fill("Zephyr");
  await hub.stop("SIGKILL");
  await seen(page, OFFLINE);
  assert.equal(await field(page).inputValue(), "Zephyr", "what was typed stays");
  await send(page, "Zephyr");
  await seen(page, KEPT);
  await seen(page.getByRole("definition"), "Zephyr");
  assert.equal(await page.getByText(COUNTED).count(), 0, "nothing is accepted until the hub has said so");
  await hub.resume();
  await back(page);
  await seen(page, COUNTED);
  await page.getByText(OFFLINE).waitFor({ state: "detached" });
  const outcome = await hub.outcome(id, 30);
  assert.deepEqual([outcome.status, outcome.answers[0].response, outcome.surface], ["answered", "Zephyr", "page"]);
  assert.equal(await endings(hub, id), 1);
  await hub.stop("SIGKILL");
  await seen(page, OFFLINE);
  await hub.resume();
  await back(page);
  assert.equal(await endings(hub, id), 1, "nor does it come again with the next connection");
  assert.deepEqual(await keptIn(page), { drafts: 0, queue: 0 });
  assert.deepEqual(page.problems, []);
});

test("W2 an answer that is not sent survives the tab, and is sent by the next, once", async () => {
  const id = await hub.ask(QUESTION);
  const { page, gate } = await gated(browser, hub, `/r/${id}`);
  await hub.stop("SIGKILL");
  await seen(page, OFFLINE);
  await send(page, "Mistral");
  await seen(page, KEPT);
  await gate.shut();
  await hub.resume();

  await page.reload();
  await seen(page, OFFLINE);
  assert.equal((await keptIn(page)).queue, 1);
  assert.equal((await hub.outcome(id)).status, "pending", "nothing but the connection of the page brings it");

  const tab = await browser.tab(page, hub, "/");
  await page.close();
  await until("it is answered", async () => (await hub.outcome(id)).status === "answered");
  await tab.goto(`${hub.origin}/r/${id}`);
  await seen(tab, "Answered by you");
  assert.equal((await hub.outcome(id)).answers[0].response, "Mistral");
  assert.equal(await endings(hub, id), 1);
  await until("nothing is kept", async () => (await keptIn(tab)).queue === 0);
  assert.deepEqual(tab.problems, []);
});

test("L1 answered by somebody else meanwhile: too late, by whom, and what was given can be read", async () => {
  const rita = (await hub.give({ role: "answerer", name: "rita" })).secret;
  const sent = await hub.ask(QUESTION);
  const { page, gate } = await gated(browser, hub, `/r/${sent}`);
  await leave(page, gate);
  await send(page, "Sirocco");
  await seen(page, KEPT);
  await hub.answer(sent, "Bora", rita);
  gate.open();
  await back(page);
  await seen(page, LATE);
  await seen(page, /Answered by rita through the API/);
  await seen(page.getByRole("definition"), "Bora");
  await page.getByRole("heading", { name: "What you had entered" }).waitFor();
  await seen(page.getByRole("definition"), "Sirocco");
  assert.equal(await endings(hub, sent), 1);
  assert.equal((await keptIn(page)).queue, 0);
  assert.deepEqual(page.problems, []);
});

test("W2 what was typed and not sent can be read when somebody else was faster", async () => {
  const id = await hub.ask(QUESTION);
  const { page, gate } = await gated(browser, hub, `/r/${id}`);
  await leave(page, gate);
  await field(page).fill("Föhn");
  await hub.answer(id, "Bora");
  gate.open();
  await back(page);
  await page.getByRole("heading", { name: "What you had entered" }).waitFor();
  await seen(page.getByRole("definition"), "Föhn");
  assert.equal(await page.getByText(LATE).count(), 0, "nothing was sent, so nothing was late");
  await page.getByRole("button", { name: "Forget it" }).click();
  await page.getByText("Föhn").waitFor({ state: "detached" });
  await until("it is forgotten", async () => (await keptIn(page)).drafts === 0);
  assert.deepEqual(page.problems, []);
});

test("L4 expired meanwhile: too late, and the asker was told so", async () => {
  const { page, gate } = await gated(browser, hub, "/");
  const id = await hub.ask({ ...QUESTION, timeout: 4 });
  await page.getByRole("link", { name: QUESTION.message }).click();
  await leave(page, gate);
  await send(page, "Sirocco");
  await seen(page, KEPT);
  await until("it has expired", async () => (await hub.outcome(id)).status === "expired");
  gate.open();
  await back(page);
  await seen(page, LATE);
  await seen(page, "Nobody answered in time");
  await seen(page, "The asker was told that nobody answered.");
  await seen(page.getByRole("definition"), "Sirocco");
  assert.deepEqual(page.problems, []);
});

test("W2 the last word counts: another answer takes the place of one that is not sent", async () => {
  const id = await hub.ask(QUESTION);
  const { page, gate } = await gated(browser, hub, `/r/${id}`);
  await leave(page, gate);
  await send(page, "First");
  await seen(page, KEPT);
  await page.getByRole("button", { name: "Answer differently" }).click();
  assert.equal(await field(page).inputValue(), "First", "what was given is there to be changed");
  await send(page, "Second");
  await seen(page.getByRole("definition"), "Second");
  // Whatever was kept of both must come to the same after a reload.
  await page.reload();
  await seen(page, OFFLINE);
  gate.open();
  await back(page);
  await until("it is answered", async () => (await hub.outcome(id)).status === "answered");
  assert.equal((await hub.outcome(id)).answers[0].response, "Second");
  await seen(page, COUNTED);
  assert.equal(await endings(hub, id), 1);
  await until("nothing is kept", async () => (await keptIn(page)).queue === 0);
  assert.deepEqual(page.problems, []);
});

test("W2 a call that the hub does not respond to fails in time, and can be made again", async () => {
  const page = await browser.open(hub);
  await page.clock.install();
  await page.goto(`${hub.origin}/history`);
  const older = page.getByRole("button", { name: "Show older ones" });
  const LIST = "**/api/v1/requests?limit=*";
  let calls = 0;
  await page.route(LIST, () => void (calls += 1));
  await older.click();
  await until("the call is made", () => calls === 1);
  await page.clock.fastForward(19_000);
  assert.ok(await page.getByText("Looking…").isVisible());
  await page.clock.fastForward(2000);
  await seen(page, "The hub could not be reached. Try again.");
  await page.unroute(LIST);
  await older.click();
  await seen(page, "That is all.");
  assert.deepEqual(page.problems, []);
});
