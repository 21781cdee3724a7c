import { expect, test } from "vitest";
import { type Held, held, type Report } from "../../../contract/report.ts";
import { acceptReport } from "../../acceptance/accept-report.ts";
import { CHECK_TABLE } from "../../health/check-table.ts";
import { compareReport } from "../../health/compare-report.ts";
import { contentChecksum } from "../../recheck/content-checksum.ts";
import { nodeSha256 } from "../sha256.ts";
import { PROBLEM_FAULTS } from "../trials/scenario.ts";
import { TrialFolder } from "../trials/trial-folder.ts";
import { expectedFor } from "./judge-report.ts";
import { type DecidedRound, runRound } from "./run-round.ts";

type Path = (string | number)[];

/** Paths of every leaf of a JSON value. */
function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function changed(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "boolean") return !value;
  if (value === null) return 7;
  return `${String(value)}x`;
}

/** A copy of a report with one leaf replaced, or removed. */
function tamper(report: Report, path: Path, change: "replace" | "remove"): unknown {
  const copy = JSON.parse(JSON.stringify(report));
  const parent = path.slice(0, -1).reduce((value, key) => value[key], copy);
  const last = path.at(-1)!;
  if (change === "replace") parent[last] = changed(parent[last]);
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete parent[last];
  return copy;
}

async function decided(faults: readonly string[] = []): Promise<DecidedRound> {
  return TrialFolder.use(async (folder) => {
    const round = await runRound(folder.scenario().files, { reading: "strict", faults });
    if (round.kind === "refused") throw new Error(round.problem.message);
    return round;
  });
}

const clean = await decided();
const { recomputed } = clean;
const report = held(clean.report);
if (!recomputed.ok) throw new Error(recomputed.problem.message);
const truth = recomputed;
const judge = (value: unknown) => compareReport(value, expectedFor(truth, value));
// Who decided is the one thing that nobody can recompute: health only sees that it is named.
const paths = leaves(report).filter(([first]) => first !== "engine");

test("the untouched report is clean, so that what follows can fail", () => {
  expect(judge(JSON.parse(JSON.stringify(report)))).toMatchObject({
    status: 0,
    mismatches: 0,
    indeterminate: 0,
  });
  expect(paths.length).toBeGreaterThan(150);
});

test.each(paths.map((path) => [path.join("."), path] as const))("%s changed is found", (_, path) => {
  const { status, mismatches, indeterminate } = judge(tamper(report, path, "replace"));
  expect(status).toBe(2);
  expect(mismatches + indeterminate).toBeGreaterThan(0);
});

test.each(paths.map((path) => [path.join("."), path] as const))("%s removed is found", (_, path) => {
  expect(judge(tamper(report, path, "remove")).status).toBe(2);
});

test.each([null, [], "report", 5, {}, { counts: null }, { decisions: {}, per_tenant: [] }])(
  "what is no report is not green: %j",
  (value) => {
    const { status, issues } = judge(value);
    expect(status).toBe(2);
    expect(issues.length).toBeGreaterThan(0);
  },
);

test("an extra decision, bucket or field is a mismatch", () => {
  const extra = JSON.parse(JSON.stringify(report));
  extra.decisions.push({ ...extra.decisions[0], req_id: "invented" });
  extra.per_tenant.__proto__x = extra.per_tenant["t-alpha"];
  extra.surplus = 1;
  const paths = judge(extra).issues.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["decisions[17]", 'per_tenant["__proto__x"]', "surplus"]));
});

test("an empty table is an error, never a pass; a check not asked for is ignored, not matched", () => {
  expect(compareReport(report, expectedFor(truth, report), [])).toMatchObject({
    status: 3,
    checks: 0,
    degraded: true,
  });
  const ignored = compareReport(report, expectedFor(truth, report), CHECK_TABLE, { ignore: new Set(["ok"]) });
  expect(ignored.table.find(({ check }) => check === "ok")).toMatchObject({ ignored: 1, matched: 0 });
});

const accept = (value: unknown, round = clean) =>
  acceptReport({
    contract: round.documents.contract,
    policy: round.documents.policy,
    columns: round.columns,
    report: value,
    contentChecksum: contentChecksum(value, nodeSha256),
  });

