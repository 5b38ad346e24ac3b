// A server of event streams with nothing but what every one must have: who follows, and a sign of life.
import { createServer } from "node:http";

const following = new Set();

const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  response.write("retry: 1000\n\n");
  following.add(response);
  response.on("close", () => following.delete(response));
});

setInterval(() => following.forEach((response) => response.write(": still here\n\n")), 15_000);
server.listen(0, "127.0.0.1", 4096, () => console.log(server.address().port));
