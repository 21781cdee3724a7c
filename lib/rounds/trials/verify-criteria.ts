import { isDeepStrictEqual } from "node:util";
import type { Held, Report } from "../../../contract/report.ts";
import type { DecidedRound, RefusedRound } from "../run/run-round.ts";
import type { SignalledRound, VerifyContext } from "./verify-context.ts";

/** A criterion of the acceptance run on the scenario (§7): holds or not. */
export interface VerifyCriterion {
  group: string;
  clause: string;
  title: string;
  holds(context: VerifyContext): boolean | Promise<boolean>;
}

const decision = ({ report }: SignalledRound, req_id: string) =>
  report.decisions.find((row) => row.req_id === req_id);
const closing = (context: VerifyContext, tenant: string) =>
  context.clean.report.per_tenant[tenant]?.closing_tokens;
const claims = (signalled: SignalledRound) =>
  Object.fromEntries(signalled.board.signals.map(({ name, claim }) => [name, claim]));
const isRefused = (round: DecidedRound | RefusedRound, status: number, place: string): boolean =>
  round.kind === "refused" &&
  round.status === status &&
  (round.problem.documents.some(({ path, message }) => `${path} ${message}`.includes(place)) ||
    round.problem.lines.some(({ line, field }) => `${line} ${field}`.includes(place)));
/** Holds where an acceptance criterion holds on the clean scenario. */
const accepted = (id: string) => (context: VerifyContext) =>
  context.clean.acceptance.find((criterion) => criterion.id === id)?.passed === true;

type Row = [clause: string, title: string, holds: VerifyCriterion["holds"]];
const grouped = (group: string, rows: Row[]): VerifyCriterion[] =>
  rows.map(([clause, title, holds]) => ({ group, clause, title, holds }));

const append = (line: string) => (text: string) => `${text.trimEnd()}\n${line}\n`;
const replace = (from: string, to: string) => (text: string) => text.replace(from, to);

const inputs = grouped("inputs fail closed", [
  [
    "§1",
    "a missing contract is status 3",
    async ({ run }) => isRefused(await run({ contract: "/nonexistent/contract" }), 3, "no such file"),
  ],
  [
    "§1",
    "a missing policy is status 3",
    async ({ run }) => isRefused(await run({ policy: "/nonexistent/policy" }), 3, "no such file"),
  ],
  [
    "§5.4",
    "a missing stream is status 2",
    async ({ run }) => isRefused(await run({ input: "/nonexistent/stream" }), 2, "no such file"),
  ],
  [
    "§1",
    "an unknown field is named",
    async ({ run, variant }) =>
      isRefused(
        await run({ contract: await variant("contract", replace('"version"', '"color": 1, "version"')) }),
        3,
        "color",
      ),
  ],
  [
    "§1.4",
    "a number in quotes is an error",
    async ({ run, variant }) =>
      isRefused(
        await run({ policy: await variant("policy", replace('"capacity": 16', '"capacity": "16"')) }),
        3,
        "tenants[0].capacity",
      ),
  ],
  [
    "§1.2",
    "promises above the total ceiling are an error",
    async ({ run, variant }) =>
      isRefused(
        await run({ policy: await variant("policy", replace('"ceiling_units": 4', '"ceiling_units": 9')) }),
        3,
        "ceiling_units",
      ),
  ],
  [
    "§1.2",
    "a guaranteed tenant needs a reserve",
    async ({ run, variant }) =>
      isRefused(
        await run({ policy: await variant("policy", replace('"reserve_tokens": 4', '"reserve_tokens": 0')) }),
        3,
        "reserve_tokens",
      ),
  ],
  [
    "§1.3",
    "strict reading refuses a bad line by its number",
    async ({ run, variant }) =>
      isRefused(await run({ input: await variant("input", append('{"req_id": "x"}')) }), 2, "18"),
  ],
  [
    "§1.3",
    "a req_id seen twice is bad",
    async ({ run, variant }) =>
      isRefused(
        await run({ input: await variant("input", (text) => text + text.split("\n")[0]) }),
        2,
        "req_id",
      ),
  ],
  [
    "§1.3",
    "lenient reading reports what it skips, and is never clean",
    async ({ run, variant }) => {
      const round = await run({ input: await variant("input", append("not json")) }, "lenient");
      return (
        round.kind === "decided" && round.status === 2 && round.report.input.skipped.lines[0]?.line === 18
      );
    },
  ],
]);

const refill = grouped("refill", [
  ["§3.2", "t-alpha closes at 3.8", (context) => closing(context, "t-alpha") === 3.8],
  ["§3.2", "t-beta closes at 1.6", (context) => closing(context, "t-beta") === 1.6],
  ["§3.2", "t-gamma closes at 1.7", (context) => closing(context, "t-gamma") === 1.7],
  ["§3.2", "a first group at time 0 is met by the opening balance", accepted("refill.first")],
  ["§3.2", "no balance is below 0 or above capacity", accepted("buckets.balance")],
]);

const groups = grouped("groups", [
  ["§3.1", "members of a group share one verdict", accepted("groups.whole")],
  ["§4", "every request is decided once", accepted("decisions.once")],
  ["§3.1", "a mixed group is not queued", accepted("queue.soft")],
]);

const order = grouped("order", [
  [
    "§7",
    "dispatch begins req-0001, req-0005, req-0009, req-0013",
    ({ clean }) => clean.report.dispatch_order.slice(0, 4).join() === "req-0001,req-0005,req-0009,req-0013",
  ],
  ["§3.5", "dispatch is sorted by rank, arrival and id", accepted("order.sorted")],
  ["§3.5", "dispatched is who has a bucket", accepted("order.complete")],
  [
    "§1",
    "the order of lines changes nothing",
    async ({ run, variant, clean }) => {
      const round = await run({
        input: await variant("input", (text) => text.trimEnd().split("\n").reverse().join("\n")),
      });
      return round.kind === "decided" && round.report.checksum === clean.report.checksum;
    },
  ],
]);

