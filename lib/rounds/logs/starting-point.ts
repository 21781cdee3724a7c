import { decimalText, microOf } from "../../../contract/decimal.ts";
import { TEMPLATE } from "../../../contract/policy.ts";
import type { RequestColumns } from "../../../contract/request.ts";
import type { Preset, ProposedTenant, StartingPoint } from "../../../contract/starting-point.ts";
import { decideRound } from "../../engine/decide-round.ts";
import { roundFigures } from "../../engine/round-figures.ts";
import type { LogSample } from "../../ingest/log/sample-log.ts";
import { validateDocuments } from "../run/documents.ts";

/** Most tenants that are proposed by name, and the share of all tokens that makes one of them; others go by the template. */
const NAMED = 20;
const NAMED_SHARE = 0.01;
const BURST_PERCENTILE = 99;
const SUSTAINED_PERCENTILE = 95;
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const MICRO = 1_000_000;

/** What was seen of a tenant, or of all that are not named. Amounts in millionths of a token. */
interface Seen {
  tenant: string;
  tenants: number;
  requests: number;
  cost: number;
  largest: number;
  burst: number;
  /** Of a minute. */
  minute: number;
}

/** The value that `percent` of the values do not exceed (nearest rank); 0 for none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil((percent / 100) * sorted.length) - 1, 0)] ?? 0;
}

/** Sums of cost by tenant and stretch of time, for those tenants that `pick` gives a place; others are left out. */
function sums(columns: RequestColumns, width_ms: number): Map<number, number>[] {
  const byTenant = columns.tenantNames.map(() => new Map<number, number>());
  for (let at = 0; at < columns.count; at++) {
    const stretch = Math.floor(columns.arrivalMs[at]! / width_ms);
    const own = byTenant[columns.tenant[at]!]!;
    own.set(stretch, (own.get(stretch) ?? 0) + columns.costMicro[at]!);
  }
  return byTenant;
}

function seenOf(columns: RequestColumns, [first_ms, last_ms]: [number, number]): Seen[] {
  const seconds = sums(columns, SECOND_MS);
  const minutes = sums(columns, MINUTE_MS);
  const minuteCount = Math.floor(last_ms / MINUTE_MS) - Math.floor(first_ms / MINUTE_MS) + 1;
  const span_ms = last_ms - first_ms;
  // A stream shorter than a minute is no whole minute: its rate is that of the seconds it has.
  const stretch = Math.min(Math.max(span_ms, SECOND_MS), MINUTE_MS) / MINUTE_MS;
  const seen = columns.tenantNames.map(
    (tenant): Seen => ({ tenant, tenants: 1, requests: 0, cost: 0, largest: 0, burst: 0, minute: 0 }),
  );
  for (let at = 0; at < columns.count; at++) {
    const own = seen[columns.tenant[at]!]!;
    const cost = columns.costMicro[at]!;
    own.requests += 1;
    own.cost += cost;
    own.largest = Math.max(own.largest, cost);
  }
  seen.forEach((own, tenant) => {
    const busy = [...minutes[tenant]!.values()];
    own.burst = percentile([...seconds[tenant]!.values()], BURST_PERCENTILE);
    // Minutes without a request do not count: whoever comes seldom would get next to no rate, and be refused for it.
    // Never less than the mean of all the time: what came could not all be served otherwise, however long it waits.
    own.minute = Math.max(percentile(busy, SUSTAINED_PERCENTILE) / stretch, own.cost / minuteCount);
  });
  return seen.filter(({ requests }) => requests > 0).sort((a, b) => b.cost - a.cost);
}

/** All that are not named, each of which gets a bucket like the others': what the heavier ones of them need. */
function restOf(rest: readonly Seen[]): Seen {
  const of = (key: "burst" | "minute" | "largest") => rest.map((own) => own[key]);
  return {
    tenant: TEMPLATE,
    tenants: rest.length,
    requests: rest.reduce((sum, own) => sum + own.requests, 0),
    cost: rest.reduce((sum, own) => sum + own.cost, 0),
    largest: Math.max(0, ...of("largest").slice(0, 1000)),
    burst: percentile(of("burst"), BURST_PERCENTILE),
    minute: percentile(of("minute"), SUSTAINED_PERCENTILE),
  };
}

/** Rounded up to two digits that count, so that people can read it; at least a thousandth. */
export function roundUp(value: number): number {
  if (value <= 0.001) return 0.001;
  const step = 10 ** (Math.floor(Math.log10(value)) - 1);
  const up = Number((Math.ceil(value / step - 1e-9) * step).toPrecision(2));
  return Number(up.toFixed(6));
}

