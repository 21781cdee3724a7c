import type { LogTally } from "../../../../contract/decision-log.ts";
import type { FieldDifference } from "../log-difference.ts";
import { type AuditedStore, type AuditedStores, machineAt, misplaced } from "./audited-store.ts";
import type { LineComparison } from "./line-comparison.ts";

interface TallyAuditParts {
  readonly stores: AuditedStores;
  readonly comparison: LineComparison;
}

/** What the gate says of itself (G4, G6): its ledger, which must balance, what it forgot, and how many buckets it has. */
export function auditTally(
  one: LogTally,
  store: AuditedStore | null,
  { stores, comparison }: TallyAuditParts,
): FieldDifference[] {
  if (store === null) return [misplaced(one, "a place")];
  const machine = machineAt(store);
  machine.moveOn(one.at);
  const { ledger, evictions, config, buckets } = machine.state();
  const live = config.services.map(({ name }) => name);
  // A shared store counts services that are gone too, in an order of its own.
  const names = stores.isShared ? new Set([...one.entries.map(([name]) => name), ...live]) : live;
  const entries = [...names].map((name) => [name, buckets.sizeOf(name)]);
  const { reserved, committed, cancelled, expired, outstanding } = one.ledger;
  const told = { reserved: committed + cancelled + expired + outstanding };
  return [
    ...comparison.compare(one.ledger, ledger, one.seq),
    ...comparison.compare({ equation: reserved }, { equation: told.reserved }, one.seq),
    ...comparison.compare(one.evictions, evictions, one.seq),
    ...comparison.compare(one, { entries }, one.seq),
  ];
}
