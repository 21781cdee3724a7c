import { isDeepStrictEqual } from "node:util";
import type { Snapshot } from "../snapshot.ts";
import { Connection } from "./connection.ts";
import { liveAt, type Place, publishAt } from "./live-version.ts";
import { type SharedEvents, SharedStore } from "./shared-store.ts";

/** How a shared store is reached, and who is told what happens elsewhere. */
export interface SharedOptions extends SharedEvents {
  /** Gates with the same prefix share their buckets. Not empty, without braces: it is the hash slot of all keys (G12). */
  readonly prefix?: string;
  /** What the configuration is published as where none is live there; absent: 1. */
  readonly version?: number;
  /** Longest wait for an answer; then the store counts as not reachable (G12). */
  readonly timeout_ms?: number;
}

const PREFIX = "tenantthrottle";
const TIMEOUT_MS = 500;

/** The live configuration is another one than that of a process that wants to join (G8, G12). */
export class SharedConfigDiffers extends Error {
  /** The version that is live, and its configuration. */
  readonly version: number;
  readonly config: unknown;
  constructor(version: number, config: unknown) {
    super(
      `another configuration is live on the shared store, as version ${version}; start with that one and publish this one from there`,
    );
    this.version = version;
    this.config = config;
  }
}

function keyOf(prefix: string): string {
  if (prefix !== "" && !/[{}]/.test(prefix)) return `{${prefix}}`;
  throw new Error(
    `the prefix ${JSON.stringify(prefix)} names no hash slot; expected a text that is not empty and has no braces`,
  );
}

/**
 * A server that drops keys when memory runs short would make buckets full again, unseen (G6).
 * @param info what it says of its memory
 */
export function refuseForgetful(info: string): void {
  const told = new Map(info.split("\r\n").map((line) => line.split(":") as [string, string]));
  const policy = told.get("maxmemory_policy");
  if (told.get("maxmemory") !== "0" && policy?.startsWith("allkeys"))
    throw new Error(
      `the server drops keys when memory runs short (maxmemory-policy ${policy}); expected noeviction`,
    );
}

/** Publishes `version` where none is live, or joins where the same configuration is. */
export async function joinSharedStore(
  place: Place,
  snapshot: Snapshot,
  now_ms: number,
  first = 1,
  events: SharedEvents = {},
): Promise<SharedStore> {
  const { published, version, order } = await publishAt(place, snapshot, now_ms, 0, first);
  if (!published) {
    const live = await liveAt(place);
    if (!isDeepStrictEqual(live.config, JSON.parse(JSON.stringify(snapshot.config))))
      throw new SharedConfigDiffers(live.version, live.config);
  }
  const founded = order === undefined ? null : { snapshot, version, time_ms: now_ms, order };
  return new SharedStore(place, { snapshot, version }, events, founded);
}

/**
 * Opens the store that processes share (G12). The first one publishes `snapshot`; who comes later joins
 * where the same configuration is live, and rejects with `SharedConfigDiffers` where it is another. Rejects with
 * `StoreUnavailable` where the server cannot be reached. A gate over it is `new Gate(staged, store, store.freebies,
 * store.version)`.
 * @param url `redis://[[user]:password@]host[:port][/db]`, or `rediss://` for TLS
 */
export async function openSharedStore(
  url: string,
  snapshot: Snapshot,
  now_ms: number,
  { prefix = PREFIX, timeout_ms = TIMEOUT_MS, version = 1, ...events }: SharedOptions = {},
): Promise<SharedStore> {
  const key = keyOf(prefix);
  const connection = await Connection.open(url, timeout_ms);
  try {
    refuseForgetful(String(await connection.call("INFO", "memory")));
    return await joinSharedStore({ connection, key }, snapshot, now_ms, version, events);
  } catch (error) {
    connection.close();
    throw error;
  }
}
