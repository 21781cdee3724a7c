import type { Contract } from "../../contract/contract.ts";
import { type Policy, TEMPLATE, type Tenant } from "../../contract/policy.ts";
import type { RequestColumns } from "../../contract/request.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { type Buckets, type Column, type Lane, NEVER } from "./bucket-columns.ts";
import { microUnits, rateFraction } from "./decimal-units.ts";
import type { Rules } from "./rules.ts";

/** A tenant's entry of the policy in whole numbers: rate p / q (§1.2), amounts in millionths, and its tier. */
interface Scale {
  p: bigint;
  q: bigint;
  capacity: bigint;
  opening: bigint;
  reserve: bigint;
  rank: number;
  guaranteed: boolean;
}

function scaleOf(contract: Contract, tenant: Tenant): Scale {
  const rank = contract.tiers.findIndex(({ name }) => name === tenant.tier);
  const tier = contract.tiers[rank];
  if (tier === undefined) throw new Error("a validated policy names no unknown tier");
  return {
    ...rateFraction(tenant),
    capacity: microUnits(tenant.capacity),
    opening: microUnits(tenant.opening_tokens ?? tenant.capacity),
    reserve: microUnits(tenant.reserve_tokens ?? "0"),
    rank,
    guaranteed: tier.guaranteed,
  };
}

/** Which buckets there are: listed tenants that are not denied, then templated ones in order of appearance (§1.2, §3.6). */
function listBuckets(policy: Policy, tenantNames: string[], denied: ReadonlySet<string>) {
  const listed = policy.tenants.filter(({ tenant }) => tenant !== TEMPLATE && !denied.has(tenant));
  const names = listed.map(({ tenant }) => tenant);
  const tenants = [...listed];
  const known = new Set(policy.tenants.map(({ tenant }) => tenant));
  const template = policy.tenants.find(({ tenant }) => tenant === TEMPLATE);
  if (template === undefined) return { names, tenants };
  for (const name of tenantNames) {
    if (known.has(name) || denied.has(name)) continue;
    names.push(name);
    tenants.push(template);
  }
  return { names, tenants };
}

/**
 * A bound on every amount a bucket can meet, in 1/q millionths: what it can hold, all its costs, and all it can earn.
 * Up to 2^53 − 1 doubles are exact for it throughout. One millisecond more, since a wait is multiplied out again.
 */
function amountBound({ p, q, capacity }: Scale, costs: bigint, latest_ms: bigint): bigint {
  return q * (capacity * 2n + costs) + p * (latest_ms + 1n);
}

/** Sum of the costs of each bucket's requests, in millionths, and the latest arrival. */
function costSums(columns: RequestColumns, ofTenant: Int32Array, count: number) {
  const sums = new Float64Array(count);
  let latest_ms = 0;
  for (let index = 0; index < columns.count; index++) {
    const bucket = ofTenant[columns.tenant[index]!]!;
    // Exact while it stays below 2^53. Once above it never comes back, and the bucket is wide whatever the sum is.
    if (bucket >= 0) sums[bucket]! += columns.costMicro[index]!;
    if (columns.arrivalMs[index]! > latest_ms) latest_ms = columns.arrivalMs[index]!;
  }
  return { sums, latest_ms: BigInt(latest_ms) };
}

function emptyLane<T extends number | bigint>(arithmetic: Arithmetic<T>, column: () => Column<T>): Lane<T> {
  return {
    arithmetic,
    unit: column(),
    capacity: column(),
    opening: column(),
    reserve: column(),
    rate: column(),
    snapshot: column(),
    signed: column(),
    used: column(),
  };
}

/** Opens a bucket in a lane, at its opening balance. */
function open<T extends number | bigint>(
  lane: Lane<T>,
  bucket: number,
  scale: Scale,
  convert: (micro: bigint, unit: T) => T,
  unit: T,
  rate: T,
): void {
  lane.unit[bucket] = unit;
  lane.rate[bucket] = rate;
  lane.capacity[bucket] = convert(scale.capacity, unit);
  lane.opening[bucket] = convert(scale.opening, unit);
  lane.reserve[bucket] = convert(scale.reserve, unit);
  lane.snapshot[bucket] = lane.opening[bucket]!;
  lane.signed[bucket] = lane.opening[bucket]!;
  lane.used[bucket] = lane.arithmetic.zero;
}

const multiply = (micro: bigint, unit: bigint): bigint => micro * unit;

/** Opens every bucket of a round at its opening balance, never refilled. */
export function openBuckets(
  contract: Contract,
  policy: Policy,
  columns: RequestColumns,
  rules: Rules,
): Buckets {
  const denied = rules.deniedTenants(policy.denylist);
  const { names, tenants } = listBuckets(policy, columns.tenantNames, denied);
  const count = names.length;
  const index = new Map(names.map((name, bucket) => [name, bucket]));
  const buckets: Buckets = {
    count,
    names,
    tenants,
    rank: new Uint32Array(count),
    guaranteed: new Uint8Array(count),
    refilled_ms: new Float64Array(count).fill(NEVER),
    numbers: emptyLane(rules.numbers.arithmetic, () => new Float64Array(count)),
    bigints: null,
    isWide: new Uint8Array(count),
    ofTenant: Int32Array.from(columns.tenantNames, (name) => index.get(name) ?? -1),
  };
  const { sums, latest_ms } = costSums(columns, buckets.ofTenant, count);
  // One scale an entry of the policy: the template may stand behind a million buckets.
  const scales = new Map(policy.tenants.map((tenant) => [tenant, scaleOf(contract, tenant)]));
  const { holds, unit, rate, convert } = rules.numbers;
  for (let bucket = 0; bucket < count; bucket++) {
    const scale = scales.get(tenants[bucket]!)!;
    const { p, q } = scale;
    buckets.rank[bucket] = scale.rank;
    buckets.guaranteed[bucket] = scale.guaranteed ? 1 : 0;
    if (holds(amountBound(scale, BigInt(sums[bucket]!), latest_ms))) {
      open(buckets.numbers, bucket, scale, convert, unit(q), rate(p, q));
    } else {
      buckets.isWide[bucket] = 1;
      buckets.bigints ??= emptyLane<bigint>(rules.bigints, () => []);
      open(buckets.bigints, bucket, scale, multiply, q, p);
    }
  }
  return buckets;
}
