import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { caseSchema } from "../../contract/case.ts";
import { NumberText } from "../../contract/decimal.ts";
import type { GroupRow } from "../../contract/group.ts";
import { type InputResult, readContract, readPolicy } from "../../contract/input.ts";
import { held, type RoundFigures } from "../../contract/report.ts";
import type { Reading } from "../../contract/request.ts";
import { canonicalText, type Hasher, type Json } from "./canonical-json.ts";
import { recompute } from "./recompute.ts";

const CASES = new URL("../../contract/cases/", import.meta.url);
const SCENARIO = new URL("../../contract/scenario/2026-10-25-1000/", import.meta.url);

const sha256 = (): Hasher => {
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") };
};

// Numbers keep their text both ways: a double would lose the last digits of `beyond-53-bits`.
const keepNumbers = (_: string, value: unknown, { source }: { source?: string } = {}) =>
  typeof value === "number" ? new NumberText(source!) : value;
const readJson = (text: string): unknown => JSON.parse(text, keepNumbers as never);
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };
const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (part instanceof NumberText ? rawJSON(part.text) : part));
const linesOf = (requests: readonly unknown[]): string =>
  requests.map((row) => `${writeJson(row)}\n`).join("");

function valid<T>(result: InputResult<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.value;
}

async function round(
  documents: { contract: unknown; policy: unknown; stream: string },
  options: { reading?: Reading; trace?: boolean } = {},
) {
  const contract = valid(readContract(documents.contract));
  const policy = valid(readPolicy(documents.policy, contract));
  async function* stream() {
    yield new TextEncoder().encode(documents.stream);
  }
  const result = await recompute({
    contract,
    policy,
    stream: stream(),
    reading: options.reading ?? "strict",
    sha256,
    trace: options.trace ?? false,
  });
  if (!result.ok) throw new Error(JSON.stringify(result.skipped));
  return { ...result, figures: held(result.figures), groups: [...result.groups] };
}

const canonical = (figures: RoundFigures & { checksum?: string }, checksum = figures.checksum): string => {
  const { counts, totals, per_tenant, dispatch_order, decisions } = figures;
  return canonicalText({
    counts,
    totals,
    per_tenant,
    dispatch_order,
    decisions,
    checksum,
  } as unknown as Json);
};

describe("expected values of an independent implementation", () => {
  const files = readdirSync(CASES).filter((name) => name.endsWith(".json"));

  test("there are cases to run", () => expect(files.length).toBeGreaterThanOrEqual(40));

  test.each(files)("%s", async (name) => {
    const text = readFileSync(new URL(name, CASES), "utf8");
    const { contract, policy, requests } = readJson(text) as {
      contract: unknown;
      policy: unknown;
      requests: unknown[];
    };
    const { expected } = JSON.parse(text);
    expect(caseSchema.safeParse(JSON.parse(text)).success).toBe(true);
    const found = await round({ contract, policy, stream: linesOf(requests) });
    expect(JSON.parse(canonical(found.figures, found.checksum))).toEqual(JSON.parse(canonical(expected)));
    expect(canonical(found.figures, found.checksum)).toBe(canonical(expected));
  });
});

const scenarioText = (name: string): string => readFileSync(new URL(name, SCENARIO), "utf8");
const scenario = {
  contract: readJson(scenarioText("contract.json")),
  policy: readJson(scenarioText("policy.json")),
  stream: scenarioText("requests.jsonl"),
};

describe("the scenario (§7)", () => {
  const expected = JSON.parse(scenarioText("expected.json")).clean;

  test("comes out as the contract says", async () => {
    const found = await round(scenario);
    expect(found.figures.counts).toEqual({ accepted: 9, queued: 4, rejected: 4, reserve_breached: 1 });
    expect(found.figures.totals).toEqual({ capacity: 38, used: 37, over_capacity: 0 });
    expect(canonical(found.figures, found.checksum)).toBe(canonical(expected));
    expect(found.requests).toBe(17);
    expect(found.stream_sha256).toBe(createHash("sha256").update(scenario.stream).digest("hex"));
  });

  test("req-0013 waits 550 ms, not the 551 of doubles", async () => {
    const { figures } = await round(scenario);
    expect(figures.decisions.find(({ req_id }) => req_id === "req-0013")?.wait_ms).toBe(550);
  });

  test("keeps no trace unless asked", async () => {
    expect((await round(scenario)).groups).toEqual([]);
  });

  test("a trace lays every group open, and its figures add up", async () => {
    const { groups, figures } = await round(scenario, { trace: true });
    expect(groups.flatMap(({ req_ids }) => req_ids)).toHaveLength(figures.dispatch_order.length);
    expect(groups.map(({ position }) => position)).toEqual(groups.map((_, index) => index));
    const used = groups.filter(({ verdict }) => verdict === "accepted").reduce((n, g) => n + g.required, 0);
    expect(used).toBeCloseTo(figures.totals.used, 9);
    const steps = new Set(groups.map(({ step }) => step));
    expect(steps.has(1) && steps.has(2)).toBe(true);
  });

  test("the order of lines changes nothing that the checksum covers (§1)", async () => {
    const { checksum } = await round(scenario);
    const lines = scenario.stream.trim().split("\n");
    const shuffled = fc.shuffledSubarray(lines, { minLength: lines.length });
    await fc.assert(
      fc.asyncProperty(shuffled, async (order) => {
        expect((await round({ ...scenario, stream: order.join("\n") })).checksum).toBe(checksum);
      }),
      { numRuns: 50 },
    );
  });
});

