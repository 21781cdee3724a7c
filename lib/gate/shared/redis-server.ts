import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findRedis } from "../../../scripts/find-redis.js";

/** A port of this machine that nobody uses now. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}

const pause = (wait_ms: number) => new Promise((resolve) => setTimeout(resolve, wait_ms));
const PATIENCE = 400;

/**
 * A real server for tests and benchmarks: on loopback, in a folder of its own, without persistence. With `cluster` it is
 * a cluster of one node, which refuses a script that touches keys of two hash slots (G12).
 */
export class RedisServer {
  readonly port: number;
  readonly #folder: string;
  readonly #args: readonly string[];
  readonly #cluster: boolean;
  #process: ChildProcess | undefined;

  private constructor(port: number, folder: string, args: readonly string[], cluster: boolean) {
    this.port = port;
    this.#folder = folder;
    this.#args = args;
    this.#cluster = cluster;
  }

  static async start({ cluster = false } = {}): Promise<RedisServer> {
    const [port, bus] = [await freePort(), await freePort()];
    const folder = await mkdtemp(join(tmpdir(), "tenantthrottle-redis-"));
    const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    if (cluster) args.push("--cluster-enabled", "yes", "--cluster-port", `${bus}`);
    const server = new RedisServer(
      port,
      folder,
      [...args, "--dir", folder, "--loglevel", "warning"],
      cluster,
    );
    await server.up();
    if (cluster) await server.#ask((redis) => redis.call("CLUSTER", "ADDSLOTSRANGE", "0", "16383"));
    await server.#until(
      async (redis) => !cluster || /state:ok/.test(String(await redis.call("CLUSTER", "INFO"))),
    );
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the process, again after `kill`. */
  async up(): Promise<void> {
    const path = findRedis();
    if (path === undefined) throw new Error("no Redis or Valkey server: run `node scripts/find-redis.js`");
    this.#process = spawn(path, [...this.#args], { stdio: "ignore" });
    process.on("exit", () => this.#process?.kill("SIGKILL"));
    await this.#until(async (redis) => (await redis.ping()) === "PONG");
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#process?.kill(signal);
  }

  /** Ends the process at once; with it goes everything it held. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined) return;
    const gone = once(running, "exit");
    running.kill("SIGKILL");
    await gone;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Runs something on a connection of its own. */
  async #ask<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = new Redis(this.url, {
      lazyConnect: true,
      retryStrategy: () => null,
      enableReadyCheck: false,
    });
    redis.on("error", () => {});
    try {
      await redis.connect();
      return await work(redis);
    } finally {
      redis.disconnect();
    }
  }

  async #until(ready: (redis: Redis) => Promise<boolean>): Promise<void> {
    for (let attempt = 0; attempt < PATIENCE; attempt += 1) {
      if (await this.#ask(ready).catch(() => false)) return;
      await pause(25);
    }
    throw new Error(`the server on port ${this.port} did not come up${this.#cluster ? " as a cluster" : ""}`);
  }
}
