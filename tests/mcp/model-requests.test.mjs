// The requests that real clients send to their models: whether the model is told of the tools that ask, and what it reads of each outcome.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Hub } from "../../clients/typescript/live/hub.mjs";
import { ASKING_TOOLS, answered, choice, text } from "./support/asking.mjs";
import { Claude } from "./support/claude.mjs";
import { codexExec } from "./support/codex.mjs";
import { MESSAGES, RESPONSES } from "./support/model-apis.mjs";
import { Model, say, use } from "./support/model.mjs";
import { answer, asked, cancel, decline } from "./support/person.mjs";
import { shim } from "./support/typescript.mjs";

/** The seconds that a call of the server `hurried` waits. */
const BUDGET_S = 1;

const CANCELLED = "The question was cancelled before anyone answered. Do not assume an answer.";

let hub;

before(async () => {
  hub = await Hub.start();
});
after(() => hub?.end());

/** What a model asks, what a person does about it, and what the model is to read. Only a person's answer has a name and a time. */
const CASES = [
  {
    name: "answered",
    tool: "AskUserQuestion",
    input: choice,
    act: (question) => answer(hub, question, "SQLite"),
    reads: (question) => answered(question, "SQLite"),
    status: "answered",
    isAnswered: true,
  },
  {
    name: "confirm answered no",
    input: (message) => ({ type: "confirm", message }),
    act: (question) => answer(hub, question, "no"),
    reads: (question) => `User answered the following questions:\n\n1. ${question}\n   Selected: no`,
    status: "answered",
    isAnswered: true,
  },
  {
    name: "declined with a reason",
    input: text,
    act: (question) => decline(hub, question, "Which region?"),
    reads: () => "The user declined to answer. Reason: Which region?",
    status: "declined",
    isAnswered: true,
  },
  {
    name: "rejected approval",
    input: (message) => ({ type: "approval", message }),
    act: (question) => answer(hub, question, "reject"),
    reads: () => "The user rejected this.",
    status: "declined",
    isAnswered: true,
  },
  {
    name: "approval rejected with a reason",
    input: (message) => ({ type: "approval", message }),
    act: (question) => decline(hub, question, "not on a Friday"),
    reads: () => "The user rejected this. Reason: not on a Friday",
    status: "declined",
    isAnswered: true,
  },
  {
    name: "cancelled",
    input: text,
    act: (question) => cancel(hub, question),
    reads: () => CANCELLED,
    status: "cancelled",
  },
  {
    name: "cancelled with a reason",
    input: text,
    act: (question) => cancel(hub, question, "the build was stopped"),
    reads: () => `${CANCELLED} Reason: the build was stopped`,
    status: "cancelled",
  },
  {
    name: "expired",
    input: (message) => ({ ...text(message), timeout: 1 }),
    reads: () => "Nobody answered within 1s. Do not assume an answer.",
    status: "expired",
  },
  {
    name: "expired with a default",
    input: (message) => ({ type: "number", message, timeout: 1, onTimeout: { default: ["8080"] } }),
    reads: () => "Nobody answered within 1s. Use the declared default: 8080",
    status: "expired",
  },
  {
    name: "pending",
    server: "hurried",
    input: text,
    act: async (question) => (await asked(hub, question)).id,
    reads: (_, id) =>
      "Nobody has answered yet. The question is still open, and the person can answer at any time.\n" +
      `To go on waiting, call wait_for_answer with request_id ${id}. Do not assume an answer.`,
    status: "pending",
  },
  {
    name: "refused arguments",
    input: (message) => ({ type: "number", message, step: -1, colour: "red" }),
    reads: () => /^Nothing was asked, because the arguments are not right:\n(- (step|colour): .*\n?){2}$/,
  },
];

/**
 * The clients: how each is run, which API its model speaks, what it calls a tool, the tools in a request, and what the model reads of a
 * result: `{message, …}`.
 */
