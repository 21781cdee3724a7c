import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

/** Where a server listens. Port 0: any free one. */
export interface Place {
  readonly host: string;
  readonly port: number;
}

/** What a listener does with what comes. */
export interface Handlers {
  request(request: IncomingMessage, response: ServerResponse): void;
  /** A request whose client waits for "100 Continue" before it sends its body. */
  expectant?(request: IncomingMessage, response: ServerResponse): void;
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** Proxies in front keep connections for about a minute: the gate must not be the one that closes first. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_MS = 30_000;

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" && headers.upgrade?.toLowerCase() === "websocket";

/** One listening socket of HTTP/1.1. */
export class Listener {
  readonly #server: Server;

  constructor(handlers: Handlers) {
    this.#server = createServer(
      {
        keepAliveTimeout: KEEP_ALIVE_MS,
        headersTimeout: HEADERS_MS,
        // A body may stream for as long as it likes.
        requestTimeout: 0,
        noDelay: true,
        // Other upgrades are offers that may be declined: such a request is served as it is.
        shouldUpgradeCallback: (request: IncomingMessage) => isWebSocket(request),
      },
      handlers.request,
    );
    if (handlers.expectant) this.#server.on("checkContinue", handlers.expectant);
    if (handlers.upgrade) this.#server.on("upgrade", handlers.upgrade);
  }

  /** Listens; resolves with the place, its port the true one. Rejects where the place is taken. */
  async listen({ host, port }: Place): Promise<Place> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    return { host, port: (this.#server.address() as AddressInfo).port };
  }

  /** Takes no more connections, and waits for what is under way, but no longer than `grace_ms`. */
  async close(grace_ms: number): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    // Connections that become idle while we wait are closed too.
    const idle = setInterval(() => this.#server.closeIdleConnections(), 50);
    const late = setTimeout(() => this.#server.closeAllConnections(), grace_ms);
    this.#server.closeIdleConnections();
    await closed;
    clearInterval(idle);
    clearTimeout(late);
  }
}
