import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision, Report } from "../../contract/report.ts";
import type { RequestColumns } from "../../contract/request.ts";
import { MadeRows } from "../../contract/rows.ts";
import { TextColumn } from "../../contract/text-column.ts";
import { readColumns } from "../ingest/canonical-stream.ts";
import { readDocument } from "../ingest/document.ts";
import { readContractText, readPolicyText } from "../ingest/read-documents.ts";
import { jsonText, writeStream } from "../ingest/write-stream.ts";
import { KINDS, roundFiles } from "../rounds/trials/round-files-arbitrary.ts";
import { chunksOf, engineSide, inputsOf } from "../rounds/trials/two-sides.ts";
import { acceptReport, CRITERIA, tallyCriteria } from "./accept-report.ts";
import type { AcceptanceInput } from "./evidence.ts";
import { exactCeiling, exactOf, exactProduct, exactSum } from "./exact.ts";
import { NO_REQUEST, RequestIndex } from "./request-index.ts";
import { inOrder } from "./request-order.ts";

const CONTRACT_ROOM = new URL("../../contract/", import.meta.url);
const bytes = (text: string) => new TextEncoder().encode(text);
async function* whole(text: string): AsyncGenerator<Uint8Array> {
  yield bytes(text);
}
const text = (path: string) => readFileSync(new URL(path, CONTRACT_ROOM), "utf8");

// biome-ignore lint/suspicious/noExplicitAny: tests put whatever they like into a report.
type Loose = any;
type Figures = Pick<Report, "counts" | "totals" | "per_tenant" | "dispatch_order" | "decisions">;

/** A report with these figures whose other parts are sound. */
function reportOf(figures: Figures, requests: number): Loose {
  const digest = "0123456789abcdef".repeat(4);
  const input = {
    contract_sha256: digest,
    policy_sha256: digest,
    stream_sha256: digest,
    requests,
    skipped: { count: 0, lines: [] },
  };
  const engine = { name: "e", version: "1" };
  return { version: 1, engine, ok: true, ...figures, input, checksum: "0123456789abcdef" };
}

async function roundOf(
  contractText: string,
  policyText: string,
  stream: string,
  figures: Figures,
): Promise<AcceptanceInput> {
  const contract = readContractText(bytes(contractText), "contract");
  const policy = contract.ok ? readPolicyText(bytes(policyText), contract.value, "policy") : contract;
  if (!contract.ok || !policy.ok) throw new Error("no valid round");
  const { columns } = await readColumns(whole(stream));
  return {
    contract: contract.value,
    policy: policy.value as AcceptanceInput["policy"],
    columns,
    report: reportOf(figures, columns.count),
    contentChecksum: "0123456789abcdef",
  };
}

const FOLDER = "scenario/2026-10-25-1000/";
const expected = JSON.parse(text(`${FOLDER}expected.json`));
const round = await roundOf(
  text(`${FOLDER}contract.json`),
  text(`${FOLDER}policy.json`),
  text(`${FOLDER}requests.jsonl`),
  (({ checksum: _, ...figures }) => figures)(expected.clean),
);
const scenario = { ...round, scenario: true };
const changed = (change: (copy: Loose) => void, of: AcceptanceInput = scenario): AcceptanceInput => {
  const report = JSON.parse(JSON.stringify(of.report));
  change(report);
  return { ...of, report };
};
const failed = (input: AcceptanceInput) =>
  acceptReport(input)
    .filter(({ passed }) => passed === false)
    .map(({ id }) => id);
const row = (report: Loose, id: string) => report.decisions.find(({ req_id }: Loose) => req_id === id);

