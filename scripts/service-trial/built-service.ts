import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { RoundProgress } from "../../contract/round-view.ts";

const ROOT = join(import.meta.dirname, "../..");
const START_TRIES = 300;
const TRY_EVERY_MS = 100;
/** Bytes of one request of an upload, as the browser's client has them. */
const PIECE_BYTES = 16 * 1024 * 1024;

/** How a round stands, as its page tells. */
export interface RoundState {
  state: string;
  progress: RoundProgress | null;
}

/** An upload as the form hands it on. */
export interface Uploaded {
  kind: "upload";
  upload_id: string;
  sha256: string;
  bytes: number;
  name: string;
}

interface ActionManifest {
  node: Record<string, { filename: string; exportedName: string }>;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest("hex");
}

/** The round's state in what a page's components were given, as Next writes it for a page that is read again. */
export function roundStateIn(payload: string): RoundState {
  const state = /"state":"(waiting|running|done|refused|failed|cancelled)"/.exec(payload)?.[1];
  if (state === undefined) throw new Error("the page tells of no round");
  const progress = /"progress":(\{"phase":[^[]*"past":\[[^\]]*\]\})/.exec(payload)?.[1];
  return { state, progress: progress === undefined ? null : (JSON.parse(progress) as RoundProgress) };
}

/** The built service in a process of its own, spoken to as a browser does. */
export class BuiltService {
  readonly pid: number;
  private readonly server: ChildProcess;
  private readonly origin: string;
  private readonly actions: ReadonlyMap<string, string>;

  private constructor(server: ChildProcess, origin: string, actions: ReadonlyMap<string, string>) {
    this.server = server;
    this.pid = server.pid!;
    this.origin = origin;
    this.actions = actions;
  }

  /**
   * Starts what `next build` has built, and waits until it answers.
   * @param delays the folder where its processes write how late their event loops are
   */
  static async start(data: string, delays: string, port: number): Promise<BuiltService> {
    const manifest = JSON.parse(
      await readFile(join(ROOT, ".next/server/server-reference-manifest.json"), "utf8"),
    ) as ActionManifest;
    const actions = new Map(
      Object.entries(manifest.node).map(([id, { exportedName }]) => [exportedName, id] as const),
    );
    const next = join(ROOT, "node_modules/next/dist/bin/next");
    const server = spawn(process.execPath, [next, "start", "--hostname", "127.0.0.1", "--port", `${port}`], {
      cwd: ROOT,
      env: {
        ...process.env,
        NODE_ENV: "production",
        THROTTLE_DATA: data,
        THROTTLE_DELAY_LOG: delays,
        NODE_OPTIONS: `--import ${join(ROOT, "scripts/event-loop-delay.js")}`,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    const service = new BuiltService(server, `http://127.0.0.1:${port}`, actions);
    await service.answers();
    return service;
  }

  /** A page or a route's answer as text, and how long it took; an error where it is none. */
  async get(path: string, headers: Record<string, string> = {}): Promise<{ text: string; took_ms: number }> {
    const began_ms = performance.now();
    const response = await fetch(this.origin + path, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
    return { text, took_ms: performance.now() - began_ms };
  }

  /** How a round stands: its page is read again as its own script does it. */
  async round(id: string): Promise<RoundState & { took_ms: number }> {
    const { text, took_ms } = await this.get(`/rounds/${id}`, { RSC: "1" });
    return { ...roundStateIn(text), took_ms };
  }

  /** Uploads a file by the tus protocol, piece by piece. */
  async upload(path: string): Promise<Uploaded> {
    const { size: bytes } = await stat(path);
    const tus = { "Tus-Resumable": "1.0.0" };
    const created = await fetch(`${this.origin}/api/uploads`, {
      method: "POST",
      headers: { ...tus, "Upload-Length": String(bytes) },
    });
    const location = created.headers.get("location");
    if (created.status !== 201 || location === null) throw new Error(`no upload: ${created.status}`);
    const file = await open(path);
    try {
      const piece = Buffer.alloc(PIECE_BYTES);
      for (let at = 0; at < bytes; ) {
        const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at);
        const { status } = await fetch(new URL(location, this.origin), {
          method: "PATCH",
          headers: {
            ...tus,
            "Upload-Offset": String(at),
            "Content-Type": "application/offset+octet-stream",
          },
          body: piece.subarray(0, bytesRead),
        });
        if (status !== 204) throw new Error(`a piece of an upload: ${status}`);
        at += bytesRead;
      }
    } finally {
      await file.close();
    }
    return {
      kind: "upload",
      upload_id: location.split("/").at(-1)!,
      sha256: await sha256Of(path),
      bytes,
      name: basename(path),
    };
  }

  /** Starts a round over an upload; its id. */
  async startRound(stream: Uploaded, documents: { contract: string; policy: string }): Promise<string> {
    const document = async (path: string) => ({ name: basename(path), text: await readFile(path, "utf8") });
    const answer = await this.act("/rounds/new", "startRound", [
      {
        name: stream.name,
        reading: "strict",
        faults: [],
        contract: await document(documents.contract),
        policy: await document(documents.policy),
        stream,
      },
    ]);
    const id = /"ok":true,"id":"([0-9a-z]+)"/.exec(answer)?.[1];
    if (id === undefined) throw new Error(`the round was not started: ${answer.slice(0, 500)}`);
    return id;
  }

  /** Cancels a round; answers when that is over. */
  async cancelRound(id: string): Promise<void> {
    await this.act(`/rounds/${id}`, "cancelRound", [id]);
  }

  async stop(): Promise<void> {
    if (this.server.exitCode !== null) return;
    const ended = once(this.server, "exit");
    this.server.kill("SIGTERM");
    await ended;
  }

  /** Calls a server function as its form does; what it answered, as Next writes it. */
  private async act(path: string, name: string, values: unknown[]): Promise<string> {
    const id = this.actions.get(name);
    if (id === undefined) throw new Error(`the build has no ${name}`);
    const response = await fetch(this.origin + path, {
      method: "POST",
      headers: { "Next-Action": id, Origin: this.origin, "Content-Type": "text/plain;charset=UTF-8" },
      body: JSON.stringify(values),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${name}: ${response.status} ${text.slice(0, 200)}`);
    return text;
  }

  private async answers(): Promise<void> {
    for (let tries = 0; tries < START_TRIES; tries++) {
      if (this.server.exitCode !== null) throw new Error(`the service ended (${this.server.exitCode})`);
      const isThere = await fetch(`${this.origin}/rounds`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isThere) return;
      await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
    }
    await this.stop();
    throw new Error("the service does not answer");
  }
}
