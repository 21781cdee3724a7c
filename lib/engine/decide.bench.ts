import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Contract } from "../../contract/contract.ts";
import type { Policy } from "../../contract/policy.ts";
import type { RequestColumns } from "../../contract/request.ts";
import { TextColumn } from "../../contract/text-column.ts";
import { openBuckets } from "./buckets.ts";
import { decideGroups, STEP } from "./decide-groups.ts";
import { decideRound } from "./decide-round.ts";
import { formGroups } from "./groups.ts";
import { contractRules } from "./rules.ts";

const REQUESTS = 1_000_000;
const TENANTS = 1000;
const ENGINE_RUNS = 9;
const PEER_RUNS = 3;
/** Costs are whole tenths of a token, so that the peer, which counts whole points, can take them as tenths. */
const MICRO_PER_TENTH = 100_000;
/** Requests arrive over this many milliseconds: with ties, as logs have them. */
const SPAN_MS = 500_000;

const contract: Contract = {
  version: 1,
  total_ceiling_per_sec: "1000000",
  epoch_ms: 1000,
  grace_ms: 5000,
  group_by: "request",
  refill: "continuous",
  tiers: [
    { name: "pledged", guaranteed: true },
    { name: "standard", guaranteed: false },
  ],
};

/** Half the tenants are guaranteed; about four in five requests are accepted. */
const policy: Policy = {
  tenants: Array.from({ length: TENANTS }, (_, at) => ({
    tenant: `t-${at}`,
    tier: at % 2 === 0 ? "pledged" : "standard",
    capacity: "20",
    rate_per_sec: "1.5",
    ceiling_units: "2",
    ...(at % 2 === 0 ? { reserve_tokens: "5" } : {}),
  })),
  denylist: [],
};

/** A stream by a fixed generator of numbers, so that each run decides the same; sorted by arrival, or not. */
function stream(sorted: boolean): RequestColumns {
  let seed = 20_261_025;
  const below = (limit: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const each = <T>(value: (at: number) => T) => Array.from({ length: REQUESTS }, (_, at) => value(at));
  return {
    count: REQUESTS,
    tenantNames: policy.tenants.map(({ tenant }) => tenant),
    reqId: TextColumn.of(each((at) => `req-${String(at).padStart(7, "0")}`)),
    tenant: Uint32Array.from(each(() => below(TENANTS))),
    arrivalMs: Float64Array.from(
      each((at) => (sorted ? Math.floor((at / REQUESTS) * SPAN_MS) : below(SPAN_MS))),
    ),
    costMicro: Float64Array.from(each(() => (1 + below(20)) * MICRO_PER_TENTH)),
    soft: Uint8Array.from(each(() => below(2))),
  };
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Requests per second of the parts of a round, medians of several runs, and the share that was accepted. */
function engineRates(columns: RequestColumns) {
  const times = {
    sort: [] as number[],
    group: [] as number[],
    decide: [] as number[],
    round: [] as number[],
  };
  const served = Uint32Array.from({ length: columns.count }, (_, at) => at);
  let accepted = 0;
  for (let run = 0; run < ENGINE_RUNS; run++) {
    const buckets = openBuckets(contract, policy, columns, contractRules);
    const start = performance.now();
    const order = contractRules.dispatchOrder(served, columns, buckets);
    const sorted = performance.now();
    const groups = formGroups(contract, columns, order, buckets, contractRules.unit(contract.group_by));
    const grouped = performance.now();
    const { step } = decideGroups(contract, groups, buckets, contractRules, false);
    const decided = performance.now();
    decideRound(contract, policy, columns);
    times.round.push(performance.now() - decided);
    times.sort.push(sorted - start);
    times.group.push(grouped - sorted);
    times.decide.push(decided - grouped);
    if (step.includes(0)) throw new Error("a request was not decided");
    accepted = step.reduce((sum, taken) => sum + (taken <= STEP.borrowed ? 1 : 0), 0) / columns.count;
  }
  const perSecond = (values: number[]) => (columns.count / median(values)) * 1000;
  return {
    accepted,
    sort: perSecond(times.sort),
    group: perSecond(times.group),
    decide: perSecond(times.decide),
    round: perSecond(times.round),
  };
}

/** The peer on the same stream, one request after another, `points` tenths of a token for each tenant and window. */
async function peerRate(columns: RequestColumns, points: number, duration_s: number) {
  const times: number[] = [];
  let accepted = 0;
  for (let run = 0; run < PEER_RUNS; run++) {
    const limiter = new RateLimiterMemory({ points, duration: duration_s });
    accepted = 0;
    const start = performance.now();
    for (let request = 0; request < columns.count; request++) {
      const tenant = columns.tenantNames[columns.tenant[request]!]!;
      try {
        await limiter.consume(tenant, columns.costMicro[request]! / MICRO_PER_TENTH);
        accepted += 1;
      } catch {
        // A refusal.
      }
    }
    times.push(performance.now() - start);
    // The limiter keeps a timer for each key, which would keep the process alive.
    for (const name of columns.tenantNames) await limiter.delete(name);
  }
  return { rate: (columns.count / median(times)) * 1000, accepted: accepted / columns.count };
}

const percent = (share: number): string => `${Math.round(share * 100)} % accepted`;

/**
 * The decide loop over 1 000 tenants and a million requests, `group_by: "request"`, `refill: "continuous"`, beside
 * rate-limiter-flexible's in-memory limiter on the same stream in the same run; and what goes before the loop. The peer
 * knows only the real clock, in which the stream is over within a second: under the policy's limits (20 tokens, refilled
 * in 13.3 s) it refuses nearly everything, and a refusal costs it an exception. So it is measured also with limits that
 * accept about as much as the engine does. Rows to print.
 */
export async function bench(): Promise<string[]> {
  const columns = stream(true);
  const sorted = engineRates(columns);
  const shuffled = engineRates(stream(false));
  const limited = await peerRate(columns, 200, 14);
  const alike = await peerRate(columns, 8_500, 3600);
  const row = (what: string, rate: number) =>
    [
      what.padEnd(52),
      `${(rate / 1e6).toFixed(2).padStart(6)} M requests/s`,
      `${(rate / limited.rate).toFixed(1).padStart(6)} ×`,
      `${(rate / alike.rate).toFixed(1).padStart(6)} ×`,
    ].join("  ");
  return [
    `${TENANTS} tenants, ${REQUESTS} requests, group_by request, refill continuous; medians of ${ENGINE_RUNS} and ${PEER_RUNS} runs`,
    row(`peer, limits of the policy: ${percent(limited.accepted)}`, limited.rate),
    row(`peer, limits that accept alike: ${percent(alike.accepted)}`, alike.rate),
    row(`decide loop, stream in order: ${percent(sorted.accepted)}`, sorted.decide),
    row(`decide loop, stream shuffled: ${percent(shuffled.accepted)}`, shuffled.decide),
    row("grouping, stream in order", sorted.group),
    row("grouping, stream shuffled", shuffled.group),
    row("sort for dispatch, stream in order", sorted.sort),
    row("sort for dispatch, stream shuffled", shuffled.sort),
    row("whole round, stream in order", sorted.round),
    row("whole round, stream shuffled", shuffled.round),
  ];
}
