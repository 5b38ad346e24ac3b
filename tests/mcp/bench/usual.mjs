// What askback is measured beside: an MCP server as one would write it, with the official SDK, in Node.js. It keeps what is asked in
// memory, so that nothing outlives it. Over HTTP it is told the answers: `POST /NUMBER`.

import { createServer } from "node:http";
import { createContext, runInContext } from "node:vm";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { z } from "zod";

const waiting = new Map();
let asked = 0;

const ask = () => new Promise((resolve) => waiting.set(String(asked++), resolve));
const said = (text) => ({ content: [{ type: "text", text }] });

const server = new McpServer({ name: "usual", version: "1.0.0" });
server.registerTool("ask", { inputSchema: { message: z.string() } }, async () => said(await ask()));
server.registerTool("execute_code", { inputSchema: { code: z.string() } }, async ({ code }) => {
  const context = createContext({ requestUserInput: ask });
  return said(String(await runInContext(`(async () => {${code}})()`, context)));
});

const answers = createServer((request, response) => {
  const number = request.url.slice(1);
  waiting.get(number)?.("Ada");
  waiting.delete(number);
  response.end(String(asked));
});
answers.listen(0, "127.0.0.1", () => {
  process.stderr.write(`${answers.address().port}\n`);
  server.connect(new StdioServerTransport());
});
