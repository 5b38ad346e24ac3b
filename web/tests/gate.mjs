// The connection of one page, to be cut or held up while the hub is there for everybody else.

const ROOMS = /\/sync\//;

export class Gate {
  #isShut = false;
  #isHeld = false;
  /** What the hub has said meanwhile. */
  #held = [];
  #cuts = new Set();

  /** Stands before every connection that the page makes from its next load on. */
  static async before(page) {
    const gate = new Gate();
    await page.routeWebSocket(ROOMS, (socket) => gate.#connect(socket));
    return gate;
  }

  #connect(socket) {
    // As a hub does that has too many: it opens, and says that one is to come back.
    if (this.#isShut) return void setImmediate(() => socket.close({ code: 1013 }));
    const server = socket.connectToServer();
    this.#cuts.add(async () => {
      await socket.close();
      await server.close();
    });
    server.onMessage((message) => {
      const tell = () => socket.send(message);
      if (this.#isHeld) this.#held.push(tell);
      else tell();
    });
  }

  /** Cuts the connection, and lets none come in its place. */
  async shut() {
    this.#isShut = true;
    await this.cut();
  }

  async cut() {
    const cuts = [...this.#cuts];
    this.#cuts.clear();
    await Promise.all(cuts.map((cut) => cut()));
  }

  open() {
    this.#isShut = false;
  }

  /** From now on the hub hears the page, and the page does not hear the hub. */
  hold() {
    this.#isHeld = true;
  }

  /** Tells the page what it has missed. */
  release() {
    this.#isHeld = false;
    for (const tell of this.#held.splice(0)) tell();
  }
}
