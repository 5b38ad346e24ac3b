// Every screen of the page, one after the other, as somebody comes to it.

import { until } from "../../clients/typescript/live/hub.mjs";
import { FORM, QUESTIONS } from "./asked.mjs";
import { calm, loginLink } from "./browser.mjs";
import { Gate } from "./gate.mjs";

const ROOM = "shop";

const CONTEXT = [
  { type: "markdown", title: "Why", text: "# Because\n\n- it is **time**\n- see [the plan](https://example.com/plan)\n\n| a | b |\n|---|---|\n| 1 | 2 |" },
  { type: "diff", text: "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new" },
  { type: "code", language: "rust", text: "fn main() {}\n".repeat(90) },
  { type: "command", text: "./deploy --env production" },
  { type: "json", text: '{"a":[1,2]}' },
];

/** Visits them all, and calls `look` with the name of each and its page. */
export async function visit(browser, hub, options, look) {
  const stranger = await browser.window(hub, options);
  await stranger.goto(hub.origin);
  await stranger.getByRole("heading", { name: "Log in" }).waitFor();
  await look("login", stranger);
  await stranger.goto(await loginLink(hub));
  await stranger.getByRole("heading", { name: /^Log in as/ }).waitFor();
  await look("login link", stranger);
  await stranger.goto(`${hub.origin}/login#code=used`);
  await stranger.reload();
  await stranger.getByRole("heading", { name: "This link no longer works" }).waitFor();
  await look("used login link", stranger);

  const page = await browser.open(hub, "/", options);
  const gate = await Gate.before(page);
  const ask = (request) => hub.ask({ room: ROOM, ...request });
  const at = async (path) => {
    await page.goto(hub.origin + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
  };
  await at("/");
  await page.getByText("Nothing is waiting.").first().waitFor();
  await look("empty inbox", page);
  await at("/history");
  await look("empty history", page);

  // Nobody will wait for these: their asker makes no other call.
  const { secret: gone } = await hub.give({ role: "asker", name: "gone" });
  const left = await Promise.all(["Left alone?", "This one, too?"].map((message) => hub.ask({ room: ROOM, type: "confirm", message }, gone)));
  await ask({ type: "approval", message: "Shall we deploy?", title: "Version 2.4", from: "release-agent", timeout: 3600 });
  await ask({ room: "another", type: "text", message: "A question in another room?" });

  for (const question of QUESTIONS) {
    const id = await ask(question);
    await at(`/r/${id}`);
    await page.getByRole("article").getByText(question.message).first().waitFor();
    await look(question.type, page);
    if (["approval", "confirm"].includes(question.type)) continue;
    await page.getByRole("article").locator("input, textarea").first().focus();
    await page.getByRole("article").getByRole("heading").first().focus();
    await page.getByText(/Expected:/).waitFor();
    await look(`${question.type} with its problem`, page);
  }

  await at(`/r/${await ask({ ...FORM, context: CONTEXT })}`);
  await page.getByText("./deploy --env production").first().waitFor();
  await page.getByText("Ask back, or decline").click();
  await look("form with context", page);
  await at(`/r/${await ask({ questions: [{ type: "text", message: "First?" }, { type: "text", message: "Second?" }] })}`);
  await page.getByRole("textbox", { name: "First?" }).fill("one");
  await page.getByRole("textbox", { name: "Second?" }).fill("two");
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("heading", { name: "Your answers" }).waitFor();
  await look("review", page);
  await calm(page);
  await page.getByRole("button", { name: "Send answers" }).click();
  await page.getByText("Your answer was accepted.").waitFor();
  await look("counted", page);

  const expiring = await ask({ type: "confirm", message: "In time?", timeout: 1, onTimeout: { default: ["no"] } });
  const lost = await ask({ type: "text", message: "Who is faster?" });
  await at(`/r/${lost}`);
  await page.getByRole("textbox", { name: "Who is faster?" }).fill("I am");
  await gate.shut();
  await page.getByText("The hub can’t be reached").waitFor();
  await look("offline", page);
  await calm(page);
  await page.getByRole("button", { name: "Send answer" }).click();
  await page.getByText("It is sent as soon as the hub is back").waitFor();
  await look("on its way", page);
  await hub.answer(lost, "you were not");
  gate.open();
  await page.getByText("Too late").waitFor();
  await look("too late", page);
  const elsewhere = await ask({ type: "text", message: "Answered elsewhere?" });
  await hub.answer(elsewhere, "yes");
  await at(`/r/${elsewhere}`);
  await page.getByText("through the API").first().waitFor();
  await look("answered elsewhere", page);
  await until("it has expired", async () => (await hub.outcome(expiring)).status === "expired");
  await at(`/r/${expiring}`);
  await page.getByText("Nobody answered in time").first().waitFor();
  await look("expired", page);
  await at("/r/nothing-of-this-name");
  await look("missing", page);
  await at("/history");
  await look("history", page);
  await page.locator(".history").getByRole("button", { name: "Search and filter" }).click();
  await page.getByRole("searchbox").fill("nothing like this");
  await page.getByText("Nothing here matches what you look for.").waitFor();
  await look("history, searched", page);
  await at("/audit");
  await page.locator(".event").first().waitFor();
  await look("audit log", page);
  await at("/nowhere");
  await look("nowhere", page);
  await at("/settings");
  await look("settings", page);
  await page.getByRole("button", { name: "All keys" }).click();
  await page.getByRole("dialog").waitFor();
  await look("keys", page);

  await until("nobody waits", async () => {
    const { items } = (await hub.call("GET", "/api/v1/requests/unattended")).json;
    return left.every((id) => items.some((item) => item.id === id));
  }, 20_000);
  await at("/");
  await page.getByText("Nobody waits").first().waitFor();
  await look("inbox", page);
  await page.getByRole("button", { name: "Search and filter" }).click();
  await page.getByRole("combobox", { name: "Group by" }).selectOption("agent");
  await page.getByRole("searchbox").fill("?");
  await look("inbox, searched and by agent", page);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.getByRole("button", { name: "Dismiss them" }).click();
  await page.getByRole("dialog").waitFor();
  await look("dismissing", page);
  return [...stranger.problems, ...page.problems];
}