describe("honest rounds", () => {
  test("the scenario holds, also its figures", () => {
    const criteria = acceptReport(scenario);
    expect(criteria.filter(({ passed }) => passed !== true)).toEqual([]);
    expect(criteria).toHaveLength(CRITERIA.length + 4);
    expect(new Set(criteria.map(({ id }) => id)).size).toBe(criteria.length);
    for (const { clause } of criteria) expect(clause).toMatch(/^§\d(\.\d)?$/);
  });

  test.each(readdirSync(new URL("cases/", CONTRACT_ROOM)))("the case %s holds", async (file) => {
    const document = readDocument(text(`cases/${file}`), file);
    if (!document.ok) throw new Error(document.problems[0]?.message);
    const { contract, policy, requests } = document.value.value as Loose;
    const known = JSON.parse(text(`cases/${file}`)).expected;
    if (known === undefined) return;
    const { checksum: _, ...figures } = known;
    const input = await roundOf(jsonText(contract), jsonText(policy), writeStream(requests), figures);
    expect(acceptReport(input).filter(({ passed }) => passed !== true)).toEqual([]);
  });

  test.each(KINDS)("no random round breaks a criterion: group_by $group_by, refill $refill", async (kind) => {
    let borrowed = 0;
    await fc.assert(
      fc.asyncProperty(roundFiles(kind), async (files) => {
        const inputs = inputsOf(files);
        const { figures } = await engineSide(inputs);
        const { columns } = await readColumns(chunksOf(inputs));
        borrowed += figures.counts.reserve_breached;
        const input = {
          ...inputs,
          columns,
          report: reportOf(figures, columns.count),
          contentChecksum: "0123456789abcdef",
        };
        expect(acceptReport(input).filter(({ passed }) => passed !== true)).toEqual([]);
      }),
      { numRuns: 400 },
    );
    expect(borrowed).toBeGreaterThan(20);
  });
});

test("the problem state breaks order, groups and the denylist, and its figures (§7)", () => {
  const { faults: _, checksum: __, ...figures } = expected.problem_state;
  const ids = failed({ ...scenario, report: reportOf(figures, 17) });
  expect(ids).toEqual(
    expect.arrayContaining([
      "order.sorted",
      "groups.whole",
      "buckets.who",
      "denylist.rejected",
      "scenario.counts",
      "scenario.totals",
    ]),
  );
});

describe("what cannot be judged is neither held nor broken, never green (§5.5)", () => {
  test.each([null, undefined, [], "x", 5, {}, { decisions: null, per_tenant: [], counts: {} }])(
    "%j",
    (report) => {
      const criteria = acceptReport({ ...scenario, report, contentChecksum: null });
      expect(criteria.filter(({ passed }) => passed === true)).toEqual([]);
      expect(tallyCriteria(criteria)).toEqual({ passed: 0, failed: 1, unknown: criteria.length - 1 });
    },
  );

  test("one row of another kind takes the decisions' criteria away, not those of the sums", () => {
    const criteria = acceptReport(changed((copy) => (copy.decisions[4].wait_ms = "0")));
    const of = (id: string) => criteria.find((criterion) => criterion.id === id)?.passed;
    expect([of("report.parts"), of("groups.whole"), of("waits.bound"), of("counts.requests")]).toEqual([
      false,
      null,
      null,
      true,
    ]);
  });
});

/** Ways to break one criterion; the others named break along with it, no further one does. */
const BREAKS: [id: string, change: (copy: Loose) => void, along: string[]][] = [
  ["report.parts", (copy) => (copy.version = 2), []],
  ["report.parts", (copy) => delete copy.engine.name, []],
  ["report.checksum", (copy) => (copy.checksum = "f".repeat(16)), []],
  ["report.ok", (copy) => (copy.ok = false), []],
  ["report.digests", (copy) => (copy.input.policy_sha256 = "A".repeat(64)), []],
  ["report.requests", (copy) => (copy.input.requests = 18), []],
  [
    "order.sorted",
    (copy) =>
      ([copy.dispatch_order[4], copy.dispatch_order[5]] = [copy.dispatch_order[5], copy.dispatch_order[4]]),
    ["order.decisions"],
  ],
  ["order.complete", (copy) => copy.dispatch_order.pop(), []],
  ["order.complete", (copy) => copy.dispatch_order.push(copy.dispatch_order.at(-1)), ["order.decisions"]],
  [
    "order.decisions",
    (copy) => ([copy.decisions[1], copy.decisions[2]] = [copy.decisions[2], copy.decisions[1]]),
    [],
  ],
  [
    "decisions.tenant",
    (copy) => (copy.decisions[0].tenant = "t-zeta"),
    ["buckets.counts", "denylist.rejected"],
  ],
  [
    "counts.decisions",
    (copy) => {
      copy.counts.queued += 1;
      copy.counts.accepted -= 1;
    },
    ["scenario.counts"],
  ],
  [
    "counts.requests",
    (copy) => (copy.counts.rejected += 1),
    ["counts.decisions", "report.ok", "scenario.counts"],
  ],
  ["counts.breaches", (copy) => (copy.counts.reserve_breached = 0), ["scenario.counts"]],
  ["totals.capacity", (copy) => (copy.totals.capacity = 48), ["scenario.totals"]],
  ["totals.used", (copy) => (copy.totals.used = 36.999999), ["report.ok", "scenario.totals"]],
  ["totals.over", (copy) => (copy.totals.over_capacity = 0.5), ["scenario.totals"]],
  [
    "buckets.who",
    (copy) =>
      (copy.per_tenant.invented = {
        ...copy.per_tenant["t-beta"],
        accepted: 0,
        queued: 0,
        rejected: 0,
        used: 0,
        reserve_breached: false,
      }),
    [],
  ],
  ["buckets.who", (copy) => delete copy.per_tenant["t-beta"], []],
  ["buckets.policy", (copy) => (copy.per_tenant["t-beta"].tier = "gold"), []],
  ["buckets.policy", (copy) => (copy.per_tenant["t-beta"].reserve_tokens = 1), []],
  ["buckets.balance", (copy) => (copy.per_tenant["t-beta"].closing_tokens = -0.000001), ["report.ok"]],
  [
    "buckets.balance",
    (copy) => (copy.per_tenant["t-beta"].closing_tokens = copy.per_tenant["t-beta"].capacity + 1),
    [],
  ],
  ["buckets.counts", (copy) => (copy.per_tenant["t-beta"].used += 0.000001), []],
  ["waits.fit", (copy) => (row(copy, "req-0013").wait_ms = 550.5), ["scenario.wait"]],
  ["scenario.wait", (copy) => (row(copy, "req-0013").wait_ms = 551), []],
  ["scenario.dispatch", (copy) => copy.dispatch_order.reverse(), ["order.sorted", "order.decisions"]],
];

