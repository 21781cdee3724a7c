import type { GateEvictions, GateLedger } from "../../contract/gate-case.ts";
import type { GateEnd } from "../../contract/gate-reasons.ts";

/** Counts of one service, which outlive updates: reserved = committed + cancelled + expired + outstanding (G4). */
export class Tally {
  readonly ledger: GateLedger = { reserved: 0, committed: 0, cancelled: 0, expired: 0, outstanding: 0 };
  readonly evictions: GateEvictions = { full: 0, lossy: 0 };

  reserve(): void {
    this.ledger.reserved += 1;
    this.ledger.outstanding += 1;
  }

  /** Reserved and committed in one step. */
  commit(): void {
    this.ledger.reserved += 1;
    this.ledger.committed += 1;
  }

  end(how: GateEnd): void {
    this.ledger.outstanding -= 1;
    this.ledger[how] += 1;
  }
}

/** The sum of tallies, in objects of its own. */
export function sumOf(tallies: Iterable<Pick<Tally, "ledger" | "evictions">>): {
  ledger: GateLedger;
  evictions: GateEvictions;
} {
  const sum = new Tally();
  for (const { ledger, evictions } of tallies) {
    for (const key of Object.keys(ledger) as (keyof GateLedger)[]) sum.ledger[key] += ledger[key];
    for (const key of Object.keys(evictions) as (keyof GateEvictions)[]) sum.evictions[key] += evictions[key];
  }
  return { ledger: sum.ledger, evictions: sum.evictions };
}
