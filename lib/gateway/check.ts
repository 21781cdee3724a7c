import type { IncomingMessage, ServerResponse } from "node:http";
import type { Decider, Outcome, Wanted } from "./decide-request.ts";
import type { DecisionPoint } from "./decision-point.ts";
import { type Holders, mayHold } from "./hold-permission.ts";
import { ContradictingHeaders, checkedRequest, type HeaderFamily } from "./original-request.ts";
import { asForbidden, problemReply, type Reply, undecidedReply } from "./reply.ts";
import { sendReply } from "./send.ts";

interface CheckOptions {
  readonly decider: Decider;
  readonly point: DecisionPoint;
  readonly family: HeaderFamily;
  readonly holders: Holders;
  /** Told of what should not happen. */
  readonly report: (error: unknown) => void;
}

interface CheckQuery {
  readonly hold: boolean;
  readonly forbids: boolean;
}

const PLAIN: CheckQuery = { hold: false, forbids: false };

function queryOf(url: string): CheckQuery {
  const start = url.indexOf("?");
  if (start < 0) return PLAIN;
  const query = new URLSearchParams(url.slice(start + 1));
  const hold = query.get("hold");
  const holds = hold !== null && hold !== "0" && hold !== "false";
  return { hold: holds, forbids: query.get("deny") === "403" };
}

/** Where an allowed check is held: its id, for whoever ends it. */
function withAdmission(reply: Reply, id: string | null, hold_ms: number): Reply {
  const headers = reply.headers.filter((_, at) => reply.headers[at - (at % 2)] !== "Content-Length");
  const place = id === null ? [] : ["X-Admission-Id", id, "Location", `/admissions/${id}`];
  return {
    ...reply,
    headers: [...headers, ...place, "Content-Type", "application/json"],
    body: JSON.stringify({ admission: id, hold_ms: id === null ? null : hold_ms }),
  };
}

/** The decision endpoint for proxies, and the ends of what was held through it (G9). */
export class CheckEndpoint {
  readonly #options: CheckOptions;

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  /**
   * Answers 200 or what the client is to get. Never in the manner of gRPC: there a denial is HTTP 200, which to the
   * proxy that asks would mean allowed.
   */
  check(request: IncomingMessage, response: ServerResponse): void {
    const query = queryOf(request.url!);
    const { decider, point, family, holders } = this.#options;
    try {
      const start = point.gate.start();
      const original = checkedRequest(request, start.live.snapshot, family);
      if (query.hold && !mayHold(original, holders))
        return this.#send(response, query, problemReply(403, "Who asks here may not hold an admission."));
      const wanted = { hold: query.hold, grpc: false, start };
      const outcome = decider.decide(request, original, wanted);
      if (!(outcome instanceof Promise)) return this.#answer(response, query, wanted, outcome);
      outcome
        .then((decided) => this.#answer(response, query, wanted, decided))
        .catch((error: unknown) => this.#fail(response, query, error));
    } catch (error) {
      this.#fail(response, query, error);
    }
  }

  #send(response: ServerResponse, { forbids }: CheckQuery, reply: Reply): void {
    sendReply(response, forbids ? asForbidden(reply) : reply);
  }

  #answer(response: ServerResponse, query: CheckQuery, { start }: Wanted, outcome: Outcome): void {
    const { reply, decision, held } = outcome;
    if (!query.hold || decision.verdict !== "allowed") return this.#send(response, query, reply);
    this.#send(response, query, withAdmission(reply, held, start.live.snapshot.config.hold_ms));
    this.#undoUnheard(response, held);
  }

  #fail(response: ServerResponse, query: CheckQuery, error: unknown): void {
    if (error instanceof ContradictingHeaders) {
      const detail = `The headers contradict each other: ${error.message}.`;
      return this.#send(response, query, problemReply(400, detail));
    }
    this.#options.report(error);
    this.#send(response, query, undecidedReply(false));
  }

  /** A held admission whose id nobody got, since the asker is gone, is given back: nobody else could end it. */
  #undoUnheard(response: ServerResponse, held: string | null): void {
    if (held === null || !response.destroyed) return;
    this.#options.point.end(held, "cancelled").catch(this.#options.report);
  }

  /** `POST /admissions/{id}/commit` and `/cancel`: 204; 409 where it has ended, with how; 404 where nobody knows it. */
  async end(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume();
    const match = /^\/admissions\/([0-9a-f-]{36})\/(commit|cancel)(?:\?.*)?$/.exec(request.url!);
    if (match === null) return sendReply(response, problemReply(404, "There is no such admission."));
    if (request.method !== "POST")
      return sendReply(response, problemReply(405, "An admission is ended by POST.", {}, ["Allow", "POST"]));
    try {
      const how = match[2] === "commit" ? "committed" : "cancelled";
      const ended = await this.#options.point.end(match[1]!, how);
      if (ended.ended === "unknown")
        sendReply(response, problemReply(404, "There is no such admission, or it ended long ago."));
      else if (ended.ended === "already")
        sendReply(
          response,
          problemReply(409, `The admission has ended: ${ended.was}.`, { state: ended.was }),
        );
      else sendReply(response, { status: 204, headers: [], body: "" });
    } catch (error) {
      this.#options.report(error);
      sendReply(response, problemReply(503, "The admission could not be ended now."));
    }
  }
}
