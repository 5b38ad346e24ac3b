// Two browsers and a terminal race for one request: one wins, and the others hear at once who that was.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm } from "./browser.mjs";
import { Gate } from "./gate.mjs";
import { Terminal, answerByCommand } from "./terminal.mjs";

let hub;
let browser;
/** Two people with their own names, each before a window that holds back what the hub says if it is told to. */
let rita;
let paul;
/** A third, on the command line. */
let tess;

before(async () => {
  hub = await Hub.start();
  browser = await Browser.start();
  const tokenOf = async (name) => (await hub.give({ role: "answerer", name })).secret;
  const windowOf = async (name) => {
    const page = await browser.open(hub, "/", { token: await tokenOf(name) });
    page.gate = await Gate.before(page);
    await page.reload();
    return page;
  };
  [rita, paul, tess] = await Promise.all([windowOf("rita"), windowOf("paul"), tokenOf("tess")]);
});

after(async () => {
  await browser?.end();
  await hub?.end();
});

const COUNTED = "Your answer was accepted.";
const LATE = "Too late: what you sent does not count.";

/** Goes to a request without loading the page again: all that is shown then came by itself. */
async function show(page, message) {
  await page.getByRole("link", { name: message }).click();
  await page.getByRole("article").getByText(message).first().waitFor();
}

/** Presses it, if it is still there. */
async function press(page, name) {
  await page.getByRole("button", { name, exact: true }).click({ timeout: 2000 }).catch(() => {});
}

/** How often something became of the request. */
async function endings(id) {
  const { json } = await hub.call("GET", `/api/v1/audit?id=${id}&limit=200`);
  return json.items.filter(({ event }) => event !== "request.created").length;
}

const hubSays = async (id) => (await hub.call("GET", `/api/v1/requests/${id}`)).json;

/** What a window must show, given who won and where. */
async function tells(page, name, winner, where) {
  const who = name === winner ? `Answered by you (${name}) ${where}` : `Answered by ${winner} ${where}`;
  await page.getByText(who).waitFor();
  assert.equal(await page.getByText(COUNTED).count(), name === winner ? 1 : 0, `${name} has a tick if and only if ${name} won`);
  assert.deepEqual(page.problems, []);
}

const WHERE = { page: "on the page", terminal: "in the terminal", cli: "on the command line" };

/** Who begins, so that everybody has a chance to be first. */
for (const first of ["rita", "paul", "the terminal", "nobody"]) {
  test(`L1 two browsers and a terminal, ${first} first: one wins, the others show who`, async () => {
    const message = `Shall we, if ${first} comes first?`;
    const terminal = Terminal.confirm(hub, message);
    try {
      await Promise.all([show(rita, message), show(paul, message)]);
      const id = rita.url().split("/").at(-1);
      await until("the terminal asks", () => terminal.screen.includes(message));
      await calm(rita);
      const moves = {
        rita: () => press(rita, "Yes"),
        paul: () => press(paul, "No"),
        "the terminal": async () => terminal.type("y\r"),
      };
      await moves[first]?.();
      await Promise.all(Object.values(moves).map((move) => move()));
      const code = await terminal.ended;

      const { status, response, answeredBy, surface } = await hubSays(id);
      assert.equal(status, "answered");
      assert.equal(await endings(id), 1, "exactly one answer counts");
      assert.equal(response, answeredBy === "paul" ? "no" : "yes", "it is the winner’s");
      assert.equal(code, response === "yes" ? 0 : 1, "and it is what the command that asked got");
      await Promise.all([tells(rita, "rita", answeredBy, WHERE[surface]), tells(paul, "paul", answeredBy, WHERE[surface])]);
      if (surface !== "terminal") assert.ok(terminal.screen.includes(`answered by ${answeredBy} (page)`), terminal.screen);
      await Promise.all([rita, paul].map((page) => page.getByRole("link", { name: message }).waitFor({ state: "detached" })));
    } finally {
      terminal.kill();
    }
  });
}

test("L1 both press before either has heard: one has a tick, the other is too late and shows who won", async () => {
  for (const round of [1, 2, 3]) {
    const message = `Shall we, ${round}?`;
    const id = await hub.ask({ room: "shop", type: "confirm", message });
    const received = hub.outcome(id, 30);
    await Promise.all([show(rita, message), show(paul, message)]);
    await calm(rita);
    for (const page of [rita, paul]) page.gate.hold();
    await Promise.all([press(rita, "Yes"), press(paul, "No")]);
    const { answeredBy: winner } = await received;
    for (const page of [rita, paul]) assert.equal(await page.getByText(COUNTED).count(), 0, "no tick before the hub has spoken");
    for (const page of [rita, paul]) page.gate.release();
    const [won, lost] = winner === "rita" ? [rita, paul] : [paul, rita];
    await won.getByText(COUNTED).waitFor();
    await lost.getByText(LATE).waitFor();
    await lost.getByText(`Answered by ${winner} on the page`).waitFor();
    assert.equal(await won.getByText(LATE).count(), 0);
    assert.equal(await lost.getByText(COUNTED).count(), 0);
    assert.equal(await endings(id), 1);
  }
  assert.deepEqual([...rita.problems, ...paul.problems], []);
});

test("L1 answered on the command line: pages say so at once, and keep what was typed", async () => {
  const message = "What shall it be called?";
  const id = await hub.ask({ room: "shop", type: "text", message });
  await Promise.all([show(rita, message), show(paul, message)]);
  await rita.getByRole("textbox", { name: message }).fill("Zephyr");
  assert.equal((await answerByCommand(hub, id, "Mistral", tess)).code, 0);
  await Promise.all([tells(rita, "rita", "tess", WHERE.cli), tells(paul, "paul", "tess", WHERE.cli)]);
  await rita.getByRole("heading", { name: "What you had entered" }).waitFor();
  await rita.getByRole("definition").getByText("Zephyr").waitFor();
  assert.equal(await rita.getByText(LATE).count(), 0, "she had sent nothing");
  assert.equal(await paul.getByRole("heading", { name: "What you had entered" }).count(), 0, "he had typed nothing");
});

test("L1 sent before the news came: too late, by whom, and what was sent can be read", async () => {
  const message = "Which wind?";
  const id = await hub.ask({ room: "shop", type: "text", message });
  await show(rita, message);
  await rita.getByRole("textbox", { name: message }).fill("Zephyr");
  await calm(rita);
  rita.gate.hold();
  assert.equal((await answerByCommand(hub, id, "Bora", tess)).code, 0);
  await press(rita, "Send answer");
  rita.gate.release();
  await rita.getByText(LATE).waitFor();
  await tells(rita, "rita", "tess", WHERE.cli);
  await rita.getByRole("definition").getByText("Bora").waitFor();
  await rita.getByRole("definition").getByText("Zephyr").waitFor();
  const { code, said } = await answerByCommand(hub, id, "Föhn", tess);
  assert.equal(code, 1);
  assert.match(said, /already answered by "tess"/);
});