test.each(BREAKS)("%s is broken alone", (id, change, along) => {
  expect(failed(changed(change)).sort()).toEqual([id, ...along].sort());
});

/** A round of one tenant or two, each of whose requests is decided as told. */
const POLICY = { tenant: "a", tier: "low", capacity: 10, rate: "1/s", ceiling_units: 1 };
const HIGH = { ...POLICY, tenant: "h", tier: "high", reserve_tokens: 2 };
type Told = [
  id: string,
  tenant: string,
  arrival_ms: number,
  cost: number,
  mode: string,
  verdict: string,
  reason: string | null,
  wait_ms: number | null,
  breached?: boolean,
];

async function told(rows: Told[], { policy = {}, contract = {} } = {}): Promise<AcceptanceInput> {
  const document = {
    version: 1,
    total_ceiling_per_sec: 9,
    epoch_ms: 1000,
    grace_ms: 5000,
    group_by: "request",
    refill: "continuous",
    tiers: [
      { name: "high", guaranteed: true },
      { name: "low", guaranteed: false },
    ],
    ...contract,
  };
  const tenants = {
    tenants: [
      { ...POLICY, ...policy },
      { ...HIGH, ...policy, capacity: 10 },
    ],
    denylist: ["d"],
  };
  const stream = rows
    .map(([req_id, tenant, arrival_ms, cost, mode]) =>
      JSON.stringify({ req_id, tenant, arrival_ms, cost, mode }),
    )
    .join("\n");
  const decisions = rows.map(
    ([req_id, tenant, , , , verdict, reason, wait_ms, reserve_breached = false]) => ({
      req_id,
      tenant,
      verdict,
      reason,
      wait_ms,
      reserve_breached,
    }),
  );
  const input = await roundOf(JSON.stringify(document), JSON.stringify(tenants), stream, {
    decisions,
  } as Loose);
  return input;
}
const passes = async (id: string, rows: Told[], options = {}) =>
  acceptReport(await told(rows, options)).find((criterion) => criterion.id === id)?.passed;

