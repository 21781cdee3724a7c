import { describe, expect, test } from "vitest";
import { decimalText, microOf } from "../../contract/decimal.ts";
import type { Tenant } from "../../contract/policy.ts";
import { type Held, held, type RoundFigures } from "../../contract/report.ts";
import { contractCases, type RoundInputs, scenario, scenarioText } from "./case-files.ts";
import { columnsFromRows } from "./columns-from-rows.ts";
import { decideRound } from "./decide-round.ts";
import { roundFigures } from "./round-figures.ts";
import { checksumOf } from "./write-report.ts";

const figuresOf = ({ contract, policy, columns }: RoundInputs): Held<RoundFigures> & { checksum: string } => {
  const outcome = decideRound(contract, policy, columns);
  const figures = roundFigures(outcome);
  return { ...held(figures), checksum: checksumOf(outcome, figures) };
};
/** Without prototypes, as JSON has it: the same keys and values. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const cases = contractCases();

test("there are cases to run", () => {
  expect(cases.length).toBeGreaterThanOrEqual(41);
});

test.each(cases)("case $name", ({ expected, ...inputs }) => {
  const figures = figuresOf(inputs);
  expect(plain(figures)).toEqual(plain(expected));
  expect(Object.keys(figures.per_tenant).sort()).toEqual(Object.keys(expected.per_tenant as object).sort());
});

test("the scenario 2026-10-25-1000 is decided as §7 says", () => {
  const figures = figuresOf(scenario("2026-10-25-1000"));
  const { clean } = JSON.parse(scenarioText("2026-10-25-1000", "expected.json"));
  expect(plain(figures)).toEqual(clean);
  expect(figures.counts).toEqual({ accepted: 9, queued: 4, rejected: 4, reserve_breached: 1 });
  expect(figures.totals).toEqual({ capacity: 38, used: 37, over_capacity: 0 });
  expect(figures.decisions.find(({ req_id }) => req_id === "req-0013")?.wait_ms).toBe(550);
});

const contract = (fields: object = {}) => ({
  version: 1,
  total_ceiling_per_sec: "1000000000000",
  epoch_ms: 1000,
  grace_ms: 86_400_000,
  group_by: "request" as const,
  refill: "continuous" as const,
  tiers: [{ name: "only", guaranteed: false }],
  ...fields,
});
const request = (fields: object = {}) => ({
  req_id: "r",
  tenant: "t",
  arrival_ms: 0,
  cost: "1",
  mode: "soft" as const,
  ...fields,
});
const tenant = (fields: Partial<Tenant> & { capacity: string }): Tenant => ({
  tenant: "t",
  tier: "only",
  ceiling_units: "1000000000000",
  ...fields,
});

describe("the edges of the ranges", () => {
  test("no request at all: every bucket closes as it opened", () => {
    const policy = { tenants: [tenant({ capacity: "5", opening_tokens: "2.5", rate: "1/d" })], denylist: [] };
    const figures = held(roundFigures(decideRound(contract(), policy, columnsFromRows([]))));
    expect(figures).toMatchObject({
      counts: { accepted: 0, queued: 0, rejected: 0, reserve_breached: 0 },
      totals: { capacity: 5, used: 0, over_capacity: 0 },
      per_tenant: { t: { closing_tokens: 2.5 } },
      decisions: [],
      dispatch_order: [],
    });
  });

  test("the largest bucket at the largest rate over a year neither rounds nor refuses", () => {
    const policy = {
      tenants: [
        tenant({ capacity: "1000000000000", opening_tokens: "0", rate_per_sec: "999999999999.999999" }),
      ],
      denylist: [],
    };
    const columns = columnsFromRows([
      request({ req_id: "first", arrival_ms: 1, cost: "1000000000" }),
      request({ req_id: "last", arrival_ms: 31_622_400_000, cost: "999999999.999999" }),
    ]);
    const outcome = decideRound(contract({ refill: "snapshot" }), policy, columns);
    expect(outcome.buckets.isWide[0]).toBe(1);
    const { decisions, per_tenant } = held(roundFigures(outcome));
    // A millisecond earns 999 999 999.999999999 tokens: 10^-9 too few for the first, ⌈10^-9 / rate⌉ = 1 ms.
    expect(decisions.map(({ verdict, wait_ms }) => [verdict, wait_ms])).toEqual([
      ["queued", 1],
      ["accepted", 0],
    ]);
    expect(per_tenant.t!.closing_tokens).toBe(999_000_000_000);
  });

  // q · (2 · capacity + costs) + p · (latest arrival + 1) in q-ths of a millionth, where the rate is p / q a millisecond.
  test.each([
    { rate: "0.5/ms", capacity: "1000000000", latest_ms: 10_000_000_000, within: "7199254.240991" },
    { rate: "1/3ms", capacity: "100000000", latest_ms: 1_000_000_000, within: "469066417.913663" },
  ])("amounts are doubles up to 2^53 − 1 and no further: $rate", ({ rate, capacity, latest_ms, within }) => {
    const policy = { tenants: [tenant({ capacity, rate })], denylist: [] };
    const isWide = (cost: string) => {
      const rows = [cost, "1000000000", "1000000000"].map((cost, at) =>
        request({ req_id: `r${at}`, arrival_ms: latest_ms - at, cost }),
      );
      return decideRound(contract(), policy, columnsFromRows(rows)).buckets.isWide[0];
    };
    const beyond = decimalText((microOf(within) as bigint) + 1n);
    expect([isWide(within), isWide(beyond)]).toEqual([0, 1]);
  });

  test("a rate of 0 gives no wait, and no wait is never within grace (§3.3, §3.4)", () => {
    const policy = {
      tenants: [tenant({ capacity: "1", opening_tokens: "0", rate_per_sec: "0" })],
      denylist: [],
    };
    const { decisions } = held(roundFigures(decideRound(contract(), policy, columnsFromRows([request()]))));
    expect(decisions[0]).toMatchObject({ verdict: "rejected", reason: "queue_expired", wait_ms: null });
  });

  test("a tier that no validation would have let through opens no bucket (§1.2)", () => {
    const policy = { tenants: [tenant({ capacity: "1", tier: "other", rate: "1/d" })], denylist: [] };
    expect(() => decideRound(contract(), policy, columnsFromRows([]))).toThrow(
      "a validated policy names no unknown tier",
    );
  });

  test("a tier beyond rank 262 144 is still dispatched after all before it (§3.5)", () => {
    const tiers = Array.from({ length: 300_000 }, (_, rank) => ({ name: `tier-${rank}`, guaranteed: false }));
    const last = tenant({ tenant: "last", tier: "tier-299999", capacity: "9", rate_per_sec: "1" });
    const first = tenant({ tenant: "first", tier: "tier-0", capacity: "9", rate_per_sec: "1" });
    const columns = columnsFromRows([
      request({ req_id: "a", tenant: "last" }),
      request({ req_id: "b", tenant: "first", arrival_ms: 31_622_400_000 }),
    ]);
    const outcome = decideRound(contract({ tiers }), { tenants: [last, first], denylist: [] }, columns);
    expect([...roundFigures(outcome).dispatch_order]).toEqual(["b", "a"]);
  });

  test("debt deeper than the balance is carried and counts in the wait (§3.2, §3.3)", () => {
    const tiers = [{ name: "only", guaranteed: true }];
    const policy = {
      tenants: [tenant({ capacity: "10", opening_tokens: "4", reserve_tokens: "4", rate_per_sec: "1" })],
      denylist: [],
    };
    const columns = columnsFromRows([
      request({ req_id: "a", cost: "30" }),
      request({ req_id: "b", cost: "2" }),
      request({ req_id: "c", arrival_ms: 1000, cost: "2" }),
    ]);
    const figures = held(roundFigures(decideRound(contract({ tiers }), policy, columns)));
    expect(figures.decisions.map(({ wait_ms }) => wait_ms)).toEqual([0, 28_000, 27_000]);
    expect(figures.per_tenant.t).toMatchObject({ closing_tokens: 0, used: 30, reserve_breached: true });
    expect(figures.totals.over_capacity).toBe(20);
  });
});

test("templated tenants follow the listed, in order of appearance; odd names are names (§1.2, §1.4)", () => {
  const policy = {
    tenants: [
      tenant({ tenant: "*", capacity: "1", rate: "1/d" }),
      tenant({ tenant: "listed", capacity: "1", rate: "1/d" }),
    ],
    denylist: ["constructor"],
  };
  const columns = columnsFromRows(
    ["__proto__", "constructor", "toString", "listed", "__proto__"].map((name, index) =>
      request({ req_id: `r${index}`, tenant: name }),
    ),
  );
  const { per_tenant, decisions } = held(roundFigures(decideRound(contract(), policy, columns)));
  expect(Object.keys(per_tenant)).toEqual(["listed", "__proto__", "toString"]);
  expect(Object.getPrototypeOf(per_tenant)).toBe(null);
  expect(decisions.at(-1)).toMatchObject({
    tenant: "constructor",
    reason: "denylisted",
    verdict: "rejected",
  });
});
