import fc from "fast-check";
import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import type { GateCase, GateStep } from "../../contract/gate-case.ts";
import type { Replay } from "../reference/gate/replay.ts";
import { replay } from "../reference/gate/replay.ts";
import { type MemoryPlay, playInMemory } from "./conform-memory.ts";
import { gateCase, plain } from "./interleavings.ts";
import { stageConfig } from "./update.ts";

const RUNS = Number(process.env.GATE_RUNS ?? 3000);

const compiled = new Map<string, RE2JS>();
const tools = {
  accept(value: unknown) {
    const staged = stageConfig(value);
    return staged.ok ? staged.value.config : null;
  },
  matches(expression: string, text: string) {
    const known = compiled.get(expression) ?? RE2JS.compile(expression);
    compiled.set(expression, known);
    return known.test(text);
  },
};

function sizes(reference: Replay): Map<string, number> {
  const counts = new Map(reference.state().config.services.map(({ name }) => [name, 0]));
  for (const bucket of reference.state().buckets) counts.set(bucket.service, counts.get(bucket.service)! + 1);
  return counts;
}

function checkAfter(step: GateStep, memory: MemoryPlay, reference: Replay): void {
  const found = plain(memory.step(step));
  expect(found).toBe(plain(reference.step(step)));
  const { ledger, evictions } = memory.store.state();
  const other = reference.state();
  expect({ ledger, evictions }).toEqual({ ledger: other.ledger, evictions: other.evictions });
  const { reserved, committed, cancelled, expired, outstanding } = ledger;
  expect(committed + cancelled + expired + outstanding).toBe(reserved);
  expect(memory.store.outstanding().length).toBeGreaterThanOrEqual(outstanding);
  for (const [name, size] of sizes(reference)) expect(memory.store.sizeOf(name)).toBe(size);
}

function sideBySide({ config: start, steps: all }: Pick<GateCase, "config" | "steps">): void {
  const memory = playInMemory(start);
  const reference = replay(start, tools);
  for (const step of all) checkAfter(step, memory, reference);
}

test.each([1, 2, 3, 4])(
  "gate and reference agree on every interleaving, after every step (part %i)",
  { timeout: 600_000 },
  (part) => {
    const seed = Number(process.env.GATE_SEED ?? Date.now() % 1_000_000_007) + part;
    console.info(`interleavings: seed ${seed}, ${RUNS} runs`);
    fc.assert(fc.property(gateCase, sideBySide), { numRuns: RUNS, seed });
  },
);
