import { TEMPLATE } from "../../contract/policy.ts";
import { type AcceptanceCriterion, firstFault, unequal } from "./criterion.ts";
import { type BucketRow, type Evidence, micro, openingOf, printed, tenantName } from "./evidence.ts";

const VERDICTS = ["accepted", "queued", "rejected"] as const;

/** Σ cost of the accepted requests of each tenant, in millionths. */
function acceptedCosts(evidence: Evidence): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  evidence.columns.reqId.forEach((id, request) => {
    if (evidence.rowOf.get(id)?.verdict !== "accepted") return;
    const name = tenantName(evidence, request);
    sums.set(name, (sums.get(name) ?? 0n) + BigInt(evidence.columns.costMicro[request]!));
  });
  return sums;
}

const sumOf = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((sum, amount) => sum + amount, 0n);

/** Names that must have a bucket (§1.2, §3.6). */
function bucketNames(evidence: Evidence): Set<string> {
  const names = new Set(
    evidence.policy.tenants.map(({ tenant }) => tenant).filter((name) => name !== TEMPLATE),
  );
  // A tenant index without a request cannot occur: names are listed as valid requests name them.
  for (const name of evidence.columns.tenantNames) names.add(name);
  for (const name of [...names]) if (evidence.tenantOf(name) === undefined) names.delete(name);
  return names;
}

function countVerdicts(evidence: Evidence, tenant?: string): Record<(typeof VERDICTS)[number], number> {
  const found = { accepted: 0, queued: 0, rejected: 0 };
  for (const row of evidence.rows ?? [])
    if ((tenant === undefined || row.tenant === tenant) && row.verdict in found)
      found[row.verdict as keyof typeof found] += 1;
  return found;
}

/** A criterion over each reported bucket; undefined where the report has no readable buckets. */
function eachBucket(
  id: string,
  group: string,
  clause: string,
  title: string,
  fault: (name: string, bucket: BucketRow, evidence: Evidence) => string | null,
): AcceptanceCriterion {
  return {
    id,
    group,
    clause,
    title,
    judge: (evidence) =>
      evidence.buckets === null
        ? undefined
        : firstFault(evidence.buckets, ([name, bucket]) => fault(name, bucket, evidence)),
  };
}

export const sumCriteria: AcceptanceCriterion[] = [
  {
    id: "counts.requests",
    group: "report",
    clause: "§4",
    title: "Verdicts add up to the requests",
    judge: ({ counts, columns }) =>
      counts === null
        ? undefined
        : unequal(
            "the sum",
            VERDICTS.reduce((sum, verdict) => sum + counts[verdict]!, 0),
            columns.count,
          ),
  },
  {
    id: "counts.decisions",
    group: "report",
    clause: "§4",
    title: "Counts are those of the decisions",
    judge: (evidence) => {
      const { counts, rows } = evidence;
      if (counts === null || rows === null) return undefined;
      const found = countVerdicts(evidence);
      return firstFault(VERDICTS, (verdict) => unequal(verdict, counts[verdict], found[verdict]));
    },
  },
  {
    id: "counts.breaches",
    group: "reserve",
    clause: "§4",
    title: "Breaches are counted by tenant",
    judge: ({ counts, rows }) => {
      if (counts === null || rows === null) return undefined;
      const tenants = new Set(rows.filter((row) => row.reserve_breached).map(({ tenant }) => tenant));
      return unequal("reserve_breached", counts.reserve_breached, tenants.size);
    },
  },
  {
    id: "totals.capacity",
    group: "report",
    clause: "§4",
    title: "Capacity is that of all buckets",
    judge: (evidence) => {
      if (evidence.totals === null) return undefined;
      const capacities = [...bucketNames(evidence)].map((name) => micro(evidence.tenantOf(name)!.capacity));
      return unequal("capacity", evidence.totals.capacity, printed(sumOf(capacities)));
    },
  },
  {
    id: "totals.used",
    group: "report",
    clause: "§4",
    title: "Used is the cost of what was accepted",
    judge: (evidence) =>
      evidence.totals === null || evidence.rows === null
        ? undefined
        : unequal("used", evidence.totals.used, printed(sumOf(acceptedCosts(evidence).values()))),
  },
  {
    id: "totals.over",
    group: "report",
    clause: "§4",
    title: "Over capacity is what was used above it",
    judge: (evidence) => {
      if (evidence.totals === null || evidence.rows === null) return undefined;
      const capacity = sumOf(
        [...bucketNames(evidence)].map((name) => micro(evidence.tenantOf(name)!.capacity)),
      );
      const over = sumOf(acceptedCosts(evidence).values()) - capacity;
      return unequal("over_capacity", evidence.totals.over_capacity, printed(over > 0n ? over : 0n));
    },
  },
  {
    id: "buckets.who",
    group: "denylist",
    clause: "§3.6",
    title: "Nobody unserved has a bucket, everybody served has one",
    judge: (evidence) => {
      const { buckets } = evidence;
      if (buckets === null) return undefined;
      const names = bucketNames(evidence);
      return (
        firstFault(buckets.keys(), (name) => (names.has(name) ? null : `${name} has a bucket`)) ??
        firstFault(names, (name) => (buckets.has(name) ? null : `${name} has no bucket`))
      );
    },
  },
  eachBucket(
    "buckets.policy",
    "refill",
    "§1.2",
    "Buckets open as the policy says",
    (name, bucket, evidence) => {
      const tenant = evidence.tenantOf(name);
      if (tenant === undefined) return null;
      return (
        unequal(`tier of ${name}`, bucket.tier, tenant.tier) ??
        unequal(`capacity of ${name}`, bucket.capacity, printed(micro(tenant.capacity))) ??
        unequal(`opening of ${name}`, bucket.opening_tokens, printed(openingOf(tenant))) ??
        unequal(`reserve of ${name}`, bucket.reserve_tokens, printed(micro(tenant.reserve_tokens ?? "0")))
      );
    },
  ),
  eachBucket(
    "buckets.balance",
    "refill",
    "§3.2",
    "No balance is below 0 or above capacity",
    (name, bucket) =>
      bucket.closing_tokens >= 0 && bucket.closing_tokens <= bucket.capacity
        ? null
        : `closing_tokens of ${name} is ${bucket.closing_tokens}`,
  ),
  {
    id: "buckets.counts",
    group: "report",
    clause: "§4",
    title: "Each tenant's figures are those of its decisions",
    judge: (evidence) => {
      const { buckets, rows } = evidence;
      if (buckets === null || rows === null) return undefined;
      const costs = acceptedCosts(evidence);
      const byTenant = new Map<
        string,
        { accepted: number; queued: number; rejected: number; breached: boolean }
      >();
      for (const row of rows) {
        const tally = byTenant.get(row.tenant) ?? { accepted: 0, queued: 0, rejected: 0, breached: false };
        if (row.verdict in tally) tally[row.verdict as (typeof VERDICTS)[number]] += 1;
        tally.breached ||= row.reserve_breached;
        byTenant.set(row.tenant, tally);
      }
      return firstFault(buckets, ([name, bucket]) => {
        const tally = byTenant.get(name) ?? { accepted: 0, queued: 0, rejected: 0, breached: false };
        return (
          firstFault(VERDICTS, (verdict) =>
            unequal(`${verdict} of ${name}`, bucket[verdict], tally[verdict]),
          ) ??
          unequal(`reserve_breached of ${name}`, bucket.reserve_breached, tally.breached) ??
          unequal(`used of ${name}`, bucket.used, printed(costs.get(name) ?? 0n))
        );
      });
    },
  },
];
