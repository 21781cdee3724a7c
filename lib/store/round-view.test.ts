import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { DecisionRow, PlaceRow, TenantRow } from "../../contract/round-view.ts";
import { QueryEngine } from "./query-engine.ts";
import { RoundView } from "./round-view.ts";
import { MEMBERS_KEPT, viewFilesIn } from "./view-format.ts";
import { writeOrders } from "./view-orders.ts";
import type { DecisionQuery } from "./view-query.ts";
import { decisionSource, groupSource, placeSource, type SourcedGroup, tenantSource } from "./view-rows.ts";
import { ViewWriter } from "./view-writer.ts";

const ODD_NAMES = [
  "__proto__",
  "constructor",
  "100%",
  "a_b",
  "a\\b",
  "‮gnp.exe",
  "'; DROP TABLE tenant; --",
  '"quoted"',
  "𝔘𝔫𝔦𝔠𝔬𝔡𝔢",
  "é".repeat(128),
  " ",
];
const EVERYTHING = { limit: Number.MAX_SAFE_INTEGER, offset: 0 };

function tenant(name: string, changes: Partial<TenantRow> = {}): TenantRow {
  return {
    tenant: name,
    tier: "gold",
    tier_rank: 0,
    guaranteed: true,
    capacity: 38,
    opening_tokens: 10,
    closing_tokens: 0.1,
    reserve_tokens: 2,
    reserve_breached: false,
    used: 37,
    accepted: 1,
    queued: 0,
    rejected: 0,
    groups: 1,
    breaches: 0,
    ...changes,
  };
}

function decision(position: number, changes: Partial<DecisionRow> = {}): DecisionRow {
  return {
    position,
    req_id: `req-${position}`,
    tenant: "a",
    tier_rank: 0,
    arrival_ms: position,
    cost: 0.1,
    mode: "soft",
    file_position: position,
    dispatch_position: position,
    verdict: "accepted",
    reason: null,
    wait_ms: 0,
    reserve_breached: false,
    ...changes,
  };
}

function group(position: number, changes: Partial<SourcedGroup> = {}): SourcedGroup {
  return {
    source: "engine",
    position,
    tenant: "a",
    tier: "gold",
    time_ms: position,
    signed_balance: 2.2,
    signed_after: -3.8,
    required: 6,
    wait_ms: 0,
    step: 1,
    verdict: "accepted",
    reason: null,
    reserve_breached: false,
    req_ids: [`req-${position}`],
    ...changes,
  };
}

function place(position: number, changes: Partial<PlaceRow> = {}): PlaceRow {
  return {
    noise: null,
    position,
    check: "decisions.verdict",
    clause: "§3.4",
    section: "decisions",
    subject: `req-${position}`,
    path: `decisions[${position}].verdict`,
    result: "match",
    reported: '"accepted"',
    expected: '"accepted"',
    ...changes,
  };
}

interface Rows {
  tenants?: TenantRow[];
  decisions?: DecisionRow[];
  groups?: SourcedGroup[];
  places?: PlaceRow[];
}

const folder = mkdtempSync(join(tmpdir(), "tenantthrottle-view-"));
let engine: QueryEngine;
beforeAll(async () => {
  engine = await QueryEngine.open([folder], join(folder, "temporary"));
});
afterAll(() => {
  engine.close();
  rmSync(folder, { recursive: true });
});

