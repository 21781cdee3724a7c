import type { Evidence } from "./evidence.ts";
import { exactSum } from "./reported-groups.ts";

const costsOfEvidence = new WeakMap<Evidence, Map<string, bigint>>();

/** Σ cost of the accepted requests of each tenant, in millionths; made once a report. */
export function acceptedCosts(evidence: Evidence): Map<string, bigint> {
  const known = costsOfEvidence.get(evidence);
  if (known !== undefined) return known;
  const { columns, rows } = evidence;
  const amounts: (number | bigint)[] = columns.tenantNames.map(() => 0);
  for (let request = 0; request < columns.count; request++) {
    const place = rows?.placeOf[request] ?? -1;
    if (place < 0 || rows!.verdictAt(place) !== "accepted") continue;
    const tenant = columns.tenant[request]!;
    amounts[tenant] = exactSum(amounts[tenant]!, columns.costMicro[request]!);
  }
  const sums = new Map(columns.tenantNames.map((name, tenant) => [name, BigInt(amounts[tenant]!)]));
  costsOfEvidence.set(evidence, sums);
  return sums;
}

export function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}
