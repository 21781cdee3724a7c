import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  DecisionEntry,
  DecisionSink,
  EndEntry,
  PublishEntry,
  RefusalEntry,
  TallyEntry,
} from "../gate/decision-sink.ts";
import type { GateServer } from "./gate-server.ts";
import { type RunningGate, startGate } from "./start.ts";

/** An answer, read whole. */
export interface Heard {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Saying {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
  readonly agent?: Agent;
  /** The request target, where it is not the path. */
  readonly target?: string;
}

/** Sends one request as it is given: no header is added but `Host`, and none is forbidden. */
export function ask(
  url: string,
  { method = "GET", headers = {}, body, agent, target }: Saying = {},
): Promise<Heard> {
  return new Promise((resolve, reject) => {
    // The path as it is spelled, which URL would put into order.
    const [, origin = "", path = ""] = /^(https?:\/\/[^/]+)(.*)$/.exec(url) ?? [];
    const { hostname, port } = new URL(origin);
    const sent = request(
      { hostname, port, path: target ?? path, method, headers, agent: agent ?? false },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("error", reject);
        answer.on("end", () =>
          resolve({
            status: answer.statusCode!,
            headers: answer.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A sink that keeps everything. */
export class Told implements DecisionSink {
  readonly decisions: DecisionEntry[] = [];
  readonly ends: EndEntry[] = [];
  readonly publishes: PublishEntry[] = [];
  readonly tallies: TallyEntry[] = [];
  append = (entry: DecisionEntry) => void this.decisions.push(entry);
  end = (entry: EndEntry) => void this.ends.push(entry);
  publish = (entry: PublishEntry) => void this.publishes.push(entry);
  readonly refusals: RefusalEntry[] = [];
  refuse = (entry: RefusalEntry) => void this.refusals.push(entry);
  tally = (entry: TallyEntry) => void this.tallies.push(entry);
}

/** A gate on free ports of the loopback address, with a folder of its own. */
export class TrialGate {
  readonly running: RunningGate;
  readonly folder: string;
  readonly told: Told;
  readonly reported: unknown[];

  private constructor(running: RunningGate, folder: string, told: Told, reported: unknown[]) {
    this.running = running;
    this.folder = folder;
    this.told = told;
    this.reported = reported;
  }

  static async start(config: unknown, settings: object = {}, folder?: string): Promise<TrialGate> {
    const place = folder ?? (await mkdtemp(join(tmpdir(), "trial-gate-")));
    await writeFile(join(place, "gate.json"), JSON.stringify(config));
    const free = { listen: { port: 0 }, admin: { port: 0 }, data: "data", shutdown_ms: 2000, ...settings };
    await writeFile(join(place, "settings.json"), JSON.stringify(free));
    const told = new Told();
    const reported: unknown[] = [];
    const started = await startGate({
      config: join(place, "gate.json"),
      settings: join(place, "settings.json"),
      sink: told,
      report: (error) => reported.push(error),
    });
    if (!started.ok) throw new Error(JSON.stringify(started.problems));
    return new TrialGate(started.value, place, told, reported);
  }

  /** Runs a test with a gate, and clears away whatever it left. */
  static async use(
    config: unknown,
    settings: object,
    work: (gate: TrialGate) => Promise<void>,
  ): Promise<void> {
    const gate = await TrialGate.start(config, settings);
    try {
      await work(gate);
    } finally {
      await gate.end();
    }
  }

  async end(): Promise<void> {
    await this.running.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  get server(): GateServer {
    return this.running.server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.running.places.listen.port}`;
  }

  get adminUrl(): string {
    return `http://127.0.0.1:${this.running.places.admin.port}`;
  }

  ask(path: string, saying?: Saying): Promise<Heard> {
    return ask(this.url + path, saying);
  }

  /** A question of a proxy on this machine about a request of a client. */
  check(client: string, path = "/", query = "", headers: OutgoingHttpHeaders = {}): Promise<Heard> {
    const told = { "x-forwarded-uri": path, "x-forwarded-for": client, ...headers };
    return this.ask(`/check${query}`, { headers: told });
  }

  async admin(
    method: string,
    path: string,
    body?: unknown,
    headers: OutgoingHttpHeaders = {},
  ): Promise<Heard> {
    const { token } = this.running;
    const json = body === undefined ? {} : { "content-type": "application/json" };
    return ask(this.adminUrl + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** One sample of the metrics, 0 where it is not there. */
  async metric(name: string, labels = ""): Promise<number> {
    return sampleOf((await this.ask("/metrics")).body, name, labels);
  }
}

/** The value of a sample in the text of a scrape; `labels` as Prometheus prints them, without braces. */
export function sampleOf(text: string, name: string, labels = ""): number {
  const start = `tenantthrottle_gate_${name}${labels === "" ? "" : `{${labels}}`} `;
  const line = text.split("\n").find((one) => one.startsWith(start));
  return line === undefined ? 0 : Number(line.slice(start.length));
}

const rule = (fields: object = {}) => ({ id: "r", requests: 2, per: "1d", ...fields });

/** A configuration of one service that is limited by address, and trusts proxies on this machine. */
export const trialConfig = (service: object = {}, more: object = {}) => ({
  services: [{ name: "api", auth: "off", price: 0, rules: [rule()], ...service }],
  trusted_proxies: ["127.0.0.0/8"],
  ...more,
});
