import { Redis } from "ioredis";
import { ADMIT, COUNT, END, FREEBIE_BACK, FREEBIE_COUNT, FREEBIE_READ, PUBLISH } from "./scripts.ts";

/** The server cannot be reached, was too slow, or refuses to work: what was asked may or may not have been done. */
export class StoreUnavailable extends Error {}

/** What each script is, in Lua. */
export const SCRIPTS: Readonly<
  Record<"admit" | "end" | "publish" | "count" | "freebieBack" | "freebieCount" | "freebieRead", string>
> = {
  admit: ADMIT,
  end: END,
  publish: PUBLISH,
  count: COUNT,
  freebieBack: FREEBIE_BACK,
  freebieCount: FREEBIE_COUNT,
  freebieRead: FREEBIE_READ,
};
export type ScriptName = keyof typeof SCRIPTS;
export type Scripts = Readonly<Record<ScriptName, string>>;

type Scripted = Redis & Record<ScriptName, (...args: string[]) => Promise<unknown>>;

/** Most calls that wait for the server; more are refused at once, so that a silent server fills no memory. */
const WAITING_MAX = 10_000;
const RECONNECT_MAX_MS = 1000;

/**
 * One connection to a Valkey or Redis server. Calls are sent in the order in which they are made. None waits longer than
 * `timeout_ms`, none is kept for later while the server is away, and none is ever sent twice: a lost answer is an error.
 */
export class Connection {
  readonly #redis: Scripted;
  readonly #timeout_ms: number;
  #waiting = 0;

  private constructor(redis: Scripted, timeout_ms: number) {
    this.#redis = redis;
    this.#timeout_ms = timeout_ms;
  }

  /**
   * Connects, or rejects with a `StoreUnavailable` that names the server.
   * @param scripts what it runs; known faults bring their own
   */
  static async open(url: string, timeout_ms: number, scripts: Scripts = SCRIPTS): Promise<Connection> {
    const redis = new Redis(url, {
      lazyConnect: true,
      connectTimeout: timeout_ms,
      // A server that does not answer at all is given up, and connected to anew.
      socketTimeout: 2 * timeout_ms,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(RECONNECT_MAX_MS, 25 * 2 ** Math.min(attempt, 10)),
      scripts: Object.fromEntries(
        Object.entries(scripts).map(([name, lua]) => [name, { lua, numberOfKeys: 1 }]),
      ),
    }) as Scripted;
    // Each call tells its own failure; without a listener the library would print every lost connection.
    redis.on("error", () => {});
    const connection = new Connection(redis, timeout_ms);
    try {
      await connection.#within(redis.connect());
      return connection;
    } catch (error) {
      redis.disconnect();
      throw error;
    }
  }

  /** Whether the server has answered, and the connection to it stands. */
  get isReady(): boolean {
    return this.#redis.status === "ready";
  }

  /** Runs a script on a key. */
  run(script: ScriptName, key: string, args: readonly string[]): Promise<unknown> {
    if (this.#waiting >= WAITING_MAX)
      return Promise.reject(new StoreUnavailable(`${WAITING_MAX} calls wait for an answer already`));
    return this.#within(this.#redis[script](key, ...args));
  }

  /** Runs a plain command. */
  call(command: string, ...args: string[]): Promise<unknown> {
    return this.#within(this.#redis.call(command, ...args));
  }

  /** Drops the connection; calls that wait fail. */
  close(): void {
    this.#redis.disconnect();
  }

  async #within<T>(answer: Promise<T>): Promise<T> {
    this.#waiting += 1;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`no answer within ${this.#timeout_ms} ms`)),
        this.#timeout_ms,
      );
    });
    try {
      return await Promise.race([answer, late]);
    } catch (error) {
      throw new StoreUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
    } finally {
      clearTimeout(timer);
      this.#waiting -= 1;
    }
  }
}
