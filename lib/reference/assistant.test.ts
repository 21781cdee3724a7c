import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Contract } from "../../contract/contract.ts";
import { held } from "../../contract/report.ts";
import { type Assistant, isToldSooner } from "./assistant.ts";
import { type AssistantHere, assistantHere } from "./assistant-here.ts";
import type { PackedRound } from "./packed-round.ts";
import { openResult, type Recomputation, recomputePacked } from "./recompute.ts";

const sha256 = () => {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), hex: () => hash.digest("hex") };
};
const contract: Contract = {
  ...{ version: 1, total_ceiling_per_sec: "100", epoch_ms: 1000, grace_ms: 500, refill: "continuous" },
  group_by: "epoch",
  tiers: [
    { name: "gold", guaranteed: true },
    { name: "plain", guaranteed: false },
  ],
};
const limits = { capacity: "4", ceiling_units: "4", rate_per_sec: "1" };
const policy = {
  tenants: [
    { tenant: "__proto__", tier: "gold", reserve_tokens: "1", ...limits },
    { tenant: "*", tier: "plain", ...limits },
  ],
  denylist: ["banned"],
};
const NAMES = ["__proto__", 'a"b', "é😀", "banned"];
const line = fc.record({
  req_id: fc.nat(2000).map((at) => `${at}"\\`),
  tenant: fc.constantFrom(...NAMES),
  arrival_ms: fc.nat(5000),
  cost: fc.constantFrom(0.5, 1, 3),
  mode: fc.constantFrom(...Array(20).fill("soft"), "hard", "neither"),
});

async function* chunked(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** All that is found of a round, its text among it. */
async function found(
  lines: readonly object[],
  changed: Partial<Recomputation> = {},
  size = 1000,
): Promise<unknown> {
  const texts: Buffer[] = [];
  const stream = chunked(lines.map((each) => JSON.stringify(each)).join("\n"), size);
  const result = await recomputePacked({
    ...{ contract, policy, stream, reading: "lenient", sha256, trace: true },
    ...{ onText: (piece: Uint8Array) => texts.push(Buffer.from(piece)) },
    ...changed,
  });
  const { round: _, ...digests } = result.ok ? result : { ...result, round: null };
  const opened = openResult(result);
  const rows = opened.ok ? { figures: held(opened.figures), groups: [...opened.groups] } : null;
  return { digests, rows, text: `${Buffer.concat(texts)}` };
}

test("a round is found alike with an assistant and without, in both readings and with every trace", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { maxLength: 250, size: "max" }),
      fc.integer({ min: 200, max: 6000 }),
      fc.constantFrom<Recomputation["reading"]>("strict", "lenient"),
      fc.constantFrom<NonNullable<Recomputation["trace"]>>(true, false, (ids) => ids.length > 1),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
      async (lines, size, reading, trace, takes) => {
        const assistant = assistantHere((block) => takes[block % takes.length]!);
        const assisted = await found(lines, { reading, trace, assistant }, size);
        expect(assisted).toEqual(await found(lines, { reading, trace }, size));
      },
    ),
    { numRuns: 60 },
  );
});

const LINES = Array.from({ length: 150 }, (_, at) => ({
  ...{ req_id: `r${at}`, tenant: NAMES[at % NAMES.length], arrival_ms: 40 * at, cost: 1, mode: "soft" },
}));

test("an assistant is given both parts of the work, and nobody where there is none", async () => {
  const assistant: AssistantHere = assistantHere((block) => block > 0);
  expect(await found(LINES, { assistant })).toEqual(await found(LINES));
  expect([assistant.taken.length > 3, assistant.told]).toEqual([true, 1]);
});

test.each(["part", "tell"] as const)("one that fails to give its %s leaves nothing judged", async (step) => {
  const fails = () => Promise.reject(new Error(`no ${step}`));
  const assistant: Assistant = { ...assistantHere(() => true), [step]: fails };
  await expect(found(LINES, { assistant })).rejects.toThrow(`no ${step}`);
});

/** A round of so many rows and tenants, in its stream and its policy. */
const roundOf = (count: number, named: number, reported: number) =>
  ({
    table: { count, names: Array(named).fill("t") },
    summary: { per_tenant: Object.fromEntries(Array.from({ length: reported }, (_, at) => [at, null])) },
  }) as unknown as PackedRound;

test("a round of few requests a tenant is not handed over: its names would take longer than its text", () => {
  expect(isToldSooner(roundOf(96, 3, 3))).toBe(true);
  expect(isToldSooner(roundOf(95, 3, 1))).toBe(false);
  expect(isToldSooner(roundOf(95, 1, 3))).toBe(false);
});

test("such a round is told without the assistant, and alike", async () => {
  const assistant = assistantHere(() => false);
  const few = LINES.slice(0, 100);
  expect(await found(few, { assistant })).toEqual(await found(few));
  expect(assistant.told).toBe(0);
});
