import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Reply } from "./reply.ts";

/** Sends an answer whole. Where the client is gone already, nothing happens. */
export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  if (response.headersSent || response.destroyed) return;
  if (body === "") {
    response.writeHead(status, headers);
    response.end();
    return;
  }
  const bytes = Buffer.from(body);
  response.writeHead(status, [...headers, "Content-Length", String(bytes.length)]);
  response.end(bytes);
}

/** Sends an answer to a request that asked for another protocol, and closes its connection. */
export function sendOnSocket(request: IncomingMessage, socket: Duplex, reply: Reply): void {
  if (socket.destroyed || !socket.writable) return;
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  // The socket of an upgrade is the connection's own, typed as any stream.
  response.assignSocket(socket as never);
  response.once("finish", () => {
    response.detachSocket(socket as never);
    socket.end();
  });
  sendReply(response, reply);
}