describe("each criterion of a single group, held and broken", () => {
  test.each<[string, Told[], Told[], object?]>([
    [
      "queue.soft",
      [["1", "a", 1, 5, "soft", "queued", null, 9]],
      [["1", "a", 1, 5, "hard", "queued", null, 9]],
    ],
    [
      "queue.hard",
      [["1", "a", 1, 5, "hard", "rejected", "insufficient_tokens", 9]],
      [["1", "a", 1, 5, "soft", "rejected", "insufficient_tokens", 9]],
    ],
    [
      "queue.capacity",
      [["1", "a", 1, 10, "soft", "queued", null, 9]],
      [["1", "a", 1, 10.000001, "soft", "queued", null, 9]],
    ],
    [
      "reject.capacity",
      [["1", "a", 1, 11, "soft", "rejected", "exceeds_capacity", null]],
      [["1", "a", 1, 10, "soft", "rejected", "exceeds_capacity", null]],
    ],
    [
      "reject.capacity",
      [["1", "a", 1, 10, "soft", "rejected", "queue_expired", 6000]],
      [["1", "a", 1, 11, "soft", "rejected", "queue_expired", 6000]],
    ],
    [
      "reserve.tier",
      [["1", "h", 1, 5, "soft", "accepted", null, 0, true]],
      [["1", "a", 1, 5, "soft", "accepted", null, 0, true]],
    ],
    [
      "accept.capacity",
      [["1", "h", 1, 11, "soft", "accepted", null, 0, true]],
      [["1", "h", 1, 11, "soft", "accepted", null, 0]],
    ],
    [
      "denylist.rejected",
      [["1", "d", 1, 5, "soft", "rejected", "denylisted", null]],
      [["1", "d", 1, 5, "soft", "rejected", "unknown_tenant", null]],
    ],
    [
      "denylist.rejected",
      [["1", "u", 1, 5, "soft", "rejected", "unknown_tenant", null]],
      [["1", "u", 1, 5, "soft", "accepted", null, 0]],
    ],
    [
      "denylist.rejected",
      [["1", "a", 1, 5, "soft", "accepted", null, 0]],
      [["1", "a", 1, 5, "soft", "rejected", "denylisted", null]],
    ],
    [
      "waits.fit",
      [["1", "a", 1, 5, "soft", "queued", null, 5000]],
      [["1", "a", 1, 5, "soft", "queued", null, 5001]],
    ],
    [
      "waits.fit",
      [["1", "a", 1, 5, "soft", "rejected", "queue_expired", 5001]],
      [["1", "a", 1, 5, "soft", "rejected", "queue_expired", 5000]],
    ],
    [
      "waits.fit",
      [["1", "a", 1, 5, "soft", "rejected", "queue_expired", null]],
      [["1", "a", 1, 5, "soft", "rejected", null, null]],
    ],
    [
      "waits.fit",
      [["1", "h", 1, 5, "soft", "accepted", null, 0, true]],
      [["1", "h", 1, 5, "soft", "queued", null, 9, true]],
    ],
    [
      "waits.fit",
      [["1", "a", 1, 5, "soft", "accepted", null, 0]],
      [["1", "a", 1, 5, "soft", "constructor", null, 0]],
    ],
    [
      "waits.bound",
      [["1", "a", 1, 5, "soft", "queued", null, 5000]],
      [["1", "a", 1, 4.999, "soft", "queued", null, 5000]],
    ],
    [
      "waits.bound",
      [["1", "a", 1, 5, "soft", "rejected", "queue_expired", 5000]],
      [["1", "a", 1, 5, "soft", "rejected", "queue_expired", null]],
    ],
    [
      "waits.bound",
      [["1", "h", 1, 5, "soft", "rejected", "queue_expired", null]],
      [["1", "h", 1, 5, "soft", "queued", null, 9]],
      { policy: { rate: "0/s" } },
    ],
    [
      "refill.first",
      [["1", "a", 0, 10, "soft", "accepted", null, 0]],
      [["1", "a", 0, 10, "soft", "queued", null, 9]],
    ],
    [
      "refill.first",
      [["1", "a", 0, 5, "soft", "queued", null, 9]],
      [["1", "a", 0, 5, "soft", "accepted", null, 0]],
      { policy: { opening_tokens: 4.999999 } },
    ],
    [
      "refill.first",
      [["1", "h", 0, 5, "soft", "accepted", null, 0, true]],
      [["1", "h", 0, 5, "soft", "accepted", null, 0]],
      { policy: { opening_tokens: 2 } },
    ],
    [
      "refill.first",
      [["1", "h", 0, 5, "soft", "queued", null, 9]],
      [["1", "h", 0, 5, "soft", "accepted", null, 0, true]],
      { policy: { opening_tokens: 1 } },
    ],
    // The first is the first to be dispatched, not the first in the file.
    [
      "refill.first",
      [
        ["2", "a", 0, 9, "soft", "queued", null, 9],
        ["1", "a", 0, 9, "soft", "accepted", null, 0],
      ],
      [
        ["2", "a", 0, 9, "soft", "accepted", null, 0],
        ["1", "a", 0, 9, "soft", "queued", null, 9],
      ],
    ],
    [
      "refill.earned",
      [
        ["1", "a", 0, 10, "soft", "accepted", null, 0],
        ["2", "a", 2000, 2, "soft", "accepted", null, 0],
      ],
      [
        ["1", "a", 0, 10, "soft", "accepted", null, 0],
        ["2", "a", 1999, 2, "soft", "accepted", null, 0],
      ],
    ],
    [
      "groups.whole",
      [
        ["1", "a", 0, 1, "soft", "accepted", null, 0],
        ["2", "a", 999, 1, "soft", "accepted", null, 0],
      ],
      [
        ["1", "a", 0, 1, "soft", "accepted", null, 0],
        ["2", "a", 999, 1, "soft", "queued", null, 9],
      ],
      { contract: { group_by: "epoch" } },
    ],
    [
      "decisions.once",
      [["1", "a", 0, 1, "soft", "accepted", null, 0]],
      [
        ["1", "a", 0, 1, "soft", "accepted", null, 0],
        ["1", "a", 0, 1, "soft", "accepted", null, 0],
      ],
    ],
  ])("%s %#", async (id, held, broken, options) => {
    expect(await passes(id, held, options)).toBe(true);
    expect(await passes(id, broken, options)).toBe(false);
  });
});

