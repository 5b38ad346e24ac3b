// The README's way in, as a reader takes it: its one line of configuration, with no hub running, and the script of docs/mcp.md.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { has, until } from "../../clients/typescript/live/hub.mjs";
import { TOOLS, answered, choice } from "./support/asking.mjs";
import { ASKBACK, inProject } from "./support/programs.mjs";

/** A block of a page, by its language, behind a heading. */
function block(page, heading, language) {
  const section = readFileSync(inProject(page), "utf8").split(`## ${heading}\n`)[1];
  return section.split(`\`\`\`${language}\n`)[1].split("```")[0];
}

const folder = mkdtempSync(join(tmpdir(), "askback-readme-"));
/** As a shell would find it. */
const env = { PATH: `${dirname(ASKBACK)}${delimiter}${process.env.PATH}`, HOME: folder, ASKBACK_DATA: join(folder, "data") };
let client;

/** A command of a person, who has their token at hand. */
function askback(...args) {
  const token = readFileSync(join(env.ASKBACK_DATA, "person.token"), "utf8").trim();
  return execFileSync(ASKBACK, args, { cwd: folder, env: { ...env, ASKBACK_TOKEN: token }, encoding: "utf8" });
}

/** Answers as soon as it is asked. */
async function answer(message, ...responses) {
  const { id } = await until(`somebody asks “${message}”`, () => {
    const { items } = JSON.parse(askback("list", "--json"));
    return items.find(({ status, request }) => status === "pending" && request.questions[0].message === message);
  });
  askback("answer", id, ...responses);
}

before(async () => {
  const { mcpServers } = JSON.parse(block("README.md", "Let your coding agent ask", "json"));
  const { command, args } = mcpServers.askback;
  client = new Client({ name: "reader", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args, env, cwd: folder }));
});
after(async () => {
  await client?.close();
  execFileSync(ASKBACK, ["hub", "stop"], { env });
  rmSync(folder, { recursive: true, force: true });
});

test("Q6 one line of configuration, and the agent asks: the hub is started when it is needed", async () => {
  const question = "Which database should we use?";
  const call = client.callTool({ name: "AskUserQuestion", arguments: choice(question) });
  // The first call that needs a hub has it started, and with it comes the person's token.
  await until("there is a hub", () => existsSync(join(env.ASKBACK_DATA, "hub.json")));
  await answer(question, "SQLite");
  assert.equal((await call).content[0].text, answered(question, "SQLite"));
});

test("the README names every tool", async () => {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), TOOLS);
  const section = readFileSync(inProject("README.md"), "utf8").split("## Let your coding agent ask\n")[1].split("\n## ")[0];
  for (const name of TOOLS) assert.ok(section.includes(`\`${name}\``), name);
});

test("the script of docs/mcp.md does what it says", async () => {
  const call = client.callTool({ name: "execute_code", arguments: { code: block("docs/mcp.md", "Scripts", "js") } });
  await answer("Deploy now?", "yes");
  // Both are asked at once: the second is answered first.
  await answer("Share of traffic?", "0.25");
  await answer("Which region?", "eu-west");
  const { structuredContent } = await call;
  has(structuredContent, { status: "finished", result: { region: "eu-west", share: 0.25 } });
  assert.match(structuredContent.console[0], /^chosen by /);
});
