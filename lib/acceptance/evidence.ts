import type { Contract } from "../../contract/contract.ts";
import { microOf } from "../../contract/decimal.ts";
import { type Policy, TEMPLATE, type Tenant } from "../../contract/policy.ts";
import { rateParts } from "../../contract/rate.ts";
import type { RequestColumns } from "../../contract/request.ts";
import { isRows, type Rows } from "../../contract/rows.ts";
import { type Exact, exactOf } from "./exact.ts";
import { ReportedRows } from "./reported-rows.ts";
import { RequestIndex } from "./request-index.ts";
import { inOrder } from "./request-order.ts";

/** What acceptance looks at (§5.5): inputs and report, and no recomputation of a bucket. */
export interface AcceptanceInput {
  contract: Contract;
  policy: Policy;
  columns: RequestColumns;
  report: unknown;
  /** The checksum of the report's own content; null where it has none. */
  contentChecksum: string | null;
  /** Whether the round is the one of §7, with its files as they are: then its figures are known beforehand. */
  scenario?: boolean;
}

/** A reported bucket whose fields have the kinds of §4. */
export interface BucketRow {
  tier: string;
  capacity: number;
  opening_tokens: number;
  closing_tokens: number;
  reserve_tokens: number;
  reserve_breached: boolean;
  used: number;
  accepted: number;
  queued: number;
  rejected: number;
}

/** The dispatch order as the report states it: the request of each place, NO_REQUEST where the stream has none of that id. */
export interface DispatchList {
  requests: Int32Array;
  ids: Rows<string>;
}

/** Report and inputs in a form that criteria can ask. Parts the report lacks are null: nothing is concluded from them. */
export interface Evidence extends AcceptanceInput {
  fields: Record<string, unknown>;
  rows: ReportedRows | null;
  buckets: Map<string, BucketRow> | null;
  dispatch: DispatchList | null;
  counts: Record<string, number> | null;
  totals: Record<string, number> | null;
  index: RequestIndex;
  /** The stream's requests by rank, arrival and id (§3.5); those of who is not served come last. */
  order: Int32Array;
  /** The policy's entry for a tenant that has a bucket; undefined for one that is not served (§3.6). */
  tenantOf(name: string): Tenant | undefined;
  isDenied(name: string): boolean;
  rankOf(tenant: Tenant): number;
  isGuaranteed(tenant: Tenant): boolean;
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const BUCKET_NUMBERS = [
  "capacity",
  "opening_tokens",
  "closing_tokens",
  "reserve_tokens",
  "used",
  "accepted",
  "queued",
  "rejected",
];

function isBucketRow(value: unknown): value is Record<string, unknown> {
  return (
    isObject(value) &&
    BUCKET_NUMBERS.every((field) => typeof value[field] === "number") &&
    typeof value.tier === "string" &&
    typeof value.reserve_breached === "boolean"
  );
}

function numbersOf(value: unknown, names: readonly string[]): Record<string, number> | null {
  return isObject(value) && names.every((name) => typeof value[name] === "number")
    ? (value as Record<string, number>)
    : null;
}

function bucketsOf(value: unknown): Map<string, BucketRow> | null {
  if (!isObject(value)) return null;
  const entries = Object.entries(value);
  return entries.every(([, row]) => isBucketRow(row))
    ? new Map(entries as unknown as [string, BucketRow][])
    : null;
}

/** Who has a bucket and at which rank, by contract and policy alone (§1.2, §3.6). Made of maps: policies can be long. */
function servedBy(
  policy: Policy,
  contract: Contract,
): Pick<Evidence, "tenantOf" | "isDenied" | "rankOf" | "isGuaranteed"> {
  const listed = new Map(policy.tenants.map((tenant) => [tenant.tenant, tenant]));
  const denied = new Set(policy.denylist);
  const ranks = new Map(contract.tiers.map(({ name }, rank) => [name, rank]));
  const rankOf = ({ tier }: Tenant) => ranks.get(tier)!;
  return {
    tenantOf: (name) => (denied.has(name) ? undefined : (listed.get(name) ?? listed.get(TEMPLATE))),
    isDenied: (name) => denied.has(name),
    rankOf,
    isGuaranteed: (tenant) => contract.tiers[rankOf(tenant)]!.guaranteed,
  };
}

function dispatchOf(value: unknown, index: RequestIndex, likely: Int32Array): DispatchList | null {
  if (!isRows(value)) return null;
  const requests = new Int32Array(value.length);
  for (let place = 0; place < requests.length; place++) {
    const id = value.at(place);
    if (typeof id !== "string") return null;
    requests[place] = index.find(id, likely[place]);
  }
  return { requests, ids: value as Rows<string> };
}

/** Rank of each tenant of the stream, by its number; those that are not served come last (§3.5). */
export function ranksOf({
  columns,
  contract,
  tenantOf,
  rankOf,
}: Pick<Evidence, "columns" | "contract" | "tenantOf" | "rankOf">): Uint32Array {
  return Uint32Array.from(columns.tenantNames, (name) => {
    const tenant = tenantOf(name);
    return tenant === undefined ? contract.tiers.length : rankOf(tenant);
  });
}

/** Lays out what the criteria ask, packed: a round may have ten million requests. */
export function layOut(input: AcceptanceInput): Evidence {
  const { report, columns, contract, policy } = input;
  const fields = isObject(report) ? report : {};
  const { decisions, dispatch_order } = fields;
  const index = new RequestIndex(columns.reqId);
  const served = servedBy(policy, contract);
  const order = inOrder(columns, ranksOf({ columns, contract, ...served }));
  return {
    ...input,
    fields,
    rows: isRows(decisions) ? ReportedRows.of(decisions, index, columns, order) : null,
    buckets: bucketsOf(fields.per_tenant),
    dispatch: dispatchOf(dispatch_order, index, order),
    order,
    counts: numbersOf(fields.counts, ["accepted", "queued", "rejected", "reserve_breached"]),
    totals: numbersOf(fields.totals, ["capacity", "used", "over_capacity"]),
    index,
    ...served,
  };
}

/** A validated decimal in millionths. */
const micro = (text: string): Exact => exactOf(microOf(text) as bigint);

/** Millionths as the double that a report prints: their decimal text, read by the language. */
export function printed(amount: Exact): number {
  const digits = amount.toString().padStart(7, "0");
  return Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`);
}

/** A tenant's amounts, in millionths of a token (§1.2). */
export interface Amounts {
  capacity: Exact;
  /** Absent in the policy: the capacity. */
  opening: Exact;
  /** Absent in the policy: 0. */
  reserve: Exact;
  /** What is earned every `per_ms` milliseconds. */
  earned: Exact;
  per_ms: Exact;
}

const amountsOfTenants = new WeakMap<Tenant, Amounts>();

/** The amounts of a tenant of the policy, made once. */
export function amountsOf(tenant: Tenant): Amounts {
  const known = amountsOfTenants.get(tenant);
  if (known !== undefined) return known;
  const { capacity, opening_tokens = capacity, reserve_tokens = "0", rate, rate_per_sec = "0" } = tenant;
  const earning =
    rate === undefined ? { micro: microOf(rate_per_sec) as bigint, per_ms: 1000n } : rateParts(rate)!;
  const amounts = {
    capacity: micro(capacity),
    opening: micro(opening_tokens),
    reserve: micro(reserve_tokens),
    earned: exactOf(earning.micro),
    per_ms: exactOf(earning.per_ms),
  };
  amountsOfTenants.set(tenant, amounts);
  return amounts;
}
