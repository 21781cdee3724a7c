import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import type { GateRequest } from "../decision.ts";
import { Gate } from "../gate.ts";
import { stageConfig } from "../update.ts";
import { openSharedStore } from "./open-shared-store.ts";
import { RedisServer } from "./redis-server.ts";

/** Requests under way at once, each of a client of its own, so that none waits for another. */
const AT_ONCE = 64;
const CALLS = 20_000;
const REPEATS = 4;
/** As many a second as no run reaches: what is measured is an admission, not a refusal. */
const PLENTY = 100_000_000;

type Call = (lane: number) => Promise<unknown>;

/** Processor time of the server so far, in microseconds. */
async function serverTime(redis: Redis): Promise<number> {
  const info = await redis.info("cpu");
  const seconds = [...info.matchAll(/^used_cpu_(?:user|sys):([\d.]+)/gm)].map(([, text]) => Number(text));
  return seconds.reduce((sum, one) => sum + one, 0) * 1e6;
}

/** Microseconds of processor time a call. */
interface Cost {
  readonly client: number;
  readonly server: number;
}

/** What each call costs, the least of some runs. They take turns: a busy machine is busy for all. */
async function costsOf(calls: readonly Call[], redis: Redis): Promise<Cost[]> {
  const least: Cost[] = calls.map(() => ({ client: Infinity, server: Infinity }));
  for (let repeat = 0; repeat < REPEATS; repeat += 1)
    for (const [index, call] of calls.entries()) {
      const [before, serverBefore] = [process.cpuUsage(), await serverTime(redis)];
      const lanes = Array.from({ length: AT_ONCE }, async (_, lane) => {
        for (let count = 0; count < CALLS / AT_ONCE; count += 1) await call(lane);
      });
      await Promise.all(lanes);
      const server = ((await serverTime(redis)) - serverBefore) / CALLS;
      const { user, system } = process.cpuUsage(before);
      const { client, server: known } = least[index]!;
      least[index] = { client: Math.min(client, (user + system) / CALLS), server: Math.min(known, server) };
    }
  return least;
}

async function gateCall(url: string, rules: number): Promise<{ call: Call; close: () => void }> {
  const list = Array.from({ length: rules }, (_, index) => ({
    id: `r${index}`,
    requests: PLENTY,
    per: "1s",
  }));
  const staged = stageConfig({ services: [{ name: "api", auth: "off", price: 0, rules: list }] });
  if (!staged.ok) throw new Error(staged.problems[0]!.message);
  const store = await openSharedStore(url, staged.value.snapshot, Date.now(), {
    prefix: randomUUID(),
    timeout_ms: 10_000,
  });
  const gate = new Gate(staged.value, store, store.freebies, store.version);
  const requests: GateRequest[] = Array.from({ length: AT_ONCE }, (_, lane) => ({
    ...{ host: "a.example", path: "/api/x", peer: `10.0.${lane}.1`, token: null, hold: null },
  }));
  const call: Call = async (lane) => {
    const { verdict } = await gate.decideInOrder(requests[lane]!, Date.now);
    if (verdict !== "allowed") throw new Error(`the gate came to ${verdict}`);
  };
  return { call, close: () => store.close() };
}

/** Processor time of a decision on a shared store, beside bare round trips of the same client library to the same server. */
export async function bench(): Promise<string[]> {
  const server = await RedisServer.start();
  const redis = new Redis(server.url);
  const gates = [await gateCall(server.url, 1), await gateCall(server.url, 3)];
  try {
    redis.defineCommand("one", { numberOfKeys: 1, lua: "return redis.call('INCR', KEYS[1])" });
    const scripted = redis as Redis & { one(key: string): Promise<unknown> };
    const increment: Call = (lane) => redis.incr(`n${lane}`);
    const script: Call = (lane) => scripted.one(`s${lane}`);
    const costs = await costsOf([...gates.map(({ call }) => call), increment, script], redis);
    const [one, three, bareIncrement, bareScript] = costs as [Cost, Cost, Cost, Cost];
    const beside = (cost: Cost, bare: Cost) =>
      `× ${(cost.server / bare.server).toFixed(1)} and × ${(cost.client / bare.client).toFixed(1)}`;
    const line = (rules: string, cost: Cost) =>
      `shared store, ${rules}: ${cost.server.toFixed(0)} µs of the server and ${cost.client.toFixed(0)} µs of the client a decision, which lets one server decide ${(1000 / cost.server).toFixed(0)} k/s; ${beside(cost, bareIncrement)} of a bare INCR, ${beside(cost, bareScript)} of a bare script with one INCR`;
    return [line("1 rule", one), line("3 rules", three)];
  } finally {
    redis.disconnect();
    for (const { close } of gates) close();
    await server.stop();
  }
}
