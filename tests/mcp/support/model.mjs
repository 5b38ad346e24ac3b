// A model on this machine, for programs that need one: it speaks Anthropic's Messages API and says what a story has it say.

import { createServer } from "node:http";

/** What a model says: words that end its turn. */
export const say = (text) => ({ type: "text", text });

/** What a model says: a tool to be called. */
export const use = (name, input, id = "toolu_story") => ({ type: "tool_use", id, name, input });

export class Model {
  #server;
  #script;
  /** What it was asked, oldest first: the bodies of the calls. */
  asked = [];
  /** What else was called, which is nothing if a program keeps to its model. */
  strange = [];

  /** Starts one. The script is given all results of tools so far, and gives what is said next: `use(…)` or `say(…)`. */
  static async start(script) {
    const model = new Model();
    model.#script = script;
    model.#server = createServer((request, response) => model.#serve(request, response));
    await new Promise((resolve) => model.#server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** What the tools gave that it has called, as it was told: `{tool_use_id, content, is_error?}`. */
  get results() {
    return resultsIn(this.asked.at(-1));
  }

  /** The text of the newest result. */
  get heard() {
    const { content } = this.results.at(-1) ?? {};
    return Array.isArray(content) ? content.map(({ text }) => text ?? "").join("\n") : content;
  }

  async #serve(request, response) {
    const { pathname } = new URL(request.url, this.url);
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method !== "POST" || !pathname.startsWith("/v1/messages")) {
      this.strange.push(`${request.method} ${pathname}`);
      return reply(response, 404, { type: "error", error: { type: "not_found_error", message: "not here" } });
    }
    if (pathname.endsWith("/count_tokens")) return reply(response, 200, { input_tokens: 1 });
    const body = JSON.parse(Buffer.concat(chunks).toString());
    this.asked.push(body);
    const block = this.#script(resultsIn(body), body);
    if (body.stream) stream(response, body.model, block);
    else reply(response, 200, { ...message(body.model), content: [block], ...ending(block) });
  }

  end() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function resultsIn(body) {
  const contents = (body?.messages ?? []).map(({ content }) => content).filter(Array.isArray);
  return contents.flat().filter(({ type }) => type === "tool_result");
}

const message = (model) => ({ id: "msg_story", type: "message", role: "assistant", model, usage: { input_tokens: 1, output_tokens: 1 } });

const ending = ({ type }) => ({ stop_reason: type === "tool_use" ? "tool_use" : "end_turn", stop_sequence: null });

function reply(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** Says one block, in the events in which the API says it. */
function stream(response, model, block) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const event = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  event("message_start", { message: { ...message(model), content: [], stop_reason: null, stop_sequence: null } });
  if (block.type === "text") {
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text: block.text } });
  } else {
    event("content_block_start", { index: 0, content_block: { ...block, input: {} } });
    event("content_block_delta", { index: 0, delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) } });
  }
  event("content_block_stop", { index: 0 });
  event("message_delta", { delta: ending(block), usage: { output_tokens: 1 } });
  event("message_stop", {});
  response.end();
}
