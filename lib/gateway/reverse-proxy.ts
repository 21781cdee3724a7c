import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, type ServerResponse } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createProxyServer } from "httpxy";
import { dropHopByHop } from "./forwarded-headers.ts";
import { problemReply, type Reply } from "./reply.ts";
import { sendOnSocket, sendReply } from "./send.ts";

/** An idle connection is dropped before an upstream that keeps it for the usual five seconds drops it under a request. */
const IDLE_MS = 4000;
/** As many connections as there are requests: a long poll must not keep others waiting. */
const KEPT = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 256, timeout: IDLE_MS };

/** How the admission of a forwarded request ends (G7). */
export type EndAdmission = (how: "committed" | "cancelled") => void;

/** One request on its way through, as far as its admission asks. */
class Passage {
  readonly #end: EndAdmission;
  readonly #timer: NodeJS.Timeout;
  #proxied: ClientRequest | undefined;
  #reached = false;

  constructor(end: EndAdmission, timeout_ms: number) {
    this.#end = end;
    this.#timer = setTimeout(() => {
      this.#proxied?.destroy(new Error("the upstream did not begin to answer in time"));
    }, timeout_ms);
    this.#timer.unref();
  }

  /** A connection to the upstream is there, or under way: once it stands, something has reached the upstream. */
  opened(proxied: ClientRequest): void {
    this.#proxied = proxied;
    const socket = proxied.socket as (Socket & { encrypted?: boolean }) | null;
    if (socket === null) return void proxied.once("socket", () => this.opened(proxied));
    if (!socket.connecting && proxied.reusedSocket) this.#reached = true;
    else
      socket.once(socket.encrypted === true ? "secureConnect" : "connect", () => {
        this.#reached = true;
      });
  }

  /** The upstream begins to answer. */
  answered(): void {
    this.#reached = true;
    this.over();
  }

  /** Nothing more will come: committed, or cancelled where nothing reached the upstream. A second end changes nothing. */
  over(): void {
    clearTimeout(this.#timer);
    this.#end(this.#reached ? "committed" : "cancelled");
  }
}

const badGateway = (headers: string[]): Reply =>
  problemReply(502, "The upstream could not be reached, or broke off before it answered.", {}, headers);

/**
 * Forwards admitted requests. Bodies stream both ways, a client that goes away takes its upstream request with it, and
 * an upstream that fails before it answers is a 502.
 */
export class ReverseProxy {
  readonly #agents = { http: new HttpAgent(KEPT), https: new HttpsAgent(KEPT) };
  // Two: an error of a web request is waited for, one of a handshake must be answered before its socket is ended.
  readonly #web = createProxyServer({ secure: true });
  readonly #ws = createProxyServer({ secure: true });
  readonly #passages = new WeakMap<IncomingMessage, Passage>();
  readonly #ours = new WeakMap<IncomingMessage, string[]>();
  readonly #sockets = new Set<Duplex>();
  readonly #timeout_ms: number;

  /** `timeout_ms`: how long an upstream may take to begin to answer. */
  constructor(timeout_ms: number) {
    this.#timeout_ms = timeout_ms;
    this.#web.on("proxyReq", (proxied, request) => this.#passages.get(request)?.opened(proxied));
    this.#web.on("proxyRes", (answer, request) => {
      this.#passages.get(request)?.answered();
      dropHopByHop(answer.headers);
      // Where the gate's own fields are there, they are the ones: two policies of one name would be one too many.
      if ((this.#ours.get(request) ?? []).length > 0) {
        delete answer.headers.ratelimit;
        delete answer.headers["ratelimit-policy"];
      }
    });
    this.#ws.on("proxyReqWs", (proxied, request) => {
      const passage = this.#passages.get(request);
      passage?.opened(proxied);
      for (const event of ["upgrade", "response"]) proxied.once(event, () => passage?.answered());
    });
    this.#ws.on("error", (_error, request, socket) => {
      if (request === undefined || socket === undefined) return;
      this.#passages.get(request)?.over();
      sendOnSocket(request, socket as Socket, badGateway(this.#ours.get(request) ?? []));
    });
  }

  /** Forwards one request; resolves when it is over, however it ended. `headers` go with the answer. */
  async web(
    request: IncomingMessage,
    response: ServerResponse,
    upstream: string,
    headers: string[],
    end: EndAdmission,
  ): Promise<void> {
    const passage = new Passage(end, this.#timeout_ms);
    this.#passages.set(request, passage);
    this.#ours.set(request, headers);
    for (let at = 0; at < headers.length; at += 2) response.setHeader(headers[at]!, headers[at + 1]!);
    try {
      await this.#web.web(request, response, {
        target: upstream,
        agent: upstream.startsWith("https:") ? this.#agents.https : this.#agents.http,
        headers: { connection: "keep-alive" },
      });
    } catch {
      for (const name of response.getHeaderNames()) if (!response.headersSent) response.removeHeader(name);
      sendReply(response, badGateway(headers));
    } finally {
      passage.over();
    }
  }

  /** Forwards the handshake of a web socket, and then what either side sends. */
  async upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    upstream: string,
    headers: string[],
    end: EndAdmission,
  ): Promise<void> {
    const passage = new Passage(end, this.#timeout_ms);
    this.#passages.set(request, passage);
    this.#ours.set(request, headers);
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    await this.#ws.ws(request, socket as Socket, { target: upstream }, head).finally(() => passage.over());
  }

  /** Ends the web sockets that are still open: they have no end of their own. */
  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Ends every connection to an upstream. */
  close(): void {
    this.hangUp();
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}
