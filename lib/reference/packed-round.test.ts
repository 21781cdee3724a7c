import { createHash } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { type InputResult, readContract, readPolicy } from "../../contract/input.ts";
import { held, type RoundFigures } from "../../contract/report.ts";
import { rowOfColumns } from "../../contract/row-of-columns.ts";
import { canonicalText, type Json } from "./canonical-json.ts";
import { memoryOf } from "./packed-round.ts";
import { openResult, type Recomputation, recomputePacked } from "./recompute.ts";

function valid<T>(result: InputResult<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}
const sha256 = () => {
  const hash = createHash("sha256");
  return { update: (bytes: Uint8Array) => void hash.update(bytes), hex: () => hash.digest("hex") };
};

const NAMES = ['a"b', "back\\slash", "__proto__", "é😀", "stranger", "banned"];
const contractOf = (group_by: "epoch" | "request") =>
  valid(
    readContract({
      ...{
        version: 1,
        group_by,
        epoch_ms: 1000,
        grace_ms: 500,
        refill: "continuous",
        total_ceiling_per_sec: 100,
      },
      tiers: [
        { name: "gold", guaranteed: true },
        { name: "plain", guaranteed: false },
      ],
    }),
  );
const policyOf = (group_by: "epoch" | "request") =>
  valid(
    readPolicy(
      {
        tenants: NAMES.slice(0, 4).map((tenant, at) => ({
          ...{
            tenant,
            ...(at % 2 === 0 ? { tier: "gold", reserve_tokens: 1 } : { tier: "plain" }),
            capacity: 4,
            ceiling_units: 4,
            rate_per_sec: 1,
          },
        })),
        denylist: ["banned"],
      },
      contractOf(group_by),
    ),
  );
const STREAM = Array.from({ length: 60 }, (_, at) =>
  JSON.stringify({
    ...{ req_id: `${at}"\\${at}`, tenant: NAMES[(at * 5) % 6], arrival_ms: 300 * at, cost: 1 },
    mode: at % 4 === 0 ? "soft" : "hard",
  }),
).join("\n");

