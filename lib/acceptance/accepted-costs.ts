import type { Evidence } from "./evidence.ts";
import { type Exact, exactSum } from "./exact.ts";
import { ACCEPTED } from "./reported-rows.ts";

const costsOfEvidence = new WeakMap<Evidence, Map<string, Exact>>();

/** Σ cost of the accepted requests of each tenant, in millionths; made once a report. */
export function acceptedCosts(evidence: Evidence): Map<string, Exact> {
  const known = costsOfEvidence.get(evidence);
  if (known !== undefined) return known;
  const { columns, rows } = evidence;
  const amounts: Exact[] = columns.tenantNames.map(() => 0);
  for (let request = 0; request < columns.count; request++) {
    const place = rows?.placeOf[request] ?? -1;
    if (place < 0 || rows!.verdict[place] !== ACCEPTED) continue;
    const tenant = columns.tenant[request]!;
    amounts[tenant] = exactSum(amounts[tenant]!, columns.costMicro[request]!);
  }
  const sums = new Map(columns.tenantNames.map((name, tenant) => [name, amounts[tenant]!]));
  costsOfEvidence.set(evidence, sums);
  return sums;
}

export function sumOf(amounts: Iterable<Exact>): Exact {
  let sum: Exact = 0;
  for (const amount of amounts) sum = exactSum(sum, amount);
  return sum;
}
