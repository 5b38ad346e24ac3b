// A door before a hub for a client that has no token: it adds one, and changes nothing else that it is given.

import { createServer, request as ask } from "node:http";

export class Proxy {
  #server;

  static async before(hub, token) {
    const proxy = new Proxy();
    proxy.#server = createServer((request, response) => proxy.#pass(hub, token, request, response));
    await new Promise((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get host() {
    return `127.0.0.1:${this.#server.address().port}`;
  }

  #pass(hub, token, request, response) {
    const { host } = new URL(hub.origin);
    // What is said of this door is meant for the hub behind it. What is said of others must reach the hub as it is.
    const meant = (value) => (value === undefined ? undefined : value.replace(this.host, host));
    const headers = { ...request.headers, host: meant(request.headers.host), authorization: `Bearer ${token}` };
    if (headers.origin !== undefined) headers.origin = meant(headers.origin);
    const onward = ask(new URL(request.url, hub.origin), { method: request.method, headers, setHost: false }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    request.pipe(onward);
  }

  end() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