async function recomputed(
  group_by: "epoch" | "request",
  trace: NonNullable<Recomputation["trace"]> = false,
  lines = STREAM,
) {
  async function* stream() {
    yield new TextEncoder().encode(lines);
  }
  const texts: Buffer[] = [];
  const result = await recomputePacked({
    ...{
      contract: contractOf(group_by),
      policy: policyOf(group_by),
      stream: stream(),
      reading: "strict",
      sha256,
    },
    ...{ trace, onText: (piece: Uint8Array) => texts.push(Buffer.from(piece)) },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.skipped));
  const bytes = Buffer.concat(texts);
  expect(result.text_bytes).toBe(bytes.length);
  expect(result.text_sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  return { result, text: bytes.toString() };
}
const opened = (result: Awaited<ReturnType<typeof recomputed>>["result"]) => {
  const found = openResult(result);
  if (!found.ok) throw new Error("refused");
  const groups = [...found.groups];
  const columns = groups.length === 0 ? null : found.groups.columns();
  expect(groups.map((_, at) => rowOfColumns(columns!, at))).toEqual(groups);
  return { figures: held(found.figures), groups };
};

/** The text that the checksum covers (§4), of figures made into objects. */
const textOf = ({ counts, totals, per_tenant, dispatch_order, decisions }: RoundFigures) =>
  canonicalText({ counts, totals, per_tenant, dispatch_order, decisions } as unknown as Json);

/** Every typed array in a value, at any depth. */
function columns(value: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(columns) : [];
}

const TRACES: [string, NonNullable<Recomputation["trace"]>][] = [
  ["no group traced", false],
  ["every group traced", true],
  ["some groups traced", (ids) => ids.some((id) => id.startsWith("2"))],
];
describe.each(["epoch", "request"] as const)("a round by %s, as plain data", (group_by) => {
  test.each(TRACES)(
    "is the same where another thread opens it, and gives all its memory away: %s",
    async (_, trace) => {
      const { result } = await recomputed(group_by, trace);
      const before = opened(result);
      expect(before.groups.length > 0).toBe(trace !== false);
      const memory = memoryOf(result.round);
      expect(new Set(memory).size).toBe(memory.length);
      const there = structuredClone(result, { transfer: memory });
      expect(columns(result.round).filter(({ byteLength }) => byteLength > 0)).toEqual([]);
      expect(opened(there)).toEqual(before);
      expect(Object.keys(opened(there).figures.per_tenant)).toContain("__proto__");
    },
  );

  test("tells of its buckets their tiers and nothing else, one object a tier", async () => {
    const { result } = await recomputed(group_by, true);
    const buckets = result.round.bucketOf.filter((bucket) => typeof bucket !== "string");
    expect(buckets).toHaveLength(4);
    expect(new Set(buckets)).toEqual(new Set([{ tier: "gold" }, { tier: "plain" }]));
    const tierOf = (name: string) => (NAMES.indexOf(name) % 2 === 0 ? "gold" : "plain");
    for (const { tenant, tier } of opened(result).groups) expect(tier).toBe(tierOf(tenant));
  });

  test("knows every member of a group by its columns, and no tier of who has no bucket", async () => {
    // Three requests a second, of one tenant after the other: by epoch each three are one group.
    const lines = Array.from({ length: 18 }, (_, at) => {
      const tenant = NAMES[Math.floor(at / 3)];
      return JSON.stringify({ req_id: `r${at}`, tenant, arrival_ms: 300 * at, cost: 1, mode: "hard" });
    }).join("\n");
    const { result } = await recomputed(group_by, true, lines);
    const { groups } = opened(result);
    if (group_by === "epoch") expect(Math.max(...groups.map(({ req_ids }) => req_ids.length))).toBe(3);
    const found = openResult(result);
    if (!found.ok) throw new Error("refused");
    const { tenants, tiers } = found.groups.columns();
    const tierOf = new Map(tenants.map((tenant, at) => [tenant, tiers[at]]));
    expect([...tierOf].sort()).toEqual(
      [
        ['a"b', "gold"],
        ["back\\slash", "plain"],
        ["__proto__", "gold"],
        ["é😀", "plain"],
        ["stranger", null],
        ["banned", null],
      ].sort(),
    );
  });

  test("lists the groups that it kept where not all or none were asked for, and has room for none in vain", async () => {
    const traceOf = async (trace: NonNullable<Recomputation["trace"]>) =>
      (await recomputed(group_by, trace)).result.round.trace;
    expect(await traceOf(false)).toBeNull();
    expect((await traceOf(true))?.kept).toBeNull();
    expect((await traceOf(() => false))?.kept).toEqual([]);
  });

  test.each(TRACES)("finds the group of each request that was dispatched: %s", async (_, trace) => {
    const found = openResult((await recomputed(group_by, trace)).result);
    if (!found.ok) throw new Error("refused");
    const groups = [...found.groups];
    for (const [place, id] of [...found.figures.dispatch_order].entries())
      expect(found.groups.ofPlace(place)).toEqual(groups.find(({ req_ids }) => req_ids.includes(id)));
    expect(found.groups.ofPlace(-1)).toBeUndefined();
    expect(found.groups.ofPlace(found.figures.dispatch_order.length)).toBeUndefined();
  });

  test.each(TRACES)("gives all its memory back, and makes no row of what is gone: %s", async (_, trace) => {
    const { result } = await recomputed(group_by, trace);
    const found = openResult(result);
    if (!found.ok) throw new Error("refused");
    const { counts, per_tenant } = structuredClone({ ...found.figures, dispatch_order: [], decisions: [] });
    found.letGo();
    expect(columns(result.round).filter(({ byteLength }) => byteLength > 0)).toEqual([]);
    const { dispatch_order, decisions } = found.figures;
    const isTraced = trace !== false;
    const asks = [
      () => dispatch_order.at(0),
      () => decisions.at(0),
      () => [...decisions],
      () => found.groups.ofPlace(0),
      () => found.groups.columns(),
      ...(isTraced ? [() => found.groups.at(0)] : []),
    ];
    for (const ask of asks) expect(ask).toThrow("these rows were let go");
    // What is no row stays.
    expect({ ...found.figures.counts }).toEqual(counts);
    expect({ ...found.figures.per_tenant }).toEqual(per_tenant);
  });

  test("is found in columns that are given back as soon as nobody needs them", async () => {
    const requests = 1000;
    const line = (at: number) =>
      JSON.stringify({ req_id: `${at}`, tenant: NAMES[at % 2], arrival_ms: at, cost: 1, mode: "soft" });
    const transfer = vi.spyOn(ArrayBuffer.prototype, "transfer");
    const given: number[] = [];
    transfer.mockImplementation(function (this: ArrayBuffer) {
      given.push(this.byteLength);
      return this;
    });
    try {
      await recomputed(group_by, true, Array.from({ length: requests }, (_, at) => line(at)).join("\n"));
    } finally {
      transfer.mockRestore();
    }
    const room = 1024;
    // Lines; who is served; what each rank was sorted with, and who is not served; arrivals.
    expect(given).toEqual([4 * room, 2 * requests, 2 * requests, 4 * requests, 0, 8 * room]);
  });

  test("knows no group where none was traced", async () => {
    const found = openResult((await recomputed(group_by)).result);
    if (!found.ok) throw new Error("refused");
    expect(found.groups.length).toBe(0);
    expect(() => found.groups.columns()).toThrow("no groups were kept");
  });

  test("is told as canonical text also where nobody is served", async () => {
    const lines = ["a", "b"].map((req_id, at) =>
      JSON.stringify({ req_id, tenant: `stranger ${at}`, arrival_ms: 1, cost: 1, mode: "soft" }),
    );
    const { result, text } = await recomputed(group_by, false, lines.join("\n"));
    expect(text).toBe(textOf(opened(result).figures));
  });

  test("is told as the canonical text of its figures, whatever stands in its names (§4)", async () => {
    const { result, text } = await recomputed(group_by);
    const { figures } = opened(result);
    expect(text).toBe(textOf(figures));
    const reasons = new Set(figures.decisions.map(({ reason }) => reason));
    expect([reasons.has("unknown_tenant"), reasons.has("denylisted")]).toEqual([true, true]);
  });
});
