import type { Contract } from "../../contract/contract.ts";
import { type Policy, TEMPLATE, type Tenant } from "../../contract/policy.ts";
import type { RequestColumns } from "../../contract/request.ts";
import type { Arithmetic } from "./arithmetic.ts";
import { microUnits, rateFraction } from "./decimal-units.ts";
import type { Rules } from "./rules.ts";

/** "Never refilled" is a state of its own, not the number 0 (§3.2). No time is negative. */
export const NEVER = -1;

/** Amounts of the buckets that share an arithmetic, by bucket index; entries of other buckets are unused. */
export interface Lane<T extends number | bigint> {
  arithmetic: Arithmetic<T>;
  /** q of the bucket's rate p / q. */
  unit: ArrayLike<T> & Record<number, T>;
  capacity: ArrayLike<T> & Record<number, T>;
  opening: ArrayLike<T> & Record<number, T>;
  reserve: ArrayLike<T> & Record<number, T>;
  rate: ArrayLike<T> & Record<number, T>;
  /** §3.2; lowered by debits only. */
  snapshot: ArrayLike<T> & Record<number, T>;
  signed: ArrayLike<T> & Record<number, T>;
  used: ArrayLike<T> & Record<number, T>;
}

/** Every bucket of a round (§1.2, §3.6), as columns by bucket index. */
export interface Buckets {
  count: number;
  names: string[];
  /** The policy's entry behind each bucket: its own, or the template. */
  tenants: Tenant[];
  rank: Uint32Array;
  guaranteed: Uint8Array;
  /** Time of the last refill in milliseconds, or NEVER. */
  refilled_ms: Float64Array;
  numbers: Lane<number>;
  /** Null where no bucket is wide. */
  bigints: Lane<bigint> | null;
  isWide: Uint8Array;
  /** Bucket of each tenant index of the stream, −1 where it has none. */
  ofTenant: Int32Array;
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
 * Below 2^53 doubles are exact for it throughout.
 */
function amountBound(tenant: Tenant, costs: bigint, latest_ms: bigint): bigint {
  const { p, q } = rateFraction(tenant);
  return q * (microUnits(tenant.capacity) * 2n + costs) + p * latest_ms;
}

/** Sum of the costs of each bucket's requests, in millionths, and the latest arrival. */
function costSums(columns: RequestColumns, ofTenant: Int32Array, count: number) {
  const sums = new Float64Array(count);
  let latest_ms = 0;
  for (let index = 0; index < columns.count; index++) {
    const bucket = ofTenant[columns.tenant[index]!]!;
    if (bucket >= 0) sums[bucket]! += columns.costMicro[index]!;
    if (columns.arrivalMs[index]! > latest_ms) latest_ms = columns.arrivalMs[index]!;
  }
  return { sums, latest_ms: BigInt(latest_ms) };
}

function fillLane<T extends number | bigint>(
  lane: Lane<T>,
  bucket: number,
  tenant: Tenant,
  convert: (micro: bigint, unit: T) => T,
  unit: T,
  rate: T,
) {
  lane.unit[bucket] = unit;
  lane.rate[bucket] = rate;
  lane.capacity[bucket] = convert(microUnits(tenant.capacity), unit);
  lane.opening[bucket] = convert(microUnits(tenant.opening_tokens ?? tenant.capacity), unit);
  lane.reserve[bucket] = convert(microUnits(tenant.reserve_tokens ?? "0"), unit);
  lane.snapshot[bucket] = lane.opening[bucket]!;
  lane.signed[bucket] = lane.opening[bucket]!;
  lane.used[bucket] = lane.arithmetic.zero;
}

function emptyLane<T extends number | bigint>(
  arithmetic: Arithmetic<T>,
  column: () => ArrayLike<T> & Record<number, T>,
): Lane<T> {
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

const rankOf = (contract: Contract, tenant: Tenant): number =>
  contract.tiers.findIndex(({ name }) => name === tenant.tier);

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
  const ofTenant = Int32Array.from(columns.tenantNames, (name) => index.get(name) ?? -1);
  const { sums, latest_ms } = costSums(columns, ofTenant, count);
  const isWide = new Uint8Array(count);
  const numbers = emptyLane<number>(rules.numbers.arithmetic, () => new Float64Array(count));
  let bigints: Lane<bigint> | null = null;
  for (let bucket = 0; bucket < count; bucket++) {
    const tenant = tenants[bucket]!;
    // A sum of doubles may be rounded above 2^53; twice the sum bounds it all the same.
    const costs = BigInt(Math.ceil(sums[bucket]!)) * 2n;
    const { p, q } = rateFraction(tenant);
    if (rules.numbers.holds(amountBound(tenant, costs, latest_ms))) {
      fillLane(
        numbers,
        bucket,
        tenant,
        rules.numbers.convert,
        rules.numbers.unit(q),
        rules.numbers.rate(p, q),
      );
    } else {
      isWide[bucket] = 1;
      bigints ??= emptyLane<bigint>(rules.bigints, () => []);
      fillLane(bigints, bucket, tenant, (micro, unit) => micro * unit, q, p);
    }
  }
  return {
    count,
    names,
    tenants,
    rank: Uint32Array.from(tenants, (tenant) => rankOf(contract, tenant)),
    guaranteed: Uint8Array.from(tenants, (tenant) =>
      contract.tiers[rankOf(contract, tenant)]!.guaranteed ? 1 : 0,
    ),
    refilled_ms: new Float64Array(count).fill(NEVER),
    numbers,
    bigints,
    isWide,
    ofTenant,
  };
}
