import { TEMPLATE } from "../../contract/policy.ts";
import { VERDICTS } from "../../contract/verdicts.ts";
import { acceptedCosts, sumOf } from "./accepted-costs.ts";
import { type AcceptanceCriterion, firstFault, unequal } from "./criterion.ts";
import { amountsOf, type BucketRow, type Evidence, printed } from "./evidence.ts";
import { type ReportedRows, wordNumber } from "./reported-rows.ts";

/** How many decisions there are of each verdict, and whether one is marked as a breach. */
interface Tally {
  accepted: number;
  queued: number;
  rejected: number;
  breached: boolean;
}

const emptyTally = (): Tally => ({ accepted: 0, queued: 0, rejected: 0, breached: false });

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

/** What the decisions say, of all and by the tenants that they name. */
interface Tallies {
  all: Tally;
  byTenant: Map<string, Tally>;
}

const talliesOfRows = new WeakMap<ReportedRows, Tallies>();

/** The decisions, counted once a report. */
function tallies(rows: ReportedRows): Tallies {
  const known = talliesOfRows.get(rows);
  if (known !== undefined) return known;
  const counts = new Uint32Array(rows.tenantNames.length * VERDICTS.length);
  const breaches = new Uint8Array(rows.tenantNames.length);
  for (let place = 0; place < rows.count; place++) {
    const tenant = rows.tenant[place]!;
    const verdict = rows.verdict[place]!;
    // The words of verdicts come first; what is none of them is not counted.
    if (verdict < VERDICTS.length) counts[tenant * VERDICTS.length + verdict]! += 1;
    breaches[tenant]! |= rows.breached[place]!;
  }
  const all = emptyTally();
  const byTenant = new Map<string, Tally>();
  rows.tenantNames.forEach((name, tenant) => {
    const tally = emptyTally();
    for (const verdict of VERDICTS) {
      tally[verdict] = counts[tenant * VERDICTS.length + wordNumber(verdict)]!;
      all[verdict] += tally[verdict];
    }
    tally.breached = breaches[tenant] === 1;
    byTenant.set(name, tally);
  });
  const found = { all, byTenant };
  talliesOfRows.set(rows, found);
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
      const found = tallies(rows).all;
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
      const tenants = [...tallies(rows).byTenant.values()].filter(({ breached }) => breached);
      return unequal("reserve_breached", counts.reserve_breached, tenants.length);
    },
  },
  {
    id: "totals.capacity",
    group: "report",
    clause: "§4",
    title: "Capacity is that of all buckets",
    judge: (evidence) => {
      if (evidence.totals === null) return undefined;
      const capacities = [...bucketNames(evidence)].map(
        (name) => amountsOf(evidence.tenantOf(name)!).capacity,
      );
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
        [...bucketNames(evidence)].map((name) => amountsOf(evidence.tenantOf(name)!).capacity),
      );
      const over = BigInt(sumOf(acceptedCosts(evidence).values())) - BigInt(capacity);
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
      const { capacity, opening, reserve } = amountsOf(tenant);
      return (
        unequal(`tier of ${name}`, bucket.tier, tenant.tier) ??
        unequal(`capacity of ${name}`, bucket.capacity, printed(capacity)) ??
        unequal(`opening of ${name}`, bucket.opening_tokens, printed(opening)) ??
        unequal(`reserve of ${name}`, bucket.reserve_tokens, printed(reserve))
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
      const { byTenant } = tallies(rows);
      return firstFault(buckets, ([name, bucket]) => {
        const tally = byTenant.get(name) ?? emptyTally();
        return (
          firstFault(VERDICTS, (verdict) =>
            unequal(`${verdict} of ${name}`, bucket[verdict], tally[verdict]),
          ) ??
          unequal(`reserve_breached of ${name}`, bucket.reserve_breached, tally.breached) ??
          unequal(`used of ${name}`, bucket.used, printed(costs.get(name) ?? 0))
        );
      });
    },
  },
];
