import { type Evidence, tenantName } from "./evidence.ts";

const costsOfEvidence = new WeakMap<Evidence, Map<string, bigint>>();

/** Σ cost of the accepted requests of each tenant, in millionths; made once a report. */
export function acceptedCosts(evidence: Evidence): Map<string, bigint> {
  const known = costsOfEvidence.get(evidence);
  if (known !== undefined) return known;
  const sums = new Map<string, bigint>();
  const { columns, rowOf } = evidence;
  for (let request = 0; request < columns.count; request++) {
    if (rowOf.get(columns.reqId.at(request))?.verdict !== "accepted") continue;
    const name = tenantName(evidence, request);
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(columns.costMicro[request]!));
  }
  costsOfEvidence.set(evidence, sums);
  return sums;
}

export function sumOf(amounts: Iterable<bigint>): bigint {
  let sum = 0n;
  for (const amount of amounts) sum += amount;
  return sum;
}
