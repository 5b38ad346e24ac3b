// A way to a hub on which a message can be held: so a story stops a call at exactly one step, and does something there.

import { createServer, request as ask } from "node:http";
import { until } from "../../../clients/typescript/live/hub.mjs";

export class Gate {
  #server;
  #hub;
  #holds = new Set();
  /** All that the hub has said and was not held. */
  told = "";

  static async before(hub) {
    const gate = new Gate();
    gate.#hub = hub;
    gate.#server = createServer((request, response) => gate.#pass(request, response));
    await new Promise((resolve) => gate.#server.listen(0, "127.0.0.1", resolve));
    return gate;
  }

  get origin() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /**
   * Holds the next message that `matches`: on its way to the hub ("request"), or what the hub says to it ("answer"). Who comes while
   * one is held passes.
   */
  hold(at, matches) {
    let isReached = false;
    let release;
    const released = new Promise((resolve) => (release = resolve));
    const held = { at, matches };
    held.arrive = () => {
      this.#holds.delete(held);
      isReached = true;
      return released;
    };
    this.#holds.add(held);
    return {
      reached: () => until("what is to be held comes by", () => isReached),
      release: () => {
        this.#holds.delete(held);
        release();
      },
    };
  }

  async #pass(request, response) {
    const body = Buffer.concat(await request.toArray().catch(() => []));
    const message = { method: request.method, url: request.url, body: body.toString() };
    const held = (at) => [...this.#holds].find((hold) => hold.at === at && hold.matches(message));
    const onAnswer = held("answer");
    if (onAnswer) this.#holds.delete(onAnswer);
    await held("request")?.arrive();
    if (response.destroyed) return;
    const headers = { ...request.headers, host: new URL(this.#hub.origin).host };
    const onward = ask(new URL(request.url, this.#hub.origin), { method: request.method, headers, setHost: false }, async (answer) => {
      if (onAnswer) {
        const said = Buffer.concat(await answer.toArray().catch(() => []));
        await onAnswer.arrive();
        if (!response.destroyed) response.writeHead(answer.statusCode, answer.headers).end(said);
        return;
      }
      response.writeHead(answer.statusCode, answer.headers);
      response.flushHeaders();
      answer.on("data", (data) => (this.told += data));
      answer.on("error", () => response.destroy());
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.end(body);
  }

  /** What all who are on it notice when the hub behind it dies. */
  cut() {
    this.#server.closeAllConnections();
  }

  end() {
    this.cut();
    this.#server.close();
  }
}