const contract = (changes: object = {}) => ({
  version: 1,
  total_ceiling_per_sec: 1000,
  epoch_ms: 1000,
  grace_ms: 5000,
  group_by: "request",
  refill: "continuous",
  tiers: [
    { name: "pledged", guaranteed: true },
    { name: "standard", guaranteed: false },
  ],
  ...changes,
});
const tenant = (changes: object = {}) => ({
  tenants: [{ tenant: "a", tier: "standard", capacity: 10, rate_per_sec: 1, ceiling_units: 1, ...changes }],
  denylist: [],
});
const stream = (...rows: [arrival_ms: number, cost: number, mode?: string, tenant?: string][]) =>
  linesOf(
    rows.map(([arrival_ms, cost, mode = "soft", name = "a"], index) => ({
      req_id: `r${index}`,
      tenant: name,
      arrival_ms,
      cost,
      mode,
    })),
  );

async function groupsOf(documents: { contract: unknown; policy: unknown; stream: string }) {
  return (await round(documents, { trace: true })).groups;
}
const balances = (groups: GroupRow[]) => groups.map((g) => [g.signed_balance, g.signed_after]);

describe("refill (§3.2)", () => {
  test.each(["snapshot", "continuous"])("%s: the first group is refilled also at time 0", async (refill) => {
    const policy = tenant({ opening_tokens: 4 });
    const groups = await groupsOf({ contract: contract({ refill }), policy, stream: stream([0, 4]) });
    expect(balances(groups)).toEqual([[4, 0]]);
  });

  test("two groups at one time see one refill", async () => {
    const policy = tenant({ opening_tokens: 0 });
    const groups = await groupsOf({
      contract: contract(),
      policy,
      stream: stream([3000, 1], [3000, 2], [4000, 1]),
    });
    expect(balances(groups)).toEqual([
      [3, 2],
      [2, 0],
      [1, 0],
    ]);
  });

  test("snapshot counts from the start of the round and keeps what overflowed; continuous does not", async () => {
    const rows = stream([20_000, 10], [20_001, 10]);
    const of = async (refill: string) =>
      balances(await groupsOf({ contract: contract({ refill }), policy: tenant(), stream: rows }));
    // From the snapshot 10 − 10 the width of 20.001 s fills the bucket again.
    expect(await of("snapshot")).toEqual([
      [10, 0],
      [10, 0],
    ]);
    expect(await of("continuous")).toEqual([
      [10, 0],
      [0.001, 0.001],
    ]);
  });

  test("debt is carried below 0, paid back, and never reported as a balance", async () => {
    const policy = tenant({ tier: "pledged", reserve_tokens: 4 });
    const documents = { contract: contract(), policy, stream: stream([0, 25], [5000, 1], [20_000, 4]) };
    const groups = await groupsOf(documents);
    expect(groups.map(({ step }) => step)).toEqual([2, 4, 1]);
    expect(balances(groups)).toEqual([
      [10, -15],
      [-10, -10],
      [5, 1],
    ]);
    expect(groups[1]?.wait_ms).toBe(11_000);
    const early = await round({ ...documents, stream: stream([0, 25], [5000, 1]) });
    expect(early.figures.per_tenant.a?.closing_tokens).toBe(0);
  });
});

