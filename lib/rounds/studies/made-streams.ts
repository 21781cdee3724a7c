import type { Contract } from "../../../contract/contract.ts";
import { microOf } from "../../../contract/decimal.ts";
import { ARRIVAL_MAX_MS, COST_MAX } from "../../../contract/limits.ts";
import { type Policy, TEMPLATE, type Tenant } from "../../../contract/policy.ts";
import { rateParts } from "../../../contract/rate.ts";
import type { ListedRequest } from "./request-list.ts";

/** Requests of a made stream, at most: what shows a fault needs few. */
const MOST_REQUESTS = 8;
const COST_MAX_MICRO = Number(COST_MAX) * 1_000_000;

/** Numbers in [0, 1) from a seed, the same on every machine (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const micro = (text: string): number => Number(microOf(text));

/** A tenant that may send requests, with the amounts and times at which its bucket changes its mind. */
interface Sender {
  name: string;
  /** Costs near which verdicts turn, millionths. */
  costs: number[];
  /** Times after which the bucket is full again, or a part of it. */
  fills_ms: number[];
}

function senderOf(name: string, entry: Tenant | undefined): Sender {
  if (entry === undefined) return { name, costs: [1_000_000], fills_ms: [] };
  const capacity = micro(entry.capacity);
  const opening = micro(entry.opening_tokens ?? entry.capacity);
  const reserve = micro(entry.reserve_tokens ?? "0");
  const rate = rateParts(entry.rate ?? `${entry.rate_per_sec ?? "0"}/s`);
  const perMs = rate === null ? 0 : Number(rate.micro) / Number(rate.per_ms);
  const fills =
    perMs === 0 ? [] : [capacity, capacity / 2, capacity * 2, reserve].map((amount) => amount / perMs);
  return {
    name,
    costs: [capacity, opening, reserve, capacity - reserve, opening - reserve, capacity / 2, capacity / 3],
    fills_ms: fills.filter((fill_ms) => fill_ms <= ARRIVAL_MAX_MS / 4),
  };
}

/** Who may send: listed tenants, denied ones, strangers; a few of each where there are many. */
function sendersOf(policy: Policy): Sender[] {
  const template = policy.tenants.find(({ tenant }) => tenant === TEMPLATE);
  const entries = new Map(policy.tenants.map((entry) => [entry.tenant, entry]));
  const named = policy.tenants.filter(({ tenant }) => tenant !== TEMPLATE).slice(0, 12);
  const names = [
    ...named.map(({ tenant }) => tenant),
    ...policy.denylist.slice(0, 2),
    "stranger-1",
    "stranger-2",
  ];
  return [...new Set(names)].map((name) => senderOf(name, entries.get(name) ?? template));
}

/**
 * Streams made for a contract and a policy, without end: few requests, at the times and of the costs at which verdicts
 * turn. From a seed, so that the same question has the same answer.
 */
export function* madeStreams(contract: Contract, policy: Policy, seed: number): Generator<ListedRequest[]> {
  const random = randomFrom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!;
  const senders = sendersOf(policy);
  const steps_ms = [0, 1, contract.epoch_ms, contract.epoch_ms, contract.grace_ms];
  const time = (sender: Sender) => {
    const base = pick([0, 0, below(4) * contract.epoch_ms, ...sender.fills_ms]);
    return Math.min(Math.max(Math.round(base + pick(steps_ms) + below(4) - 1), 0), ARRIVAL_MAX_MS);
  };
  const cost = (sender: Sender) => {
    const scale = pick([1, 1, 0.5, 0.3, 1.1, random()]);
    const grain = pick([1, 100_000, 100_000, 1_000_000]);
    const amount = Math.round((pick(sender.costs) * scale) / grain) * grain + pick([0, 0, grain, -grain]);
    return Math.min(Math.max(amount, grain), COST_MAX_MICRO);
  };
  for (;;) {
    const some = Array.from({ length: 1 + below(3) }, () => pick(senders));
    yield Array.from({ length: 1 + below(MOST_REQUESTS) }, (_, at) => {
      const sender = pick(some);
      return {
        req_id: `made-${String(at + 1).padStart(2, "0")}`,
        tenant: sender.name,
        arrival_ms: time(sender),
        cost_micro: cost(sender),
        mode: pick(["soft", "hard"] as const),
      };
    });
  }
}
