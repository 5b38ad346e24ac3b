// The README's block about the page, as a reader would run it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { after, before, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { Browser, calm } from "./browser.mjs";

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

/** The block of the README that has this in it. */
function block(text) {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
  const blocks = readme.split("```sh\n").slice(1).map((rest) => rest.split("```")[0]);
  return blocks.find((block) => block.includes(text));
}

/** Runs it in a shell, and gives what it prints as it comes. */
function run(script) {
  const env = {
    ...process.env,
    PATH: `${dirname(process.env.ASKBACK_BIN)}:${process.env.PATH}`,
    ASKBACK_DATA: hub.folder,
    // There is no terminal here, so that nobody could be taken for a person.
    ASKBACK_TOKEN: hub.person,
  };
  const shell = spawn("bash", ["-c", `${script}\nwait`], { env, stdio: ["ignore", "pipe", "inherit"] });
  const printed = { text: "" };
  shell.stdout.on("data", (data) => (printed.text += data));
  printed.ended = new Promise((resolve) => shell.on("exit", resolve));
  return printed;
}

test("W2 a script goes on when somebody has answered behind the link that it printed", async () => {
  const printed = run(block("askback open"));
  const link = await poll(() => printed.text.match(/http:\S+/)?.[0]);
  const page = await browser.follow(link, hub);
  await page.getByRole("link", { name: /Deploy version 2\.4\?/ }).click();
  await calm(page);
  await page.getByRole("button", { name: "Yes" }).click();
  await page.getByText("Your answer was accepted.").waitFor();
  assert.equal(await printed.ended, 0);
  assert.match(printed.text, /yes\ndeploying\n$/);
  assert.deepEqual(page.problems, []);
});

async function poll(find) {
  for (let tries = 0; tries < 300; tries += 1) {
    const found = find();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it never came");
}
