import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { GateCase } from "../../../contract/gate-case.ts";
import { playInMemory } from "../conform-memory.ts";
import { gateCase, plain } from "../interleavings.ts";
import { sumOf } from "../ledger.ts";
import { SharedPlayground } from "./conform-shared.ts";
import { RedisServer } from "./redis-server.ts";

/** More by hand: `GATE_RUNS=20000 vitest run lib/gate/shared/interleaving.test.ts`. */
const RUNS = Number(process.env.GATE_RUNS ?? 500);

let server: RedisServer;
let playground: SharedPlayground;
beforeAll(async () => {
  server = await RedisServer.start({ cluster: true });
  playground = await SharedPlayground.open(server.url);
});
afterAll(async () => {
  playground?.close();
  await server?.stop();
});

async function sideBySide({ config, steps }: Pick<GateCase, "config" | "steps">): Promise<void> {
  const memory = playInMemory(config);
  const shared = await playground.play(config, steps[0]?.at);
  for (const step of steps) {
    const found = plain(memory.step(step));
    expect(plain(await shared.step(step))).toBe(found);
    const counts = await shared.store.counts(step.at);
    expect(sumOf(counts.values())).toEqual(memory.store.state());
    for (const [service, { buckets }] of counts) expect(buckets).toBe(memory.store.sizeOf(service));
  }
  await shared.clear();
}

test("memory and shared store agree on every interleaving, after every step", {
  timeout: 3_600_000,
}, async () => {
  const seed = Number(process.env.GATE_SEED ?? Date.now() % 1_000_000_007);
  console.info(`shared interleavings: seed ${seed}, ${RUNS} runs`);
  await fc.assert(fc.asyncProperty(gateCase, sideBySide), { numRuns: RUNS, seed });
});
