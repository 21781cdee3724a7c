import type { LogRefused } from "../../../../contract/decision-log.ts";
import type { FieldDifference } from "../log-difference.ts";
import type { AuditedStores } from "./audited-store.ts";
import type { KnownSnapshots } from "./known-snapshots.ts";
import type { LineComparison } from "./line-comparison.ts";

interface RefusalAuditParts {
  readonly snapshots: KnownSnapshots;
  readonly stores: AuditedStores;
  readonly comparison: LineComparison;
}

/**
 * An update was refused, or failed (G8): what was live stays live, and decides what follows. One that was made from the
 * live version is not outdated, unless another process has published since on a store that they share.
 */
export function auditRefusal(
  one: LogRefused,
  { snapshots, stores, comparison }: RefusalAuditParts,
): FieldDifference[] {
  if (snapshots.isReplaced) return [];
  const { version } = snapshots.at(one.seq);
  const found = comparison.compare(one, { version }, one.seq);
  if (one.why !== "outdated" || stores.isShared || one.from !== version) return found;
  const told = { logged: "outdated", expected: "the live version" };
  return [...found, { seq: one.seq, clause: "G8", field: "why", ...told }];
}
