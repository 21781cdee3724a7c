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
const NAMES = ["__proto__", 'a"b', "é😀", "banned", "one", "two"];
const line = fc.record({
  req_id: fc.nat(60).map((at) => `${at}"\\`),
  tenant: fc.constantFrom(...NAMES),
  arrival_ms: fc.nat(5000),
  cost: fc.constantFrom(0.5, 1, 3),
  mode: fc.constantFrom("soft", "hard", "neither"),
});

async function* chunked(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

/** All that is found of a round, its text among it. */
async function found(
  lines: readonly object[],
  changed: Partial<Recomputation> = {},
  size = 300,
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
      fc.array(line, { maxLength: 40 }),
      fc.integer({ min: 20, max: 600 }),
      fc.constantFrom<Recomputation["reading"]>("strict", "lenient"),
      fc.constantFrom<NonNullable<Recomputation["trace"]>>(true, false, (ids) => ids.length > 1),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
      async (lines, size, reading, trace, takes) => {
        const assistant = assistantHere((block) => takes[block % takes.length]!);
        const assisted = await found(lines, { reading, trace, assistant }, size);
        expect(assisted).toEqual(await found(lines, { reading, trace }, size));
      },
    ),
    { numRuns: 150 },
  );
});

const LINES = Array.from({ length: 40 }, (_, at) => ({
  ...{ req_id: `r${at}`, tenant: NAMES[at % NAMES.length], arrival_ms: 40 * at, cost: 1, mode: "soft" },
}));

test("an assistant is given both parts of the work", async () => {
  const assistant: AssistantHere = assistantHere((block) => block > 0);
  await found(LINES, { assistant });
  expect([assistant.taken.length > 3, assistant.told]).toEqual([true, 1]);
});

test.each(["part", "tell"] as const)("one that fails to give its %s leaves nothing judged", async (step) => {
  const fails = () => Promise.reject(new Error(`no ${step}`));
  const assistant: Assistant = { ...assistantHere(() => true), [step]: fails };
  await expect(found(LINES, { assistant })).rejects.toThrow(`no ${step}`);
});

/** A round of so many tenants, in its stream and its policy. */
const roundOf = (named: number, reported: number) =>
  ({
    table: { names: Array(named).fill("t") },
    summary: { per_tenant: Object.fromEntries(Array.from({ length: reported }, (_, at) => [at, null])) },
  }) as unknown as PackedRound;

test("a round of very many tenants is not handed over: its names would take longer than its text", () => {
  const most = 65_536;
  expect(isToldSooner(roundOf(most, most))).toBe(true);
  expect(isToldSooner(roundOf(most + 1, 1))).toBe(false);
  expect(isToldSooner(roundOf(1, most + 1))).toBe(false);
});

test("such a round is told without the assistant", async () => {
  const lines = Array.from({ length: 65_537 }, (_, at) => JSON.stringify({ ...LINES[0], tenant: `t${at}` }));
  const unique = lines.map((text, at) => text.replace('"r0"', `"r${at}"`)).join("\n");
  const assistant = assistantHere(() => false);
  const strangers = { tenants: policy.tenants.slice(0, 1), denylist: [] };
  const stream = chunked(unique, 1 << 20);
  const result = await recomputePacked({
    ...{ contract, policy: strangers, stream, reading: "strict", sha256, assistant },
  });
  expect([result.ok && result.requests, assistant.told]).toEqual([65_537, 0]);
});