test("every criterion is broken by some test above", () => {
  const tested = new Set([
    ...BREAKS.map(([id]) => id),
    "queue.soft",
    "queue.hard",
    "queue.capacity",
    "reject.capacity",
    "reserve.tier",
    "accept.capacity",
    "denylist.rejected",
    "waits.bound",
    "refill.first",
    "refill.earned",
    "groups.whole",
    "decisions.once",
  ]);
  expect(CRITERIA.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
});

test("an invented decision is found, and one called as a property of every object", () => {
  for (const req_id of ["req-9999", "__proto__", "constructor"])
    expect(failed(changed((copy) => copy.decisions.push({ ...copy.decisions[0], req_id })))).toContain(
      "decisions.once",
    );
});

test("-0 is 0 (§5.2)", () => {
  expect(failed(changed((copy) => (copy.totals.over_capacity = -0)))).toEqual([]);
});

test("a long denylist and many tiers take no time by their product", async () => {
  const count = 20_000;
  const denylist = Array.from({ length: count }, (_, at) => `denied-${at}`);
  const stream = denylist
    .map((tenant, at) => JSON.stringify({ req_id: `r-${at}`, tenant, arrival_ms: at, cost: 1, mode: "soft" }))
    .join("\n");
  const decisions = denylist.map((tenant, at) => ({
    req_id: `r-${at}`,
    tenant,
    verdict: "rejected",
    reason: "denylisted",
    wait_ms: null,
    reserve_breached: false,
  }));
  const base = await told([]);
  const { columns } = await readColumns(whole(stream));
  const start = performance.now();
  const criteria = acceptReport({
    ...base,
    policy: { ...base.policy, denylist },
    columns,
    report: { decisions, dispatch_order: [] },
  });
  expect(performance.now() - start).toBeLessThan(2_000);
  expect(criteria.find(({ id }) => id === "denylist.rejected")?.passed).toBe(true);
});

describe("a round whose rows are made when they are asked for", () => {
  const COUNT = 200_000;
  const idOf = (at: number) => `r${String(at).padStart(7, "0")}`;
  const columns: RequestColumns = {
    count: COUNT,
    tenantNames: ["a", "b"],
    reqId: TextColumn.of(Array.from({ length: COUNT }, (_, at) => idOf(at))),
    tenant: Uint32Array.from({ length: COUNT }, (_, at) => at % 2),
    // The file is not in the order of the arrivals.
    arrivalMs: Float64Array.from({ length: COUNT }, (_, at) => (at ^ 1) * 1000),
    costMicro: new Float64Array(COUNT).fill(1_000_000),
    soft: new Uint8Array(COUNT),
  };

  /** What fails where one row is another one. */
  async function failing(place: number, change: Partial<Decision>): Promise<string[]> {
    const base = await told([]);
    const dispatched = (at: number) => at ^ 1;
    const decisions = new MadeRows(COUNT, (at): Decision => {
      const row: Decision = {
        req_id: idOf(dispatched(at)),
        tenant: columns.tenantNames[dispatched(at) % 2]!,
        verdict: "accepted",
        reason: null,
        wait_ms: 0,
        reserve_breached: false,
      };
      return at === place ? { ...row, ...change } : row;
    });
    const dispatch_order = new MadeRows(COUNT, (at) => idOf(dispatched(at)));
    const criteria = acceptReport({ ...base, columns, report: { decisions, dispatch_order } });
    return criteria.filter(({ passed }) => passed === false).map(({ id }) => id);
  }

  test("is judged to its last row", async () => {
    const sound = await failing(-1, {});
    const last = COUNT - 1;
    const broken = async (change: Partial<Decision>) =>
      (await failing(last, change)).filter((id) => !sound.includes(id));
    expect(await broken({})).toEqual([]);
    expect(await broken({ wait_ms: 1 })).toEqual(["waits.fit"]);
    expect(await broken({ tenant: "elsewhere" })).toContain("decisions.tenant");
    expect(await broken({ req_id: idOf(0) })).toContain("decisions.once");
    expect(await broken({ verdict: "queued", wait_ms: 9 })).toContain("queue.soft");
  });

  test("with more different reasons than any report has it has no rows that can be judged", async () => {
    const base = await told([]);
    const decisions = new MadeRows(70_000, (at) => ({
      req_id: idOf(at),
      tenant: "a",
      verdict: "rejected",
      reason: `reason ${at}`,
      wait_ms: null,
      reserve_breached: false,
    }));
    const criteria = acceptReport({ ...base, columns, report: { decisions } });
    expect(criteria.find(({ id }) => id === "waits.fit")?.passed).toBe(null);
    expect(criteria.find(({ id }) => id === "report.parts")?.passed).toBe(false);
  });
});

test("ids are found by their bytes, and what is no text of Unicode is none of them", () => {
  const index = new RequestIndex(TextColumn.of(["\uFFFD", "é", "a".repeat(256), "__proto__"]));
  expect(["\uFFFD", "é", "a".repeat(256), "__proto__"].map((id) => index.find(id))).toEqual([0, 1, 2, 3]);
  for (const id of ["\uD800", "e\u0301", "a".repeat(257), "a".repeat(255), "", "constructor"])
    expect([id, index.find(id)]).toEqual([id, NO_REQUEST]);
});

test("where an id is looked for first changes nothing, also where its units are another one's bytes", () => {
  const ids = ["é", "r-1", "r-2"];
  const index = new RequestIndex(TextColumn.of(ids));
  for (const likely of [NO_REQUEST, 0, 1, 2]) {
    expect(ids.map((id) => index.find(id, likely))).toEqual([0, 1, 2]);
    expect(["\u00C3\u00A9", "r-", "r-3"].map((id) => index.find(id, likely))).toEqual([-1, -1, -1]);
  }
});

test("requests are in the order of rank, arrival and id, however many arrive at once", () => {
  const request = fc.record({
    id: fc.string({ unit: "binary", minLength: 1, maxLength: 3 }).filter((id) => id.isWellFormed()),
    tenant: fc.nat(2),
    arrival_ms: fc.oneof(fc.nat(3), fc.nat(1_000_000)),
  });
  fc.assert(
    fc.property(fc.uniqueArray(request, { maxLength: 300, selector: ({ id }) => id }), (requests) => {
      const columns: RequestColumns = {
        count: requests.length,
        tenantNames: ["a", "b", "c"],
        reqId: TextColumn.of(requests.map(({ id }) => id)),
        tenant: Uint32Array.from(requests, ({ tenant }) => tenant),
        arrivalMs: Float64Array.from(requests, ({ arrival_ms }) => arrival_ms),
        costMicro: new Float64Array(requests.length),
        soft: new Uint8Array(requests.length),
      };
      const ranks = Uint32Array.of(1, 0, 1);
      const rank = (at: number) => ranks[requests[at]!.tenant]!;
      const expected = requests
        .map((_, at) => at)
        .sort(
          (a, b) =>
            rank(a) - rank(b) ||
            requests[a]!.arrival_ms - requests[b]!.arrival_ms ||
            Buffer.compare(Buffer.from(requests[a]!.id), Buffer.from(requests[b]!.id)),
        );
      expect([...inOrder(columns, ranks)]).toEqual(expected);
    }),
  );
});

test("amounts are exact on both sides of what a double holds", () => {
  const amount = fc.oneof(fc.bigInt(0n, 2n ** 20n), fc.bigInt(0n, 2n ** 54n), fc.bigInt(0n, 2n ** 80n));
  fc.assert(
    fc.property(amount, amount, (a, b) => {
      const [x, y] = [exactOf(a), exactOf(b)];
      expect(BigInt(exactSum(x, y))).toBe(a + b);
      expect(BigInt(exactProduct(x, y))).toBe(a * b);
      if (b > 0n) expect(BigInt(exactCeiling(x, y))).toBe((a + b - 1n) / b);
    }),
  );
});
