import type { IncomingMessage, ServerResponse } from "node:http";
import type { CheckEndpoint } from "./check.ts";
import type { GateMetrics } from "./metrics.ts";
import { sendReply } from "./send.ts";

interface OwnOptions {
  readonly check: CheckEndpoint;
  readonly metrics: GateMetrics;
  /** Lets time do its part before figures are read. */
  readonly settle: () => void;
  /** Why the gate is not ready; null: it is. */
  readonly unready: () => string | null;
  readonly report: (error: unknown) => void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Whether a request target is `path`, with or without a query. */
const isAt = (url: string, path: string): boolean =>
  url.startsWith(path) && (url.length === path.length || url[path.length] === "?");

/** The gate's own endpoints (G9, G10): `/check`, `/admissions/…`, `/metrics`, `/healthz`, `/readyz`. */
export class OwnEndpoints {
  readonly #options: OwnOptions;

  constructor(options: OwnOptions) {
    this.#options = options;
  }

  readonly #check: Handler = (request, response) => this.#options.check.check(request, response);
  readonly #end: Handler = (request, response) => void this.#options.check.end(request, response);

  /** What serves a request target; null: it is none of the gate's own. */
  handlerOf(url: string): Handler | null {
    if (isAt(url, "/check")) return this.#check;
    if (url.startsWith("/admissions/")) return this.#end;
    if (isAt(url, "/metrics")) return (_request, response) => void this.#metrics(response);
    if (isAt(url, "/healthz")) return (_request, response) => text(response, 200, "ok\n");
    if (isAt(url, "/readyz")) return (_request, response) => this.#ready(response);
    return null;
  }

  async #metrics(response: ServerResponse): Promise<void> {
    const { metrics, settle, report } = this.#options;
    try {
      settle();
      const body = await metrics.registry.metrics();
      sendReply(response, { status: 200, headers: ["Content-Type", metrics.registry.contentType], body });
    } catch (error) {
      // Figures that could not be read are no zeros: the scrape fails, and is seen to.
      report(error);
      text(response, 503, "the figures could not be read\n");
    }
  }

  #ready(response: ServerResponse): void {
    const reason = this.#options.unready();
    text(response, reason === null ? 200 : 503, `${reason ?? "ready"}\n`);
  }
}

function text(response: ServerResponse, status: number, body: string): void {
  sendReply(response, { status, headers: ["Content-Type", "text/plain; charset=utf-8"], body });
}
