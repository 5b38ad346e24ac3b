// The server that comes with y-websocket, in memory alone, behind the newest `ws`: rooms by path, everybody let in.
import { createServer } from "node:http";
import { WebSocketServer } from "ws";
import { setupWSConnection } from "@y/websocket-server/utils";

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", setupWSConnection);
server.listen(0, "127.0.0.1", 4096, () => console.log(server.address().port));
