import type { LogPublish } from "../../../../contract/decision-log.ts";
import type { FieldDifference } from "../log-difference.ts";
import { machine } from "../machine.ts";
import type { AuditedStore } from "./audited-store.ts";
import type { KnownSnapshots } from "./known-snapshots.ts";
import type { LineComparison } from "./line-comparison.ts";

interface PublishAuditParts {
  readonly snapshots: KnownSnapshots;
  readonly comparison: LineComparison;
}

/** A snapshot goes live in a store (G1, G8). Null: the gate heard of what another process published. */
export function auditPublish(
  one: LogPublish,
  store: AuditedStore | null,
  { snapshots, comparison }: PublishAuditParts,
): FieldDifference[] {
  snapshots.learn(one);
  if (snapshots.isReplaced && store?.machine !== null) return [];
  const config = snapshots.accept(one.config);
  if (config === null)
    return [{ seq: one.seq, clause: "G1", field: "config", logged: "published", expected: "refused" }];
  // What another process published is compared where that one tells it.
  if (store === null) return comparison.compare(one, { config }, one.seq);
  // The first snapshot of a store is what it is; each further one is the next version (G8).
  const version = store.machine === null ? one.version : store.machine.state().version + 1;
  if (store.machine === null) store.machine = machine(config, version);
  else store.machine.publish(config, one.at);
  return comparison.compare(one, { version, config }, one.seq);
}