async function viewOf({ tenants = [], decisions = [], groups = [], places = [] }: Rows): Promise<RoundView> {
  const files = viewFilesIn(mkdtempSync(join(folder, "view-")));
  const named = {
    tenants: [...tenants, ...decisions, ...groups].map((row) => row.tenant),
    tiers: [...tenants, ...groups].map(({ tier }) => tier),
  };
  const writer = await ViewWriter.open(files, named, join(folder, "writing"));
  await writer.write("tenants", tenantSource(writer, tenants));
  await writer.write("decisions", decisionSource(writer, decisions));
  await writer.write("groups", groupSource(writer, groups));
  await writer.write("places", placeSource(places));
  await writer.sortPlaces();
  writer.close();
  await writeOrders(files, join(folder, "writing"));
  return new RoundView(engine, files);
}

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const found: Row[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

test("what is written is read back, whatever the names are", async () => {
  const tenants = ODD_NAMES.map((name) => tenant(name));
  const decisions = ODD_NAMES.map((name, at) => decision(at, { req_id: name, tenant: name }));
  const groups = ODD_NAMES.map((name, at) => group(at, { tenant: name, req_ids: [name] }));
  const places = ODD_NAMES.map((name, at) => place(at, { subject: name, reported: null }));
  const view = await viewOf({ tenants, decisions, groups, places });
  expect(new Set((await view.tenants({ sort: "name", ...EVERYTHING })).rows)).toEqual(new Set(tenants));
  expect((await view.decisions({ sort: "dispatch", dir: "asc", ...EVERYTHING })).rows).toEqual(decisions);
  for (const [at, name] of ODD_NAMES.entries()) {
    expect(await view.tenant(name)).toEqual(tenants[at]);
    expect(await view.decision(name)).toEqual(decisions[at]);
    expect(await view.groups("engine", name, EVERYTHING)).toEqual({
      rows: [{ ...groups[at], members: 1 }],
      total: 1,
    });
    expect((await view.groupOfRequest("engine", decisions[at]!))?.position).toBe(at);
    expect(await view.groupOfRequest("reference", decisions[at]!)).toBeNull();
    expect((await view.places({ result: "all", subject: name, ...EVERYTHING })).rows).toEqual([places[at]]);
    expect((await view.tenants({ search: name, sort: "name", ...EVERYTHING })).rows).toContainEqual(
      tenants[at],
    );
  }
});

test("wildcards of a search stand for themselves", async () => {
  const decisions = ["50%", "50x", "a_c", "abc", "a\\c"].map((req_id, at) => decision(at, { req_id }));
  const view = await viewOf({ decisions, tenants: [tenant("x%y"), tenant("xzy")] });
  const found = async (search: string) =>
    (await view.decisions({ search, sort: "dispatch", dir: "asc", ...EVERYTHING })).rows.map(
      ({ req_id }) => req_id,
    );
  expect(await found("0%")).toEqual(["50%"]);
  expect(await found("a_c")).toEqual(["a_c"]);
  expect(await found("\\")).toEqual(["a\\c"]);
  expect((await view.tenants({ search: "x%", sort: "name", ...EVERYTHING })).total).toBe(1);
});

test("a search finds letters of ASCII in either case, and no letter beyond them in another", async () => {
  const ids = ["REQ-1", "req-1", "\u212Aelvin", "kelvin", "É", "é", "ſ", "s", "a\u200Db", "[.*]"];
  const view = await viewOf({ decisions: ids.map((req_id, at) => decision(at, { req_id })) });
  const found = async (search: string) =>
    (await view.decisions({ search, sort: "dispatch", dir: "asc", ...EVERYTHING })).rows.map(
      ({ req_id }) => req_id,
    );
  expect(await found("Req")).toEqual(["REQ-1", "req-1"]);
  expect(await found("K")).toEqual(["kelvin"]);
  expect(await found("é")).toEqual(["é"]);
  expect(await found("S")).toEqual(["s"]);
  expect(await found("\u200D")).toEqual(["a\u200Db"]);
  expect(await found("A\u200DB")).toEqual(["a\u200Db"]);
  expect(await found("[.*]")).toEqual(["[.*]"]);
});

test("names are in the order of their bytes, which is not that of a language nor of UTF-16", async () => {
  const names = ["z", "Z", "é", "e\u0301", "\uFFFD", "😀", "a", "ab", "10", "9", "\u200Da"];
  const inOrder = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const view = await viewOf({
    tenants: names.map((name) => tenant(name)),
    groups: names.map((name, at) => group(at, { tenant: name, time_ms: 0, reserve_breached: true })),
  });
  expect((await view.tenants({ sort: "name", ...EVERYTHING })).rows.map((row) => row.tenant)).toEqual(
    inOrder,
  );
  expect(await view.tenantNames()).toEqual(inOrder);
  expect((await view.breaches(EVERYTHING)).rows.map((row) => row.tenant)).toEqual(inOrder);
});

test.each(["é", "a\u0000", "a  b", " a", "a ", "\t", "\u0430"])(
  "a name that a page may not draw as it is: %j",
  async (odd) => {
    const names = ["a", "a b", "~!@", "__proto__"];
    expect(await (await viewOf({ tenants: names.map((name) => tenant(name)) })).hasOddNames()).toBe(false);
    const view = await viewOf({ tenants: [...names, odd].map((name) => tenant(name)) });
    expect(await view.hasOddNames()).toBe(true);
  },
);

test("tenants that are not served occur, and have no bucket", async () => {
  const view = await viewOf({ tenants: [tenant("a")], decisions: [decision(0, { tenant: "denied" })] });
  expect(await view.tenantNames()).toEqual(["a", "denied"]);
  expect(await view.tenant("denied")).toBeNull();
  expect((await view.tenants({ sort: "worst", ...EVERYTHING })).total).toBe(1);
  expect((await view.decision("req-0"))?.tenant).toBe("denied");
});

test("a row of a tenant or a tier that the view was not told of is not written", async () => {
  const files = viewFilesIn(mkdtempSync(join(folder, "view-")));
  const writer = await ViewWriter.open(files, { tenants: ["a"], tiers: ["gold"] }, join(folder, "writing"));
  const rows = decisionSource(writer, [decision(0, { tenant: "b" })]);
  await expect(writer.write("decisions", rows)).rejects.toThrow('not told of the tenant "b"');
  const groups = groupSource(writer, [group(0, { tier: "tin" })]);
  await expect(writer.write("groups", groups)).rejects.toThrow('not told of the tier "tin"');
  writer.close();
});

test("the extremes of numbers survive: the longest wait, the latest arrival, the finest tokens", async () => {
  const extreme = decision(0, {
    wait_ms: Number.MAX_SAFE_INTEGER,
    arrival_ms: 31_622_400_000,
    cost: 0.000001,
  });
  const balance = group(0, {
    signed_balance: -1e12,
    signed_after: 5e-324,
    required: 1e15 + 0.125,
    wait_ms: null,
  });
  const view = await viewOf({ decisions: [extreme], groups: [balance] });
  expect(await view.decision("req-0")).toEqual(extreme);
  expect((await view.groups("engine", "a", EVERYTHING)).rows[0]).toEqual({ ...balance, members: 1 });
});

test("the worst tenants come first by the share used: a quotient of tokens, not of whole numbers", async () => {
  const tenants = [tenant("low", { used: 1 }), tenant("full", { used: 38 }), tenant("high", { used: 37 })];
  const view = await viewOf({ tenants });
  const names = (await view.tenants({ sort: "worst", ...EVERYTHING })).rows.map((row) => row.tenant);
  expect(names).toEqual(["full", "high", "low"]);
});

const COUNT = 100_003;
const VERDICTS = ["accepted", "queued", "rejected"] as const;
// A permutation without pattern: 7919 is prime to 100 000.
const mixed = (at: number) => (at * 7919) % COUNT;
const many = Array.from({ length: COUNT }, (_, at) =>
  decision(at, {
    tenant: `tenant-${at % 7}`,
    verdict: VERDICTS[at % 3]!,
    reason: at % 3 === 2 ? (at % 2 === 0 ? "queue_expired" : "denylisted") : null,
    wait_ms: at % 3 === 1 ? mixed(at) % 97 : at % 3 === 2 ? null : 0,
    arrival_ms: mixed(at) % 1000,
    file_position: mixed(at),
    reserve_breached: at % 11 === 0,
  }),
);

type Filter = Pick<DecisionQuery, "verdict" | "tenant" | "reason" | "breached" | "search">;
const isKept = (row: DecisionRow, { verdict, tenant: name, reason, breached, search }: Filter) =>
  (verdict === undefined || row.verdict === verdict) &&
  (name === undefined || row.tenant === name) &&
  (reason === undefined || row.reason === reason) &&
  (breached === undefined || row.reserve_breached === breached) &&
  (search === undefined || row.req_id.includes(search.toLowerCase()));

/** By a key and then by position; what has no key comes last in either direction. */
const byRule = (key: (row: DecisionRow) => number | null, dir: "asc" | "desc") => {
  const sign = dir === "asc" ? 1 : -1;
  return (a: DecisionRow, b: DecisionRow): number => {
    const [x, y] = [key(a), key(b)];
    if (x === null || y === null) return x === y ? sign * (a.position - b.position) : x === null ? 1 : -1;
    return sign * (x - y || a.position - b.position);
  };
};

test("100 000 decisions: each page under each filter and order is the slice of the whole", async () => {
  const view = await viewOf({ decisions: many });
  const filters: Filter[] = [
    {},
    { verdict: "queued" },
    { tenant: "tenant-3" },
    { reason: "denylisted" },
    { breached: true },
    { verdict: "rejected", tenant: "tenant-5", breached: false, search: "req-9" },
    { verdict: "accepted", reason: "denylisted" },
    { search: "-7" },
  ];
  const keyOf = {
    dispatch: (row: DecisionRow) => row.position,
    file: (row: DecisionRow) => row.file_position,
    arrival: (row: DecisionRow) => row.arrival_ms,
    wait: (row: DecisionRow) => row.wait_ms,
  };
  const orders = (["dispatch", "file", "arrival", "wait"] as const).flatMap((sort) =>
    (["asc", "desc"] as const).map((dir) => ({ sort, dir, sorted: many.toSorted(byRule(keyOf[sort], dir)) })),
  );
  for (const { sort, dir, sorted } of orders)
    for (const filter of filters) {
      const kept = sorted.filter((row) => isKept(row, filter));
      for (const offset of [0, 50, Math.floor(kept.length / 2), Math.max(0, kept.length - 10), kept.length]) {
        const page = await view.decisions({ ...filter, sort, dir, limit: 50, offset });
        expect(page.total).toBe(kept.length);
        expect(JSON.stringify(page.rows.map(({ position }) => position))).toBe(
          JSON.stringify(kept.slice(offset, offset + 50).map(({ position }) => position)),
        );
      }
    }
});

test("a search that finds more than is remembered is paged as any other", async () => {
  const view = await viewOf({ decisions: many });
  const longest = many.toSorted(byRule((row) => row.wait_ms, "desc"));
  for (const offset of [0, 60_000, COUNT - 3, COUNT]) {
    const page = await view.decisions({ search: "REQ", sort: "wait", dir: "desc", limit: 10, offset });
    expect(page).toEqual({ rows: longest.slice(offset, offset + 10), total: COUNT });
  }
});

test("the group of a request is found also among more members than are kept, and not in a neighbour", async () => {
  const members = (epoch: number, count: number) =>
    Array.from({ length: count }, (_, at) => `e${epoch}-${at}`);
  const big = MEMBERS_KEPT * 3;
  const view = await viewOf({
    decisions: [
      ...members(0, big).map((req_id, at) => decision(at, { req_id, arrival_ms: at })),
      ...members(1000, 2).map((req_id, at) => decision(big + at, { req_id, arrival_ms: 1999 })),
      decision(big + 2, { req_id: "denied", tenant: "nobody", arrival_ms: 5 }),
    ],
    groups: [
      group(0, { time_ms: 0, req_ids: members(0, big) }),
      group(1, { time_ms: 1000, req_ids: members(1000, 2) }),
      group(2, { time_ms: 1000, tenant: "b", req_ids: ["other"] }),
      // The other side decided one at a time: many groups of one tenant and one time.
      ...members(0, big).map((id, at) => group(at, { source: "reference", time_ms: 0, req_ids: [id] })),
    ],
  });
  expect((await view.groups("engine", "a", EVERYTHING)).rows[0]).toMatchObject({
    members: big,
    req_ids: members(0, MEMBERS_KEPT),
  });
  const found = async (source: "engine" | "reference", req_id: string) =>
    (await view.groupOfRequest(source, (await view.decision(req_id))!))?.position ?? null;
  expect(await found("engine", `e0-${big - 1}`)).toBe(0);
  expect(await found("engine", "e1000-1")).toBe(1);
  expect(await found("reference", `e0-${big - 1}`)).toBe(big - 1);
  expect(await found("reference", "e1000-0")).toBeNull();
  expect(await found("engine", "denied")).toBeNull();
});

test("breaches of both sides by time; debits before one are the latest of its own tenant and side", async () => {
  const breached = { reserve_breached: true, step: 2 };
  const view = await viewOf({
    groups: [
      group(0),
      group(1, { step: 5, verdict: "queued" }),
      group(2, { tenant: "b" }),
      group(3, { step: 2 }),
      group(4, breached),
      group(5),
      group(1, { source: "reference", ...breached }),
    ],
  });
  const found = await view.breaches(EVERYTHING);
  expect(found.rows.map(({ source, position }) => [source, position])).toEqual([
    ["reference", 1],
    ["engine", 4],
  ]);
  expect(await view.breaches({ limit: 1, offset: 1 })).toMatchObject({ total: 2, rows: [{ position: 4 }] });
  expect((await view.debitsBefore("engine", "a", 4, 5)).map(({ position }) => position)).toEqual([3, 0]);
  expect((await view.debitsBefore("engine", "a", 4, 1)).map(({ position }) => position)).toEqual([3]);
});

test("a balance of many groups is thinned and says by how many; borrowing is kept, marked or not", async () => {
  const groups = Array.from({ length: 5000 }, (_, at) =>
    group(at, at === 1234 ? { step: 2 } : at === 4321 ? { step: 4, verdict: "rejected" } : {}),
  );
  const view = await viewOf({
    tenants: [tenant("a"), tenant("idle")],
    groups: [...groups, group(0, { source: "reference" })],
  });
  const [series, idle, ...more] = await view.balances(["a", "nobody", "idle"], 100);
  expect(series!.points.length).toBeLessThanOrEqual(100);
  expect(series!.points.length + series!.folded).toBe(5000);
  expect(series!.points.map(({ time_ms }) => time_ms)).toEqual(expect.arrayContaining([0, 1234, 4321, 4999]));
  expect(idle).toMatchObject({ tenant: { tenant: "idle" }, points: [], folded: 0 });
  expect(more).toEqual([]);
});

test("balances of many tenants are each its own, whatever their order and number of groups", async () => {
  const names = ["c", "a", "d", "b"];
  const tenantOf = (at: number) => names[at % 3]!;
  const groups = Array.from({ length: 6000 }, (_, at) =>
    group(at, { tenant: tenantOf(at), signed_balance: at + 0.5, signed_after: -at, verdict: "queued" }),
  );
  const view = await viewOf({
    tenants: names.map((name) => tenant(name)),
    groups: groups.toSorted((x, y) => (x.tenant < y.tenant ? -1 : x.tenant > y.tenant ? 1 : 0)),
  });
  const balances = await view.balances(names, 1_000_000);
  expect(balances.map((series) => series.tenant.tenant)).toEqual(names);
  for (const { tenant, points, folded } of balances) {
    expect(folded).toBe(0);
    expect(points).toEqual(
      groups
        .filter((row) => row.tenant === tenant.tenant)
        .map(({ time_ms, signed_balance, signed_after, verdict, reserve_breached }) => ({
          time_ms,
          signed_balance,
          signed_after,
          verdict,
          reserve_breached,
        })),
    );
  }
  expect(await view.balances([], 100)).toEqual([]);
});

test("every page of every order is that of a sort, there and back; what has no wait comes last", async () => {
  const waits = [null, 0, 5, 5, 700, null, 0, 3];
  const decisions = Array.from({ length: 61 }, (_, at) =>
    decision(at, {
      arrival_ms: (at * 37) % 11,
      file_position: (at * 17) % 61,
      wait_ms: waits[(at * 5) % waits.length]!,
    }),
  );
  const view = await viewOf({ decisions });
  const KEYS = {
    dispatch: "position",
    file: "file_position",
    arrival: "arrival_ms",
    wait: "wait_ms",
  } as const;
  for (const sort of ["dispatch", "file", "arrival", "wait"] as const)
    for (const dir of ["asc", "desc"] as const) {
      const sign = dir === "asc" ? 1 : -1;
      const sorted = decisions.toSorted((a, b) => {
        const [x, y] = [a[KEYS[sort]], b[KEYS[sort]]];
        if (x === null || y === null)
          return Number(x === null) - Number(y === null) || sign * (a.position - b.position);
        return sign * (x - y || a.position - b.position);
      });
      expect((await view.decisions({ sort, dir, ...EVERYTHING })).rows).toEqual(sorted);
      for (let offset = 0; offset < 66; offset += 6) {
        const page = await view.decisions({ sort, dir, limit: 6, offset });
        expect([sort, dir, offset, page]).toEqual([
          sort,
          dir,
          offset,
          { rows: sorted.slice(offset, offset + 6), total: 61 },
        ]);
      }
    }
});

const RESULTS = ["match", "mismatch", "indeterminate"] as const;

test("places: what is open, what is counted, and pages of them", async () => {
  const places = Array.from({ length: 300 }, (_, at) =>
    place(at, { result: RESULTS[at % 3]!, section: at % 2 === 0 ? "decisions" : "tenants" }),
  );
  const view = await viewOf({ places });
  const open = (section: string) =>
    [...RESULTS.slice(1)].flatMap((result) =>
      places.filter((row) => row.section === section && row.result === result),
    );
  const inOrder = [...open("tenants"), ...open("decisions")];
  expect(await view.places({ result: "open", limit: 20, offset: 40 })).toEqual({
    rows: inOrder.slice(40, 60),
    total: inOrder.length,
  });
  expect(await all(view.eachPlace({ result: "open" }))).toEqual(inOrder);
  for (const [at, row] of inOrder.entries())
    expect(await view.indexOfPlace({ result: "open" }, row.position)).toBe(at);
  expect(await view.indexOfPlace({ result: "open" }, 0)).toBeNull();
  expect(await view.place(7)).toEqual(places[7]);
  expect(await view.place(300)).toBeNull();
  const tenants = open("tenants").filter(({ result }) => result === "mismatch");
  expect((await view.places({ section: "tenants", result: "mismatch", ...EVERYTHING })).rows).toEqual(
    tenants,
  );
  const counts = await view.placeCounts();
  expect(counts).toHaveLength(6);
  expect(counts.every(({ count }) => count === 50)).toBe(true);
});

test("the worst of a section comes first: what is no number, then numbers by how far they are apart", async () => {
  const values: [string | null, string | null][] = [
    ["10", "11"],
    ["1", "1000"],
    ['"accepted"', '"rejected"'],
    ["0", "0.5"],
    [null, "3"],
    ["-5", "5"],
  ];
  const view = await viewOf({
    places: values.map(([reported, expected], at) => place(at, { result: "mismatch", reported, expected })),
  });
  const order = (await view.places({ result: "open", ...EVERYTHING })).rows.map(({ position }) => position);
  expect(order).toEqual([2, 4, 5, 3, 1, 0]);
});

test("a request is found in any order and under any filter", async () => {
  const rows = Array.from({ length: 60 }, (_, at) =>
    decision(at, {
      file_position: 59 - at,
      wait_ms: at % 3 === 0 ? null : at % 7,
      verdict: at % 2 ? "queued" : "accepted",
    }),
  );
  const view = await viewOf({ decisions: rows });
  for (const sort of ["dispatch", "file", "arrival", "wait"] as const)
    for (const dir of ["asc", "desc"] as const)
      for (const verdict of [undefined, "queued"]) {
        const query = { sort, dir, verdict };
        const shown = (await view.decisions({ ...query, ...EVERYTHING })).rows;
        expect(await all(view.eachDecision(query))).toEqual(shown);
        for (const row of rows) {
          const at = shown.findIndex(({ position }) => position === row.position);
          expect(await view.indexOfDecision(query, row)).toBe(at < 0 ? null : at);
        }
      }
});
