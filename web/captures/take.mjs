// Takes the pictures of the page: node take.mjs FOLDER, with ASKBACK_BIN naming the binary.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm, PHONE } from "../tests/browser.mjs";

const folder = process.argv[2];
const project = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

const DESK = { viewport: { width: 1200, height: 760 } };
const CARD = { viewport: { width: 760, height: 900 } };

const approval = {
  room: "shop",
  from: "claude-code",
  type: "approval",
  header: "Cleanup",
  message: "Apply this patch?",
  context: [
    { type: "markdown", title: "Why", text: "Closing a session deletes it, and **nothing can be restored** afterwards. I would archive it instead." },
    { type: "diff", title: "plan.diff", text: project("examples/plan.diff") },
  ],
};

/** One of each kind: what is asked, and what is entered before the picture is taken. */
const KINDS = {
  text: [{ message: "Commit message?", header: "Commit" }, (page) => field(page).fill("Archive sessions instead of deleting them")],
  multiline: [{ message: "What should the release notes say?" }, (page) => field(page).fill("Sessions are archived.\nNothing is lost.")],
  choice: [
    {
      header: "Database",
      message: "Which database should we use?",
      other: true,
      options: [
        { value: "PostgreSQL (Recommended)", description: "Grows with you, and several servers can share it" },
        { value: "SQLite", description: "One file, nothing to run" },
      ],
    },
    (page) => page.getByRole("radio", { name: /SQLite/ }).check(),
  ],
  confirm: [{ message: "Deploy version 2.4 to production?" }, () => {}],
  number: [
    { message: "Share of traffic to start with?", min: 0, max: 1, step: 0.05 },
    async (page) => {
      await field(page).fill("0.33");
      await field(page).blur();
    },
  ],
  email: [{ message: "Who should review it?", domain: "example.com" }, (page) => field(page).fill("reviewer@example.com")],
  date: [{ message: "Ship on?", min: "2026-01-01" }, (page) => page.getByLabel("Ship on?").fill("2026-12-01")],
  dropdown: [
    { message: "Which country?", options: ["France", "Germany", "Ghana", "Greece", "Japan", "Kenya", "Peru"] },
    (page) => page.getByRole("combobox").pressSequentially("g"),
  ],
  rating: [{ message: "How was it?", ends: { low: "slow", high: "a joy" } }, (page) => page.getByRole("radio", { name: /^4/ }).check()],
};

const field = (page) => page.getByRole("textbox").first();

const hub = await Hub.start();
const browser = await Browser.start();
try {
  const { secret: token } = await hub.give({ role: "answerer", name: "reviewer" });
  const take = (page, name) => page.screenshot({ path: join(folder, `page-${name}.png`), animations: "disabled" });

  const ids = {};
  /** Whoever asks waits, as agents do. */
  const ask = async (request) => {
    const id = await hub.ask(request);
    hub.outcome(id, 60).catch(() => {});
    return id;
  };
  const form = JSON.parse(project("examples/deploy.json"));
  ids.form = await ask({ ...form, room: "api", timeout: 3600 });
  ids.features = await ask({ ...JSON.parse(project("examples/features.json")), room: "api" });
  ids.approval = await ask(approval);
  ids.region = await ask({ room: "shop", type: "choice", message: "Which region first?", options: ["eu-west", "us-east"], from: "release-agent" });

  for (const [name, colorScheme] of [["inbox", "light"], ["inbox-dark", "dark"]]) {
    const page = await browser.open(hub, `/r/${ids.approval}`, { ...DESK, token, colorScheme });
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.getByText("plan.diff").first().waitFor();
    await page.getByText("nothing can be restored").waitFor();
    await take(page, name);
    await page.context().close();
  }

  const phone = await browser.open(hub, `/r/${ids.approval}`, { ...PHONE, token, colorScheme: "dark" });
  await phone.getByRole("button", { name: "Approve" }).waitFor();
  await phone.getByText("nothing can be restored").waitFor();
  await take(phone, "phone");
  await phone.goto(`${hub.origin}/r/${ids.form}`);
  await phone.getByRole("radio", { name: "Approve" }).check();
  await phone.getByRole("radio", { name: /eu-west/ }).check();
  await phone.evaluate(() => window.scrollTo(0, 400));
  await take(phone, "phone-form");
  await phone.goto(`${hub.origin}/`);
  await phone.getByRole("link", { name: /Apply this patch/ }).waitFor();
  await take(phone, "phone-inbox");
  await phone.context().close();

  const desk = await browser.open(hub, `/r/${ids.form}`, { ...DESK, token });
  await desk.getByRole("radio", { name: "Approve" }).check();
  await desk.getByRole("radio", { name: /eu-west/ }).check();
  await desk.getByRole("textbox", { name: /Share of traffic/ }).fill("0.05");
  await desk.getByRole("button", { name: "Review" }).click();
  await calm(desk);
  await take(desk, "review");
  await desk.getByRole("button", { name: "Send answers" }).click();
  await desk.getByText("Your answer was accepted.").waitFor();
  await take(desk, "answered");
  await desk.context().close();

  const card = await browser.open(hub, "/", { ...CARD, token });
  for (const [type, [question, enter]] of Object.entries(KINDS)) {
    const id = await ask({ room: "kinds", type, ...question });
    await card.goto(`${hub.origin}/r/${id}`);
    await card.getByText(question.message).last().waitFor();
    await enter(card);
    const place = card.locator("[data-question]");
    // An open list hangs over the edge of its card.
    const box = await place.boundingBox();
    const isOpen = (await card.getByRole("listbox").count()) > 0;
    const list = isOpen ? await card.getByRole("listbox").boundingBox() : null;
    const height = Math.max(box.height, list ? list.y + list.height - box.y + 48 : 0);
    const clip = { x: box.x - 8, y: box.y - 8, width: box.width + 16, height: height + 16 };
    await card.screenshot({ path: join(folder, `page-kind-${type}.png`), clip, animations: "disabled" });
  }
  await card.context().close();
} finally {
  await browser.end();
  await hub.end();
}
