import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Decider, Outcome } from "./decide-request.ts";
import type { DecisionPoint } from "./decision-point.ts";
import { forwardHeaders } from "./forwarded-headers.ts";
import { type OriginalRequest, ownRequest } from "./original-request.ts";
import { limitHeaders, speaksGrpc, undecidedReply } from "./reply.ts";
import type { EndAdmission, ReverseProxy } from "./reverse-proxy.ts";
import { sendOnSocket, sendReply } from "./send.ts";

interface DoorOptions {
  readonly decider: Decider;
  readonly point: DecisionPoint;
  readonly proxy: ReverseProxy;
  /** Header in which a trusted proxy names its user; null: none. */
  readonly identity: string | null;
  readonly report: (error: unknown) => void;
}

const isGrpc = ({ headers }: IncomingMessage): boolean => speaksGrpc(headers["content-type"]);

/** The door of the services themselves: decides what comes, and forwards what is admitted and has an upstream. */
export class ServiceDoor {
  readonly #options: DoorOptions;

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  async #decide(request: IncomingMessage): Promise<[OriginalRequest, Outcome]> {
    const { decider, point } = this.#options;
    const start = point.gate.start();
    const { snapshot } = start.live;
    const original = ownRequest(request, snapshot);
    const route = snapshot.routeOf(original.host, original.path);
    const outcome = await decider.decide(request, original, {
      // What is forwarded is provisional until the upstream begins to answer (G7).
      hold: route?.service.config.upstream !== undefined,
      grpc: isGrpc(request),
      start,
    });
    return [original, outcome];
  }

  /** Ends an admission once; what fails there can no longer change the answer, and is reported. */
  #ender({ held }: Outcome): EndAdmission {
    let isOver = held === null;
    return (how) => {
      if (isOver) return;
      isOver = true;
      this.#options.point.end(held!, how).catch(this.#options.report);
    };
  }

  #prepare(request: IncomingMessage, original: OriginalRequest): void {
    request.url = original.path;
    request.headers.host = original.host;
    forwardHeaders(request, original, this.#options.identity);
  }

  /** `continues`: the client waits for a word before it sends its body. */
  async serve(request: IncomingMessage, response: ServerResponse, continues = false): Promise<void> {
    try {
      const [original, outcome] = await this.#decide(request);
      const { decision, reply } = outcome;
      const end = this.#ender(outcome);
      if (response.destroyed) return end("cancelled");
      const upstream = decision.service?.config.upstream;
      if (decision.verdict !== "allowed" || upstream === undefined) {
        end("committed");
        return sendReply(response, reply);
      }
      if (continues) {
        response.writeContinue();
        delete request.headers.expect;
      }
      this.#prepare(request, original);
      await this.#options.proxy.web(request, response, upstream, limitHeaders(decision), end);
    } catch (error) {
      this.#options.report(error);
      sendReply(response, undecidedReply(isGrpc(request)));
    }
  }

  async upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    // Until the proxy takes over, a client that goes away must not end the process.
    socket.on("error", () => socket.destroy());
    try {
      const [original, outcome] = await this.#decide(request);
      const { decision, reply } = outcome;
      const end = this.#ender(outcome);
      if (socket.destroyed) return end("cancelled");
      const upstream = decision.service?.config.upstream;
      if (decision.verdict !== "allowed" || upstream === undefined) {
        end("committed");
        return sendOnSocket(request, socket, reply);
      }
      this.#prepare(request, original);
      await this.#options.proxy.upgrade(request, socket, head, upstream, limitHeaders(decision), end);
    } catch (error) {
      this.#options.report(error);
      sendOnSocket(request, socket, undecidedReply(isGrpc(request)));
    }
  }
}