const reserve = grouped("reserve", [
  ["§7", "one tenant broke its reserve", ({ clean }) => clean.report.counts.reserve_breached === 1],
  ["§3.4", "it is t-alpha", ({ clean }) => clean.report.per_tenant["t-alpha"]?.reserve_breached === true],
  [
    "§3.4",
    "req-0009 borrowed and is marked",
    ({ clean }) => decision(clean, "req-0009")?.reserve_breached === true,
  ],
  ["§3.4", "only guaranteed tiers borrow", accepted("reserve.tier")],
]);

const queueing = grouped("queueing", [
  ["§7", "req-0013 waits 550 ms", ({ clean }) => decision(clean, "req-0013")?.wait_ms === 550],
  ["§2", "binary floats would make it 551 ms", ({ floats }) => decision(floats, "req-0013")?.wait_ms === 551],
  ["§3.4", "verdicts, reasons and waits go together", accepted("waits.fit")],
  ["§3.4", "4 requests are queued", ({ clean }) => clean.report.counts.queued === 4],
]);

const denylist = grouped("denylist", [
  [
    "§3.6",
    "the denylisted request is rejected as such",
    ({ clean }) => decision(clean, "req-0004")?.reason === "denylisted",
  ],
  [
    "§3.6",
    "the denylisted tenant has no bucket",
    ({ clean }) => !Object.hasOwn(clean.report.per_tenant, "t-delta"),
  ],
  ["§3.6", "it is not dispatched", ({ clean }) => !clean.report.dispatch_order.includes("req-0004")],
]);

const report = grouped("report", [
  [
    "§7",
    "accepted 9, queued 4, rejected 4",
    ({ clean: { report } }) =>
      isDeepStrictEqual(report.counts, { accepted: 9, queued: 4, rejected: 4, reserve_breached: 1 }),
  ],
  [
    "§7",
    "capacity 38, used 37, over_capacity 0",
    ({ clean: { report } }) => isDeepStrictEqual(report.totals, { capacity: 38, used: 37, over_capacity: 0 }),
  ],
  [
    "§4",
    "the checksum is the expected one",
    ({ clean, expected }) => clean.report.checksum === expected.clean.checksum,
  ],
  ["§4", "the checksum is that of the content", accepted("report.checksum")],
  ["§4", "ok is the engine's own claim", accepted("report.ok")],
  [
    "§7",
    "the problem state has its checksum",
    ({ problem, expected }) => problem.report.checksum === expected.problem_state.checksum,
  ],
]);

/** Whether health is red after a change to the clean report. */
const isFound = (change: (report: Held<Report>) => unknown) => (context: VerifyContext) =>
  context.judge(change).status === 2;

const health = grouped("health", [
  [
    "§5.4",
    "a clean round is status 0",
    ({ clean: { round } }) => round.truth.status === 0 && round.status === 0,
  ],
  ["§5.2", "checks were made", ({ clean: { round } }) => round.truth.checks > 100],
  [
    "§5.2",
    "a changed count is found",
    isFound((report) => ({ ...report, counts: { ...report.counts, queued: 5 } })),
  ],
  [
    "§5.2",
    "a changed wait is found",
    isFound((report) => ({
      ...report,
      decisions: report.decisions.map((row) => (row.req_id === "req-0013" ? { ...row, wait_ms: 551 } : row)),
    })),
  ],
  [
    "§5.2",
    "two decisions swapped are found",
    isFound((report) => ({
      ...report,
      dispatch_order: [...report.dispatch_order].reverse(),
    })),
  ],
  [
    "§5.2",
    "a missing field is indeterminate, not green",
    (context) => {
      const { status, indeterminate } = context.judge(({ totals: _, ...rest }) => rest);
      return status === 2 && indeterminate > 0;
    },
  ],
  ["§5.2", "an empty report is not green", isFound(() => ({}))],
]);

const signals = grouped("signals", [
  [
    "§5.5",
    "five signals say well of the clean round",
    ({ clean }) => {
      const { signals: lamps, false_green } = clean.board;
      return (
        lamps.length === 5 &&
        lamps.every(({ claim, grounded }) => claim === "well" && grounded) &&
        !false_green
      );
    },
  ],
  ["§5.4", "the problem state ends with status 2", ({ problem }) => problem.round.status === 2],
  [
    "§7",
    "faults of signals make report, exit and health say well",
    ({ falseGreen }) => {
      const { report: own, exit, health: claimed } = claims(falseGreen);
      return own === "well" && exit === "well" && claimed === "well";
    },
  ],
  [
    "§7",
    "probe and acceptance do not",
    ({ falseGreen }) => {
      const { probe, acceptance } = claims(falseGreen);
      return probe === "unwell" && acceptance === "unwell";
    },
  ],
  [
    "§5.5",
    "that is a false green, and the liars are named",
    ({ falseGreen: { board } }) =>
      board.false_green &&
      board.signals
        .filter(({ lies }) => lies)
        .map(({ name }) => name)
        .join() === "report,exit,health",
  ],
]);

/** Every criterion of the acceptance run. */
export const VERIFY_CRITERIA: readonly VerifyCriterion[] = [
  ...inputs,
  ...refill,
  ...groups,
  ...order,
  ...reserve,
  ...queueing,
  ...denylist,
  ...report,
  ...health,
  ...signals,
];
