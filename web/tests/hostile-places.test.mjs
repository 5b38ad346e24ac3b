// Hostile texts wherever a text of somebody else can stand: nothing runs, nothing is fetched, nothing is hidden.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { each, until } from "../../clients/typescript/live/hub.mjs";
import { calm } from "./browser.mjs";
import { Gate } from "./gate.mjs";
import { hidden } from "./hostile-screen.mjs";
import { hostileTexts } from "./hostile.mjs";
import { Stage } from "./hostile-stage.mjs";
import { hideTab, notifications, recordNotifications, wantNotifications } from "./notifications.mjs";

let stage;
let hub;
let page;

before(async () => {
  stage = await Stage.set();
  ({ hub, page } = stage);
});
after(() => stage?.clear());

const cut = (text, length) => [...text].slice(0, length).join("");

/** As it passes where one line is expected: a hub refuses control characters there. */
const line = (text, length = 200) => cut(text.replace(/\p{Cc}/gu, picture).trim(), length).trim();

/** The sign for a control character: no two texts become the same. */
const picture = (character) => (character < " " ? String.fromCodePoint(0x2400 + character.codePointAt(0)) : "\u2421");

/** As it passes in an answer or a reason. */
const lines = (text, length = 10_000) => cut(text.replace(/(?![\n\t])\p{Cc}/gu, " "), length);

const texts = hostileTexts.filter(({ text, isLarge }) => !isLarge && text.trim() !== "").map(({ text }) => text);

/** The texts of elements as somebody wrote them: a mark is the character that it stands for. */
function written(page, selector) {
  return page.locator(selector).evaluateAll((elements) =>
    elements.map((element) => {
      const copy = element.cloneNode(true);
      for (const mark of copy.querySelectorAll("mark.hidden-character")) {
        mark.replaceWith(String.fromCodePoint(Number.parseInt(mark.textContent.slice("<U+".length), 16)));
      }
      return copy.textContent;
    }),
  );
}

const sorted = (all) => [...all].sort();

/** Everything that has a name has one of these. */
const titles = texts.map((text) => line(text));

/** Names with @ in front are a hub's own. */
const roomOf = (text) => `in ${line(text, 190)}`;

/** By the id of the request that says it everywhere. */
const textOf = new Map();

test("S2 as the title of a question that comes while somebody listens: what is announced says all of it", async () => {
  await page.getByText("Nothing is waiting.").first().waitFor();
  const id = await hub.ask({ room: "shop", type: "text", title: "turned\u202e around, del\u200bete", message: "What?" });
  await page.getByRole("status").getByText("New question: turned<U+202E> around, del<U+200B>ete").waitFor();
  await hub.answer(id, "nothing");
  await page.getByText("Nothing is waiting.").first().waitFor();
  await stage.nothingHappened();
});

/** Neither repeats the title, or it would be left out. */
const headerOf = (text) => `H ${line(text, 38)}`;
const messageOf = (text) => `M ${lines(text)}`;

test("S2 as title, room, name of who asks: the list and the notification say all of it", async () => {
  const elsewhere = await stage.window({ prepare: (page) => Promise.all([hideTab, recordNotifications, wantNotifications].map((how) => how(page))) });
  await Promise.all([page, elsewhere].map((page) => page.getByText("Nothing is waiting.").first().waitFor()));
  const told = () => notifications(elsewhere);
  for (const [index, text] of texts.entries()) {
    const name = line(text);
    const { secret } = await hub.give({ role: "asker", name });
    const question = { type: "multiline", header: headerOf(text), message: messageOf(text), placeholder: name, initial: lines(text) };
    textOf.set(await hub.ask({ room: roomOf(text), title: name, from: name, ...question }, secret), text);
    // More than three at once are told as one.
    if (index % 3 === 2) await until("they are told", async () => (await told()).length === index + 1);
  }
  const all = `Inbox (${texts.length})`;
  await Promise.all([page, elsewhere].map((page) => page.getByRole("link", { name: all }).waitFor()));
  await until("all rows are drawn", async () => (await page.locator("[data-row]").count()) === texts.length);
  assert.deepEqual(sorted(await written(page, "[data-row] .entry-name")), sorted(titles));
  assert.deepEqual(sorted(await written(page, "[data-row] bdi")), sorted(titles));
  assert.deepEqual(sorted(await written(page, ".group-name bdi")), sorted(texts.map(roomOf)));
  assert.equal((await told()).length, texts.length, "each is told");
  assert.deepEqual((await told()).filter(({ title, body }) => hidden.test(title) || hidden.test(body)), []);
  await stage.nothingHappened();
  await stage.nothingHappened(elsewhere);
  await elsewhere.close();
});

