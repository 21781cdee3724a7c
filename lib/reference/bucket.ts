import type { Contract } from "../../contract/contract.ts";
import type { Policy, Tenant } from "../../contract/policy.ts";
import { exactly, readRate } from "./decimal.ts";

/**
 * One tenant's bucket. Amounts count grains: a token has `grains_per_token` of them, chosen so that costs, balances and
 * what the bucket earns in a millisecond are all whole.
 */
export interface Bucket {
  tenant: string;
  tier: string;
  rank: number;
  guaranteed: boolean;
  grains_per_token: bigint;
  /** Grains in a millionth of a token. */
  grains_per_micro: bigint;
  earns_per_ms: bigint;
  capacity: bigint;
  opening: bigint;
  reserve: bigint;
  snapshot: bigint;
  signed: bigint;
  /** Time of the last refill in milliseconds; null means never, which is not the number 0 (§3.2). */
  refilled_ms: number | null;
  used: bigint;
  breached: boolean;
  accepted: number;
  queued: number;
  rejected: number;
}

const MICRO = 1_000_000n;

function openBucket(name: string, tenant: Tenant, contract: Contract): Bucket {
  const rank = contract.tiers.findIndex((tier) => tier.name === tenant.tier);
  const tier = contract.tiers[rank];
  if (tier === undefined) throw new Error(`no tier ${tenant.tier}`);
  const { micro, per_ms } = readRate(tenant);
  const grains = (text: string) => exactly(text) * per_ms;
  const opening = grains(tenant.opening_tokens ?? tenant.capacity);
  return {
    tenant: name,
    tier: tier.name,
    rank,
    guaranteed: tier.guaranteed,
    grains_per_token: MICRO * per_ms,
    grains_per_micro: per_ms,
    earns_per_ms: micro,
    capacity: grains(tenant.capacity),
    opening,
    reserve: grains(tenant.reserve_tokens ?? "0"),
    snapshot: opening,
    signed: opening,
    refilled_ms: null,
    used: 0n,
    breached: false,
    accepted: 0,
    queued: 0,
    rejected: 0,
  };
}

/** Why a tenant has no bucket (§3.6). */
export type Unserved = "denylisted" | "unknown_tenant";

/** The buckets of a round: each listed tenant's, and the template's for every other as it appears (§1.2, §3.6). */
export class BucketBook {
  readonly buckets: Bucket[] = [];
  private readonly byTenant = new Map<string, Bucket | Unserved>();
  private readonly template: Tenant | undefined;
  private readonly contract: Contract;

  constructor(contract: Contract, policy: Policy) {
    this.contract = contract;
    this.template = policy.tenants.find((tenant) => tenant.tenant === "*");
    for (const name of policy.denylist) this.byTenant.set(name, "denylisted");
    for (const tenant of policy.tenants)
      if (tenant.tenant !== "*" && !this.byTenant.has(tenant.tenant)) this.open(tenant.tenant, tenant);
  }

  /** The bucket of a tenant that a valid request names, or why it has none. */
  find(name: string): Bucket | Unserved {
    const known = this.byTenant.get(name);
    if (known !== undefined) return known;
    if (this.template !== undefined) return this.open(name, this.template);
    return "unknown_tenant";
  }

  private open(name: string, tenant: Tenant): Bucket {
    const bucket = openBucket(name, tenant, this.contract);
    this.byTenant.set(name, bucket);
    this.buckets.push(bucket);
    return bucket;
  }
}
