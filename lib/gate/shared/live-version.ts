import { randomBytes } from "node:crypto";
import type { Rule, Snapshot } from "../snapshot.ts";
import type { Publishing } from "../store.ts";
import { type Connection, StoreUnavailable } from "./connection.ts";

/** Where the live version stands on a server: the name in braces is the one hash slot of all keys (G12). */
export interface Place {
  readonly connection: Connection;
  /** `{prefix}` */
  readonly key: string;
}

/** A script is handed the limits of all rules that match in one call, which Lua bounds. */
const RULES_MAX = 1000;

const limitOf = ({ id, requests, per_ms: per, burst }: Rule) => ({ id, requests, per, burst });

/** The limits of a snapshot as the publishing script reads them. */
function limitsOf({ services }: Snapshot) {
  return services.map(({ name, config, rules }) => {
    if (rules.length > RULES_MAX)
      throw new Error(
        `service ${JSON.stringify(name)} has ${rules.length} rules; a shared store takes ${RULES_MAX}`,
      );
    return {
      name,
      max: config.max_entries,
      deny: config.on_pressure === "deny",
      rules: rules.map(limitOf),
    };
  });
}

/** Goes over from one version (0: none) to another in one step, or says which is live instead (G8). */
export async function publishAt(
  { connection, key }: Place,
  snapshot: Snapshot,
  now_ms: number,
  from: number,
  to: number,
): Promise<Publishing> {
  const [done, version, order] = (await connection.run("publish", key, [
    String(now_ms),
    String(from),
    String(to),
    JSON.stringify(snapshot.config),
    JSON.stringify(limitsOf(snapshot)),
    randomBytes(4).toString("hex"),
  ])) as [string, string, string?];
  return { published: done === "1", version: Number(version), ...(order === undefined ? {} : { order }) };
}

/** The version that is live, and its configuration in normal form. */
export async function liveAt({ connection, key }: Place): Promise<{ version: number; config: unknown }> {
  const found = (await connection.call("HMGET", `${key}:meta`, "version", "config")) as (string | null)[];
  const [version, config] = found;
  if (!version || !config) throw new StoreUnavailable("no configuration is live there");
  return { version: Number(version), config: JSON.parse(config) };
}