test("S2 as names in the search, and of groups by agent", async () => {
  await page.getByRole("button", { name: "Search and filter" }).click();
  await page.getByRole("searchbox").waitFor();
  for (const name of ["Room", "Agent"]) {
    const options = await page.getByRole("combobox", { name }).locator("option").allTextContents();
    assert.ok(options.length > texts.length / 2, `${options.length} of ${name}`);
    assert.deepEqual(options.filter((option) => hidden.test(option)), []);
  }
  await page.getByRole("combobox", { name: "Group by" }).selectOption("agent");
  assert.deepEqual(sorted(await written(page, ".group-name bdi")), sorted(titles));
  assert.deepEqual(sorted(await written(page, "[data-row] bdi")), sorted(texts.map(roomOf)));
  const letters = await page.locator(".avatar").allTextContents();
  assert.deepEqual(letters.filter((letter) => hidden.test(letter) || [...letter].length > 3), []);
  await page.getByRole("combobox", { name: "Group by" }).selectOption("room");
  await page.getByRole("searchbox").fill("<script>");
  await until("few are left", async () => (await page.locator("[data-row]").count()) < texts.length);
  await page.getByRole("button", { name: "Clear" }).click();
  await stage.nothingHappened();
});

test("S2 as message, header, placeholder, initial, and as the answer and the name of somebody else", async () => {
  const send = page.locator("form").getByRole("button", { name: "Send answer" });
  for (const _ of texts) {
    await page.keyboard.press("n");
    await send.waitFor();
    const id = page.url().split("/").at(-1);
    const text = textOf.get(id);
    const title = line(text);
    assert.deepEqual(await written(page, "article h1"), [title]);
    assert.deepEqual(await written(page, "article .question-message"), [messageOf(text).replaceAll("\r\n", "\n")]);
    assert.deepEqual(await written(page, "article .chip"), [headerOf(text)]);
    assert.equal(hidden.test(await page.title()), false);
    const { secret } = await hub.give({ role: "answerer", name: cut(`${line(text, 190)} too`, 200) });
    await hub.answer(id, lines(text), secret);
    await send.waitFor({ state: "detached" });
    assert.deepEqual(await written(page, ".outcome .notice bdi"), [cut(`${line(text, 190)} too`, 200)]);
    assert.deepEqual(await written(page, ".outcome .notice .response"), [lines(text).replaceAll("\r\n", "\n")]);
  }
  await stage.nothingHappened();
});

test("S2 as names and answers of the history", async () => {
  await page.getByRole("link", { name: "History" }).click();
  await page.getByRole("heading", { name: "History" }).waitFor();
  const rows = page.locator(".history [data-row]");
  await until("the newest are there", async () => (await rows.count()) > 0);
  await page.getByRole("button", { name: "Show older ones" }).click();
  await until("all are there", async () => (await rows.count()) === texts.length + 1);
  const names = await written(page, ".history .entry-name");
  assert.deepEqual(titles.filter((title) => !names.includes(title)), []);
  await stage.nothingHappened();
});

test("S2 as titles, names, rooms and answers of the audit log", async () => {
  await page.getByRole("link", { name: "Audit log" }).click();
  const rows = page.locator(".event");
  await until("the newest are there", async () => (await rows.count()) >= 50);
  const older = page.getByRole("button", { name: "Show older ones" });
  for (let before = 0; (await older.count()) > 0; ) {
    before = await rows.count();
    await older.click();
    await until("more are there, or all", async () => (await rows.count()) > before);
  }
  assert.ok((await rows.count()) >= 2 * texts.length);
  await stage.nothingHappened();
});

/** Chooses everything there is, one after the other as a person does, and gives the previews that were seen on the way. */
function chooseAll(page) {
  return page.evaluate(async () => {
    const previews = [];
    for (const input of document.querySelectorAll(".option-rows input, input[value=approve]")) {
      input.focus();
      input.click();
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (input.closest(".options")) previews.push(document.querySelector(".preview figcaption bdi").innerText);
    }
    return previews;
  });
}

