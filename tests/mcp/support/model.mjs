// A model on this machine, for programs that need one: it says what a story has it say, in Anthropic's Messages API or another one.

import { createServer } from "node:http";
import { MESSAGES } from "./model-apis.mjs";

/** What a model says: words that end its turn. */
export const say = (text) => ({ type: "text", text });

/** What a model says: a tool to be called. */
export const use = (name, input, id = "toolu_story") => ({ type: "tool_use", id, name, input });

export class Model {
  #server;
  #script;
  #api;
  /** What it was asked, oldest first: the bodies of the calls. */
  asked = [];
  /** What else was called, which is nothing if a program keeps to its model. */
  strange = [];

  /**
   * Starts one that speaks an API of `model-apis.mjs`. The script is given all results of tools so far, and gives what is said next:
   * `use(…)` or `say(…)`.
   */
  static async start(script, api = MESSAGES) {
    const model = new Model();
    model.#script = script;
    model.#api = api;
    model.#server = createServer((request, response) => model.#serve(request, response));
    await new Promise((resolve) => model.#server.listen(0, "127.0.0.1", resolve));
    return model;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** What the tools gave that it has called, as it was told: `{tool_use_id, content, is_error?}`. */
  get results() {
    return this.#resultsIn(this.asked.at(-1));
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
    if (request.method !== "POST" || !pathname.startsWith(this.#api.path)) {
      this.strange.push(`${request.method} ${pathname}`);
      return reply(response, 404, { type: "error", error: { type: "not_found_error", message: "not here" } });
    }
    if (pathname.endsWith("/count_tokens")) return reply(response, 200, { input_tokens: 1 });
    const body = JSON.parse(Buffer.concat(chunks).toString());
    this.asked.push(body);
    const block = this.#script(this.#resultsIn(body), body);
    if (body.stream) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of this.#api.events(body, block)) response.write(event);
      response.end();
    } else {
      reply(response, 200, this.#api.whole(body, block));
    }
  }

  #resultsIn(body) {
    return body ? this.#api.results(body) : [];
  }

  end() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

function reply(response, status, body) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