describe("verdict (§3.4)", () => {
  const empty = { opening_tokens: 0 };
  test.each([
    ["1: enough", {}, [0, 10, "hard"], 1, "accepted", null, 0],
    ["3: more than the bucket holds", {}, [0, 11, "soft"], 3, "rejected", "exceeds_capacity", null],
    ["4: longer than grace", empty, [0, 5.001, "soft"], 4, "rejected", "queue_expired", 5001],
    [
      "4: no rate, no wait",
      { ...empty, rate_per_sec: 0 },
      [0, 1, "soft"],
      4,
      "rejected",
      "queue_expired",
      null,
    ],
    ["5: exactly grace", empty, [0, 5, "soft"], 5, "queued", null, 5000],
    ["6: may not be queued", empty, [0, 5, "hard"], 6, "rejected", "insufficient_tokens", 5000],
  ] as const)("step %s", async (_, changes, row, step, verdict, reason, wait_ms) => {
    const documents = {
      contract: contract(),
      policy: tenant(changes),
      stream: stream([row[0], row[1], row[2]]),
    };
    const { groups, figures } = await round(documents, { trace: true });
    expect(groups.map((g) => g.step)).toEqual([step]);
    expect(figures.decisions).toEqual([
      { req_id: "r0", tenant: "a", verdict, reason, wait_ms, reserve_breached: false },
    ]);
  });

  test("what is just enough waits for nothing, also without a rate", async () => {
    const policy = tenant({ rate_per_sec: 0 });
    const groups = await groupsOf({ contract: contract(), policy, stream: stream([0, 10]) });
    expect(groups.map(({ step, wait_ms }) => [step, wait_ms])).toEqual([[1, 0]]);
  });

  test("one hard member keeps a whole group from the queue", async () => {
    const documents = {
      contract: contract({ group_by: "epoch" }),
      policy: tenant(empty),
      stream: stream([0, 1, "soft"], [999, 1, "hard"], [1000, 1, "soft"]),
    };
    const { figures } = await round(documents);
    expect(figures.decisions.map(({ reason }) => reason)).toEqual([
      "insufficient_tokens",
      "insufficient_tokens",
      null,
    ]);
  });

  test("a wait of 2^53 − 1 ms is told, one beyond is not", async () => {
    // A millionth of a token every 1e6 days: the wait is the missing millionths × 8.64e13 ms.
    const rate = "0.000001/1000000d";
    const policy = {
      ...tenant({ capacity: 1_000_000, opening_tokens: 0 }),
    };
    const [row] = policy.tenants as Record<string, unknown>[];
    delete row?.rate_per_sec;
    Object.assign(row!, { rate });
    const documents = { contract: contract(), policy, stream: stream([0, 0.000104], [0, 0.000105]) };
    const { figures } = await round(documents);
    expect(figures.decisions.map(({ wait_ms }) => wait_ms)).toEqual([104 * 8.64e13, null]);
  });
});

describe("who is not served (§3.6)", () => {
  test("the denylist wins over the list and the template; rest by arrival and id after the dispatched", async () => {
    const policy = {
      tenants: [
        { tenant: "a", tier: "standard", capacity: 10, rate_per_sec: 1, ceiling_units: 1 },
        { tenant: "b", tier: "standard", capacity: 10, rate_per_sec: 1, ceiling_units: 1 },
        { tenant: "*", tier: "pledged", capacity: 5, rate_per_sec: 1, ceiling_units: 1, reserve_tokens: 1 },
      ],
      denylist: ["b", "c"],
    };
    const rows = stream([9, 1, "soft", "c"], [5, 1, "soft", "b"], [7, 1, "soft", "a"], [8, 1, "soft", "d"]);
    const { figures } = await round({ contract: contract(), policy, stream: rows });
    expect(figures.decisions.map(({ req_id, reason }) => [req_id, reason])).toEqual([
      ["r3", null],
      ["r2", null],
      ["r1", "denylisted"],
      ["r0", "denylisted"],
    ]);
    expect(Object.keys(figures.per_tenant).sort()).toEqual(["a", "d"]);
    expect(figures.dispatch_order).toEqual(["r3", "r2"]);
    expect(figures.totals.capacity).toBe(15);
  });

  test("without a template a tenant that is not listed is unknown", async () => {
    const { figures } = await round({
      contract: contract(),
      policy: tenant(),
      stream: stream([0, 1, "soft", "toString"]),
    });
    expect(figures.decisions[0]).toMatchObject({
      verdict: "rejected",
      reason: "unknown_tenant",
      wait_ms: null,
    });
    expect(figures.counts).toEqual({ accepted: 0, queued: 0, rejected: 1, reserve_breached: 0 });
  });
});

describe("reading (§1.3)", () => {
  const bad = `${stream([0, 1])}\nrubbish\n${stream([0, 1])}`;
  const documents = { contract: valid(readContract(contract())), policy: tenant(), stream: bad };

  test("strict refuses the stream and says where", async () => {
    const policy = valid(readPolicy(documents.policy, documents.contract));
    async function* bytes() {
      yield new TextEncoder().encode(bad);
    }
    const result = await recompute({
      contract: documents.contract,
      policy,
      stream: bytes(),
      reading: "strict",
      sha256,
    });
    expect(result).toEqual({
      ok: false,
      skipped: {
        count: 2,
        lines: [
          { line: 3, field: "", reason: expect.stringContaining("no object") },
          { line: 4, field: "req_id", reason: expect.stringContaining("seen") },
        ],
      },
    });
  });

  test("lenient leaves them out and says so", async () => {
    const found = await round({ ...documents, contract: contract() }, { reading: "lenient" });
    expect(found.requests).toBe(1);
    expect(found.skipped.count).toBe(2);
  });

  test("an empty stream is a round with zero counts", async () => {
    const { figures, requests } = await round({ contract: contract(), policy: tenant(), stream: "" });
    expect(requests).toBe(0);
    expect(figures.counts).toEqual({ accepted: 0, queued: 0, rejected: 0, reserve_breached: 0 });
    expect(figures.per_tenant.a?.closing_tokens).toBe(10);
  });
});
