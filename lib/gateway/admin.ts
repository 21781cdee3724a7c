import type { IncomingMessage, ServerResponse } from "node:http";
import type { z } from "zod";
import {
  type GateChange,
  type GatePublished,
  type GateRefusal,
  type GateStaged,
  type GateState,
  type GateVersion,
  type GateVersionDetail,
  gatePublishSchema,
  gateRollbackSchema,
  gateStageSchema,
} from "../../contract/gate-admin.ts";
import type { GateConfig } from "../../contract/gate-config.ts";
import { type InputProblem, issueProblems } from "../../contract/input.ts";
import { readJson } from "../ingest/read-documents.ts";
import { type FileProblem, isFileProblem } from "../store/file-problem.ts";
import { adminRefusal } from "./admin-guard.ts";
import { configChanges } from "./config-changes.ts";
import type { GateControl, Update } from "./control.ts";
import { sendReply } from "./send.ts";
import type { VersionRecord } from "./version-history.ts";

const BODY_MAX_BYTES = 16 * 1024 * 1024;

/** An answer that is no success. */
class Refused extends Error {
  readonly status: number;
  readonly problems: InputProblem[];
  constructor(status: number, problems: InputProblem[]) {
    super(problems[0]?.message ?? "");
    this.status = status;
    this.problems = problems;
  }
}

const refuse = (status: number, message: string, path = ""): Refused =>
  new Refused(status, [{ file: "request", path, message }]);

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  if (!/^application\/json(?:;|$)/i.test(request.headers["content-type"] ?? ""))
    throw refuse(415, "expected Content-Type: application/json");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_MAX_BYTES) throw refuse(413, `is too large; expected at most ${BODY_MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  // Strictly, as files are read: a key twice would publish one of two meanings.
  const document = readJson(Buffer.concat(chunks), "request");
  if (!document.ok) throw new Refused(422, document.problems);
  return document.value.value;
}

async function fieldsOf<T extends z.ZodType>(schema: T, request: IncomingMessage): Promise<z.output<T>> {
  const parsed = schema.safeParse(await bodyOf(request));
  if (!parsed.success) throw new Refused(422, issueProblems(parsed.error, "request"));
  return parsed.data;
}

/** A version without its configuration. */
const listed = ({ version, published_ms, source, note }: VersionRecord): GateVersion => ({
  version,
  published_ms,
  source,
  note,
});

/** A version that the disk does not take is none: the one that is live stays. */
const unstored = ({ message }: FileProblem): InputProblem => ({
  file: "versions",
  path: "",
  message: `could not be stored, and the live version stays: ${message}`,
});

interface AdminOptions {
  readonly control: GateControl;
  readonly token: string;
  readonly state: () => Promise<GateState>;
  readonly report: (error: unknown) => void;
}

/** The admin interface; see contract/gate-admin.ts. */
export class AdminInterface {
  readonly #options: AdminOptions;
  readonly #routes: Record<string, (request: IncomingMessage, url: URL) => Promise<unknown> | unknown> = {
    "GET /state": () => this.#options.state(),
    "GET /versions": () => this.#options.control.history.all.map(listed).reverse(),
    "GET /diff": (_request, url) => this.#diff(url),
    "POST /stage": (request) => this.#stage(request),
    "POST /publish": (request) => this.#publish(request),
    "POST /rollback": (request) => this.#rollback(request),
  };

  constructor(options: AdminOptions) {
    this.#options = options;
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refusal = adminRefusal(request, this.#options.token);
    if (refusal !== null) return sendReply(response, refusal);
    try {
      send(response, 200, await this.#answer(request));
    } catch (error) {
      if (error instanceof Refused)
        return send(response, error.status, { problems: error.problems } satisfies GateRefusal);
      this.#options.report(error);
      if (isFileProblem(error))
        return send(response, 507, { problems: [unstored(error)] } satisfies GateRefusal);
      const message = error instanceof Error ? error.message : String(error);
      send(response, 500, { problems: [{ file: "gate", path: "", message }] });
    }
  }

  #answer(request: IncomingMessage): Promise<unknown> | unknown {
    const url = new URL(request.url ?? "/", "http://gate");
    const version = /^\/versions\/(\d{1,9})$/.exec(url.pathname);
    if (request.method === "GET" && version !== null) return this.#version(Number(version[1]));
    const route = `${request.method} ${url.pathname}`;
    if (!Object.hasOwn(this.#routes, route)) throw refuse(404, `there is no ${route}`);
    return this.#routes[route]!(request, url);
  }

  #record(version: number): VersionRecord {
    const record = this.#options.control.history.find(version);
    if (record === undefined) throw refuse(404, `there is no version ${version}`);
    return record;
  }

  #version(version: number): GateVersionDetail {
    const record = this.#record(version);
    return { ...listed(record), config: record.config as GateConfig };
  }

  #diff(url: URL): GateChange[] {
    const [from, to] = ["from", "to"].map((name) => {
      const text = url.searchParams.get(name) ?? "";
      if (!/^\d{1,9}$/.test(text)) throw refuse(422, "expected the number of a version", name);
      return this.#record(Number(text)).config as GateConfig;
    });
    return configChanges(from!, to!);
  }

  async #stage(request: IncomingMessage): Promise<GateStaged> {
    const { control } = this.#options;
    const { config } = await fieldsOf(gateStageSchema, request);
    const staged = control.stage(config);
    if (!staged.ok) throw new Refused(422, staged.problems);
    const { version, config: live } = control.gate;
    return { version, config: staged.value.config, changes: configChanges(live, staged.value.config) };
  }

  async #publish(request: IncomingMessage): Promise<GatePublished> {
    const { config, from, note } = await fieldsOf(gatePublishSchema, request);
    const origin = { source: "admin", note, file_sha256: null } as const;
    return published(await this.#options.control.update(config, from, origin));
  }

  async #rollback(request: IncomingMessage): Promise<GatePublished> {
    const { to, from, note } = await fieldsOf(gateRollbackSchema, request);
    const { config } = this.#record(to);
    const origin = { source: "rollback", note: note || `back to version ${to}`, file_sha256: null } as const;
    return published(await this.#options.control.update(config, from, origin));
  }
}

function published(update: Update): GatePublished {
  if (!update.published) throw new Refused(update.why === "outdated" ? 409 : 422, update.problems);
  const { version, config, changes } = update;
  return { version, config, changes };
}

function send(response: ServerResponse, status: number, value: unknown): void {
  const headers = ["Content-Type", "application/json", "Cache-Control", "no-store"];
  sendReply(response, { status, headers, body: JSON.stringify(value) });
}