test("acceptance holds on the clean round, and not on the problem state", async () => {
  expect(accept(report).filter(({ passed }) => passed !== true)).toEqual([]);
  const problem = await decided(PROBLEM_FAULTS);
  const broken = accept(problem.report, problem).filter(({ passed }) => passed === false);
  expect(broken.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["order.sorted", "groups.whole", "buckets.who"]),
  );
});

test("what acceptance cannot judge is never held to be passed", () => {
  expect(accept({}).some(({ passed }) => passed === true)).toBe(false);
  expect(accept(null).some(({ passed }) => passed === true)).toBe(false);
});

type Change = (copy: Held<Report>) => void;
const CHANGES: [criterion: string, change: Change][] = [
  ["order.sorted", (copy) => copy.dispatch_order.reverse()],
  ["order.complete", (copy) => copy.dispatch_order.push("req-0004")],
  ["order.decisions", (copy) => copy.decisions.reverse()],
  ["decisions.once", (copy) => copy.decisions.pop()],
  [
    "decisions.tenant",
    (copy) => {
      copy.decisions[0]!.tenant = "t-beta";
    },
  ],
  [
    "groups.whole",
    (copy) => {
      copy.decisions.find(({ req_id }) => req_id === "req-0003")!.verdict = "queued";
    },
  ],
  [
    "waits.fit",
    (copy) => {
      copy.decisions[0]!.wait_ms = 5;
    },
  ],
  [
    "queue.soft",
    (copy) => {
      for (const row of copy.decisions) if (row.tenant === "t-gamma") row.verdict = "queued";
    },
  ],
  [
    "queue.hard",
    (copy) => {
      copy.decisions.find(({ req_id }) => req_id === "req-0013")!.reason = "insufficient_tokens";
    },
  ],
  [
    "reject.capacity",
    (copy) => {
      copy.decisions[0]!.reason = "exceeds_capacity";
    },
  ],
  [
    "reserve.tier",
    (copy) => {
      copy.decisions.find(({ tenant }) => tenant === "t-beta")!.reserve_breached = true;
    },
  ],
  [
    "denylist.rejected",
    (copy) => {
      copy.decisions.at(-1)!.verdict = "accepted";
    },
  ],
  [
    "counts.requests",
    (copy) => {
      copy.counts.accepted += 1;
    },
  ],
  [
    "counts.decisions",
    (copy) => {
      copy.counts.queued += 1;
      copy.counts.rejected -= 1;
    },
  ],
  [
    "counts.breaches",
    (copy) => {
      copy.counts.reserve_breached = 2;
    },
  ],
  [
    "totals.capacity",
    (copy) => {
      copy.totals.capacity = 48;
    },
  ],
  [
    "totals.used",
    (copy) => {
      copy.totals.used = 36;
    },
  ],
  [
    "totals.over",
    (copy) => {
      copy.totals.over_capacity = 1;
    },
  ],
  [
    "buckets.who",
    (copy) => {
      copy.per_tenant["t-delta"] = copy.per_tenant["t-beta"]!;
    },
  ],
  [
    "buckets.policy",
    (copy) => {
      copy.per_tenant["t-beta"]!.opening_tokens = 12;
    },
  ],
  [
    "buckets.balance",
    (copy) => {
      copy.per_tenant["t-beta"]!.closing_tokens = -1;
    },
  ],
  [
    "buckets.counts",
    (copy) => {
      copy.per_tenant["t-beta"]!.accepted = 5;
    },
  ],
  [
    "report.checksum",
    (copy) => {
      copy.checksum = "0000000000000000";
    },
  ],
  [
    "report.ok",
    (copy) => {
      copy.ok = false;
    },
  ],
  [
    "report.digests",
    (copy) => {
      copy.input.stream_sha256 = "x";
    },
  ],
  [
    "report.requests",
    (copy) => {
      copy.input.requests = 16;
    },
  ],
];

test.each(CHANGES)("acceptance criterion %s fails where it is broken", (id, change) => {
  const copy = structuredClone(report) as Held<Report>;
  change(copy);
  expect(accept(copy).find((criterion) => criterion.id === id)?.passed).toBe(false);
});