const CLIENTS = {
  "Claude Code": {
    api: MESSAGES,
    run: (model, servers) => Claude.start(model, { servers, tools: Object.keys(servers).map((server) => `mcp__${server}`) }),
    call: (server, tool) => `mcp__${server}__${tool}`,
    tools: ({ tools = [] }) => tools.map(({ name, input_schema, defer_loading }) => ({ name, schema: input_schema, isDeferred: defer_loading === true })),
    // Of an error it hands on the text alone.
    read: ({ content, is_error }) => (is_error ? { message: content } : parsed(content)),
  },
  Codex: {
    api: RESPONSES,
    run: (model, servers) => codexExec(model, toml(servers)),
    call: (server, tool) => `mcp__${server}/${tool}`,
    tools: ({ tools = [] }) =>
      tools
        .filter(({ type }) => type === "namespace")
        .flatMap(({ name: namespace, tools }) =>
          tools.map(({ name, parameters, defer_loading }) => ({ name: `${namespace}/${name}`, schema: parameters, isDeferred: defer_loading === true })),
        ),
    read: ({ content }) => parsed(content.replace(/^Wall time: .*\nOutput:\n/, "")),
  },
};

/** Structured content as a model reads it, with its message first. */
function parsed(content) {
  assert.ok(content.startsWith('{"message":'), content);
  return JSON.parse(content);
}

/** Servers in Codex's configuration. JSON's strings and lists are TOML's, too. */
const toml = (servers) =>
  Object.entries(servers)
    .map(([name, { command, args, env }]) => {
      const variables = Object.entries(env).map(([variable, value]) => `${variable} = ${JSON.stringify(value)}`);
      return `[mcp_servers.${name}]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\nenv = { ${variables.join(", ")} }\n`;
    })
    .join("\n");

for (const [client, { api, run, call, tools, read }] of Object.entries(CLIENTS)) {
  test(`Q6 ${client}: the model's first request has the tools that ask, and later ones have the text of each outcome`, async () => {
    const questions = CASES.map(({ name }) => `What about ${name}, in ${client}?`);
    const script = (results, body) => {
      const at = results.length;
      if (at >= CASES.length || tools(body).length === 0) return say("Thank you.");
      const { server = "askback", tool = "request_user_input", input } = CASES[at];
      return use(call(server, tool), input(questions[at]), `toolu_${at}`);
    };
    const model = await Model.start(script, api);
    const servers = { askback: { type: "stdio", ...shim(hub) }, hurried: { type: "stdio", ...shim(hub, { wait: BUDGET_S }) } };
    const program = run(model, servers);
    try {
      const ids = [];
      for (const [at, { act }] of CASES.entries()) ids.push(await act?.(questions[at]));
      assert.equal(await program.ended, 0, program.complaints);

      const offered = tools(model.asked[0]);
      for (const tool of ASKING_TOOLS) {
        const found = offered.find(({ name }) => name === call("askback", tool));
        assert.ok(found, `${tool} is in the first request: ${offered.map(({ name }) => name).join(", ")}`);
        assert.ok(found.schema.properties.questions.items, `${tool} has its schema: ${JSON.stringify(found)}`);
        assert.equal(found.isDeferred, false, tool);
      }

      assert.equal(model.results.length, CASES.length, program.complaints);
      for (const [at, { name, reads, status, isAnswered = false }] of CASES.entries()) {
        const { message, ...fields } = read(model.results[at]);
        const expected = reads(questions[at], ids[at]);
        if (expected instanceof RegExp) assert.match(message, expected, name);
        else assert.equal(message, expected, name);
        assert.equal(fields.status, status, name);
        if (status === undefined) continue;
        for (const field of ["answeredBy", "answeredAt"]) assert.equal(fields[field] !== null, isAnswered, `${name}: ${field}`);
      }
    } finally {
      await program.end();
      model.end();
    }
  });
}
