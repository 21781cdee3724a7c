import { RateLimiterMemory } from "rate-limiter-flexible";
import type { Contract } from "../../contract/contract.ts";
import type { Policy } from "../../contract/policy.ts";
import type { RequestColumns } from "../../contract/request.ts";
import { openBuckets } from "./buckets.ts";
import { decideGroups } from "./decide-groups.ts";
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
    reqId: each((at) => `req-${String(at).padStart(7, "0")}`),
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

/** Requests per second of the parts of a round, medians of several runs. */
function engineRates(columns: RequestColumns) {
  const sort: number[] = [];
  const loop: number[] = [];
  const round: number[] = [];
  const served = Uint32Array.from({ length: columns.count }, (_, at) => at);
  for (let run = 0; run < ENGINE_RUNS; run++) {
    const buckets = openBuckets(contract, policy, columns, contractRules);
    const start = performance.now();
    const order = contractRules.dispatchOrder(served, columns, buckets);
    const sorted = performance.now();
    const groups = formGroups(contract, columns, order, buckets, contractRules.unit(contract.group_by));
    const { step } = decideGroups(contract, groups, buckets, contractRules, false);
    const decided = performance.now();
    if (step.includes(0)) throw new Error("a request was not decided");
    decideRound(contract, policy, columns);
    sort.push(sorted - start);
    loop.push(decided - sorted);
    round.push(performance.now() - decided);
  }
  const perSecond = (times: number[]) => (columns.count / median(times)) * 1000;
  return { sort: perSecond(sort), loop: perSecond(loop), round: perSecond(round) };
}

/** The peer on the same stream, one request after another. With room for all: a refusal would cost it an exception. */
async function peerRate(columns: RequestColumns): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < PEER_RUNS; run++) {
    const limiter = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: 3600 });
    const start = performance.now();
    for (let request = 0; request < columns.count; request++)
      await limiter.consume(
        columns.tenantNames[columns.tenant[request]!]!,
        columns.costMicro[request]! / MICRO_PER_TENTH,
      );
    times.push(performance.now() - start);
    // The limiter keeps a timer for each key, which would keep the process alive.
    for (const name of columns.tenantNames) await limiter.delete(name);
  }
  return (columns.count / median(times)) * 1000;
}

const millions = (rate: number): string => `${(rate / 1e6).toFixed(2)} M requests/s`;

/**
 * The decide loop (requests in dispatch order into groups, and every group decided) over 1 000 tenants and a million
 * requests, `group_by: "request"`, `refill: "continuous"`, beside rate-limiter-flexible's in-memory limiter on the
 * same stream in the same run. Rows to print.
 */
export async function bench(): Promise<string[]> {
  const sorted = stream(true);
  const ours = engineRates(sorted);
  const shuffled = engineRates(stream(false));
  const peer = await peerRate(sorted);
  const row = (what: string, rate: number) =>
    `${what.padEnd(44)} ${millions(rate).padStart(22)}   ${(rate / peer).toFixed(1).padStart(6)} ×`;
  return [
    `${TENANTS} tenants, ${REQUESTS} requests, group_by request, refill continuous; medians`,
    row("rate-limiter-flexible RateLimiterMemory", peer),
    row("decide loop, stream in order", ours.loop),
    row("decide loop, stream shuffled", shuffled.loop),
    row("sort for dispatch, stream in order", ours.sort),
    row("sort for dispatch, stream shuffled", shuffled.sort),
    row("whole round, stream in order", ours.round),
    row("whole round, stream shuffled", shuffled.round),
  ];
}