test("S2 as what can be chosen: label, value, description, preview, the words of an approval, the ends of a scale", async () => {
  const options = texts.map((text, index) => ({
    value: cut(`${index} ${line(text, 900)}`, 1000),
    label: cut(`${index} ${line(text, 190)}`, 200),
    description: lines(text),
    preview: lines(text),
  }));
  const halves = texts.slice(0, texts.length / 2).map((text, index) => [line(text), line(texts[index + texts.length / 2])]);
  const labelled = await accepted(halves.map(distinct));
  const approvals = labelled.map((labels) => ({ type: "approval", message: lines(labels.join("\n")), labels }));
  const scales = halves.map(([low, high]) => ({ type: "rating", message: "How much?", initial: "3", ends: { low, high } }));
  const choices = [
    { type: "choice", message: "Which?", multiSelect: true, options },
    { type: "dropdown", message: "Which one?", options, initial: options[0].value },
    { type: "text", message: "What?", initial: line(texts.join(" "), 5000), placeholder: line(texts.join(" ")) },
  ];
  const reason = lines(texts.map((text) => cut(text, 95)).join("\n"));
  for (const questions of [[...choices, ...approvals], scales]) {
    const id = await hub.ask({ room: "shop", questions });
    await page.goto(`${hub.origin}/r/${id}`);
    await page.getByRole("button", { name: "Review" }).waitFor();
    if (questions === scales) {
      assert.deepEqual(await written(page, ".ends bdi"), halves.flat());
    } else {
      assert.deepEqual(await written(page, ".option-rows .option-label"), options.map(({ label }) => label));
      assert.equal(new Set(await chooseAll(page)).size, options.length, "each has had its preview");
      await page.getByRole("combobox").press("ArrowDown");
      await until("all of them are in the list", async () => (await page.getByRole("option").count()) === options.length);
      await page.keyboard.press("Escape");
    }
    await calm(page);
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("heading", { name: "Your answers" }).waitFor();
    assert.equal(await page.locator("form").getByRole("button", { name: "Change the answer to" }).count(), questions.length);
    const { secret } = await hub.give({ role: "answerer", name: `Eve of ${questions.length}` });
    await hub.call("POST", `/api/v1/requests/${id}/decline`, { token: secret, body: { reason } });
    await page.getByText("Declined by").waitFor();
    assert.deepEqual(await written(page, ".outcome .notice blockquote"), [reason]);
    if (questions !== scales) await page.getByRole("heading", { name: "What you had entered" }).waitFor();
    await stage.nothingHappened();
  }
});

/** A hub takes no two labels that are the same. */
function distinct([one, other]) {
  return one === other ? [one, line(`2 ${other}`)] : [one, other];
}

/** The pairs of labels that the hub takes: it refuses those that would pass for buttons of its own (F0). */
async function accepted(pairs) {
  const found = [];
  for (const labels of pairs) {
    const body = { room: "attic", type: "approval", message: "?", labels };
    const { status, json } = await hub.call("POST", "/api/v1/requests", { token: hub.asker, body });
    if (status !== 201) continue;
    await hub.call("POST", `/api/v1/requests/${json.id}/cancel`, { token: hub.asker, body: {} });
    found.push(labels);
  }
  assert.ok(found.length > pairs.length / 2, `only ${found.length} of ${pairs.length} pairs`);
  return found;
}

test("S2 as the own name and room, and as an answer that waits to be sent", async () => {
  const name = line("turned\u202e around \u2066here\u2069, del\u200bete\u2060 all, a\u3164b\u00ade\u{e0041}<img src=x onerror=window.hostileRan=1>");
  const { secret } = await hub.give({ role: "answerer", name, room: name });
  await hub.ask({ room: name, type: "text", message: "What?" });
  let gate;
  const own = await stage.window({ token: secret, prepare: async (page) => (gate = await Gate.before(page)) });
  await own.getByRole("link", { name: "Settings" }).click();
  await until("it is said who that is", async () => (await written(own, ".you bdi")).length === 2);
  assert.deepEqual(await written(own, ".you bdi"), [name, name]);
  await own.getByRole("link", { name: "What?" }).click();
  await own.getByRole("textbox", { name: "What?" }).fill(name);
  await gate.shut();
  await own.getByText("The hub can’t be reached").waitFor();
  await calm(own);
  await own.getByRole("button", { name: "Send answer" }).click();
  await own.getByText("Kept in this browser. It is sent").waitFor();
  assert.deepEqual(await written(own, "article .response"), [name]);
  gate.open();
  await own.getByText("Your answer was accepted.").waitFor();
  await stage.nothingHappened(own);
});
