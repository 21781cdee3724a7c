import type { Lane } from "../engine/bucket-columns.ts";
import type { Standing } from "../engine/rules.ts";
import type { RuleFault } from "./fault.ts";
import { ReservePool } from "./reserve-pool.ts";

/** One pool a round; a round's standing lives as long as it is decided. */
const pools = new WeakMap<Standing, ReservePool>();

function poolOf(standing: Standing): ReservePool {
  const known = pools.get(standing);
  if (known !== undefined) return known;
  const pool = new ReservePool(standing);
  pools.set(standing, pool);
  return pool;
}

function poolHolds<T extends number | bigint>(
  _lane: Lane<T>,
  _bucket: number,
  _balance: T,
  standing: Standing,
  group: number,
): boolean {
  return poolOf(standing).holdsAt(group);
}

export const globalReservePool: RuleFault = {
  kind: "rule",
  id: "global-reserve-pool",
  clause: "§3.4",
  title: "One pool of reserves",
  summary:
    "Any guaranteed tenant may borrow while all guaranteed balances together reach the sum of the reserves.",
  replaces: "mayBorrow",
  rules: () => ({ mayBorrow: poolHolds }),
};