interface Limits {
  seen: Seen;
  capacity: number;
  rate_per_sec: number;
}

const limitsOf = (seen: Seen): Limits => ({
  seen,
  // A bucket that holds less than one request costs refuses it for ever.
  capacity: roundUp(Math.max(seen.burst, seen.largest) / MICRO),
  rate_per_sec: roundUp(seen.minute / MICRO / 60),
});

function documentsOf(preset: Preset, limits: readonly Limits[]): { contract: string; policy: string } {
  const total = limits.reduce((sum, { rate_per_sec }) => sum + (microOf(String(rate_per_sec)) as bigint), 0n);
  const contract = {
    version: 1,
    total_ceiling_per_sec: Number(decimalText(total)),
    epoch_ms: 1000,
    grace_ms: 60_000,
    ...(preset === "standard"
      ? { group_by: "request", refill: "continuous" }
      : { group_by: "epoch", refill: "snapshot" }),
    tiers: [{ name: "standard", guaranteed: false }],
  };
  const tenants = limits.map(({ seen, capacity, rate_per_sec }) => ({
    tenant: seen.tenant,
    tier: "standard",
    capacity,
    rate_per_sec,
    ceiling_units: rate_per_sec,
  }));
  const print = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  return { contract: print(contract), policy: print({ tenants, denylist: [] }) };
}

/**
 * A contract and a policy to begin with: the heaviest tenants by name, all others by the template; capacity from the
 * bursts and the rate from what was sustained; and what they would have done with the same requests. Amounts are
 * rounded up to two digits: this proposes, it decides nothing.
 */
export function startingPoint({ columns, isWhole }: LogSample, preset: Preset): StartingPoint {
  const last_ms = columns.arrivalMs.reduce((last, arrival) => Math.max(last, arrival), 0);
  // A stream may begin long after its round does: what nobody had asked for until then was not idle.
  const first_ms = columns.arrivalMs.reduce((first, arrival) => Math.min(first, arrival), last_ms);
  const seen = seenOf(columns, [first_ms, last_ms]);
  const total = seen.reduce((sum, { cost }) => sum + cost, 0);
  const heavy = seen.slice(0, NAMED).filter(({ cost }) => cost >= NAMED_SHARE * total);
  const rest = seen.slice(heavy.length);
  // The template stands also where nobody is left for it: the next stream may hold others.
  const template = rest.length > 0 ? restOf(rest) : { ...restOf(seen), tenants: 0, requests: 0, cost: 0 };
  const limits = [...heavy, template].map(limitsOf);
  const texts = documentsOf(preset, limits);
  const encoder = new TextEncoder();
  const documents = validateDocuments(encoder.encode(texts.contract), encoder.encode(texts.policy), {
    contract: "contract",
    policy: "policy",
  });
  if (!documents.ok) throw new Error(`the proposal is not sound: ${documents.problems[0]?.message}`);
  const { contract, policy } = documents.value;
  const { per_tenant } = roundFigures(decideRound(contract, policy, columns));
  const named = new Set(limits.map(({ seen: own }) => own.tenant));
  const verdicts = new Map<string, { accepted: number; queued: number; rejected: number }>();
  for (const [tenant, { accepted, queued, rejected }] of Object.entries(per_tenant)) {
    const key = named.has(tenant) ? tenant : TEMPLATE;
    const sum = verdicts.get(key) ?? { accepted: 0, queued: 0, rejected: 0 };
    verdicts.set(key, {
      accepted: sum.accepted + accepted,
      queued: sum.queued + queued,
      rejected: sum.rejected + rejected,
    });
  }
  return {
    ...texts,
    burst_percentile: BURST_PERCENTILE,
    sustained_percentile: SUSTAINED_PERCENTILE,
    requests: columns.count,
    is_whole: isWhole,
    span_ms: last_ms - first_ms,
    tenants: seen.length,
    proposed: limits.map(
      ({ seen: own, capacity, rate_per_sec }): ProposedTenant => ({
        tenant: own.tenant,
        tenants: own.tenants,
        requests: own.requests,
        cost: own.cost / MICRO,
        burst: own.burst / MICRO,
        sustained: own.minute / MICRO / 60,
        capacity,
        rate_per_sec,
        ...(verdicts.get(own.tenant) ?? { accepted: 0, queued: 0, rejected: 0 }),
      }),
    ),
  };
}
