import { expect, test } from "vitest";
import type { LogDecision, LogEvent, LogState } from "../../../contract/decision-log.ts";
import { readGateConfig } from "../../../contract/gate-config.ts";
import { auditor } from "./audit.ts";

const tools = {
  accept(config: unknown) {
    const read = readGateConfig(config, { expression: () => null, network: () => null });
    return read.ok ? read.value : null;
  },
  matches: (expression: string, text: string) => text.includes(expression),
};
const config = (burst = 3, ids = ["a", "b"], max_entries = 4) =>
  tools.accept({
    services: [
      {
        ...{ name: "api", path: "/", auth: { freebie: 3 }, price: 1, max_entries },
        rules: ids.map((id) => ({ id, requests: 1, per: "1s", burst })),
      },
    ],
    hold_ms: 100,
  })!;
const clientOf = (digit: number) => `token:${String(digit).repeat(32)}`;
const holdOf = (digit: number) => String(digit).repeat(32);
const LEDGER = { reserved: 0, committed: 0, cancelled: 0, expired: 0, outstanding: 0 };
const state = (fields: Partial<LogState> = {}): LogState => ({
  ...{ line: "state", seq: 9, at: 1000, version: 4, config: config(), ledger: LEDGER },
  ...{ evictions: { full: 0, lossy: 0 }, buckets: [], admissions: [], freebies: [] },
  ...fields,
});
type Row = LogState["buckets"][number]["rows"][number];
const buckets = (...rows: Row[]): Pick<LogState, "buckets"> => ({
  buckets: [{ line: "buckets", service: "api", rows }],
});
const admission = (digit: number, fields: Partial<LogState["admissions"][number]> = {}) => ({
  ...{ hold: holdOf(digit), service: "api", client: clientOf(digit), rules: ["a", "b"], taken: [], gone: [] },
  ...{ freebie: false, hold_ms: 100, due_ms: 1050, was: null },
  ...fields,
});
const decision = (
  seq: number,
  at: number,
  digit: number,
  fields: Partial<LogDecision> = {},
): LogDecision => ({
  ...{ line: "decision", seq, at, version: 4, service: "api", path: "/", credential: "valid" },
  ...{ client: clientOf(digit), rules: ["a", "b"], verdict: "allowed", reason: null, denied_by: [] },
  ...{ retry_after_ms: null, balances: [], ended: "committed" },
  ...fields,
});
const begun = (claim: LogState) => {
  const audit = auditor(tools, { freebies: "memory" });
  return { audit, found: audit.play(claim) };
};
const balances = (a: number, b: number) => ({
  balances: [
    ["a", a],
    ["b", b],
  ] as [string, number][],
});

test("balances, times and the version go on from what was stated, exactly (G4, G8)", () => {
  const { audit, found } = begun(
    state(buckets([clientOf(1), "a", "14/6", 900, 5], [clientOf(1), "b", "3/1", 1100, 5])),
  );
  expect(found).toEqual([]);
  // 7/3 at 900, and 200 ms more, without the token that is taken.
  const told = decision(10, 1100, 1, balances(23 / 15, 2));
  expect(audit.play(told)).toEqual([]);
  expect(audit.play({ line: "publish", seq: 11, at: 1100, version: 5, config: config() })).toEqual([]);
  expect(audit.play(decision(12, 1100, 2, { version: 5, ...balances(2, 2) }))).toEqual([]);
});

test("what decides between buckets goes on: the order of use, and ties by the order of the rules (G6)", () => {
  const rows: Row[] = [
    [clientOf(1), "b", "1/1", 1000, 7],
    [clientOf(1), "a", "1/1", 1000, 7],
    [clientOf(2), "a", "1/1", 1000, 3],
    [clientOf(2), "b", "1/1", 1000, 9],
  ];
  const { audit } = begun(state(buckets(...rows)));
  // Room for two: a of client 2, then a of client 1; not what was stated first.
  expect(audit.play(decision(10, 1000, 3, balances(2, 2)))).toEqual([]);
  expect(audit.play(tally(10, 1000, { full: 0, lossy: 2 }, 4, 1))).toEqual([]);
  const again = { ...buckets([clientOf(1), "b", "1/1", 1000, 1], [clientOf(2), "b", "1/1", 1000, 2]) };
  again.buckets[0]!.rows.push([clientOf(3), "a", "2/1", 1000, 3], [clientOf(3), "b", "2/1", 1000, 3]);
  const ledger = { ...LEDGER, reserved: 1, committed: 1 };
  const after = state({ seq: 10, ...again, ledger, evictions: { full: 0, lossy: 2 } });
  expect(audit.play(after)).toEqual([]);
});

function tally(
  seq: number,
  at: number,
  evictions: { full: number; lossy: number },
  entries: number,
  committed: number,
  ledger: Partial<typeof LEDGER> = {},
): LogEvent {
  const counted = { ...LEDGER, reserved: committed, committed, ...ledger };
  return { line: "tally", seq, at, ledger: counted, evictions, entries: [["api", entries]] };
}

test("held admissions go on: what they hold stays, comes back, and expires at its time (G4, G6)", () => {
  const claim = state({
    ...buckets(
      ...[1, 2].flatMap((digit): Row[] => [
        [clientOf(digit), "a", "1/2", 1000, digit],
        [clientOf(digit), "b", "1/2", 1000, digit],
      ]),
    ),
    admissions: [
      admission(1, { taken: ["a", "b"] }),
      admission(2, { taken: ["a"], gone: ["b"], due_ms: 1060 }),
      admission(3, { was: "cancelled", due_ms: 1040 }),
    ],
    ledger: { reserved: 3, committed: 0, cancelled: 1, expired: 0, outstanding: 2 },
  });
  const { audit, found } = begun(claim);
  expect(found).toEqual([]);
  const end = (seq: number, at: number, digit: number, fields: object): LogEvent => ({
    ...{ line: "end", seq, at, hold: holdOf(digit), asked: "cancelled" },
    ...({ ended: "cancelled", was: null, balances: [], ...fields } as {
      ended: "cancelled";
      was: null;
      balances: [];
    }),
  });
  const already = (was: string) => ({ ended: "already", was });
  expect(audit.play(end(10, 1039, 3, already("cancelled")))).toEqual([]);
  expect(audit.play(end(11, 1040, 3, { ended: "unknown" }))).toEqual([]);
  // a comes back; b was gone with its rule, and what is there now has nothing to do with it.
  expect(audit.play(end(12, 1040, 2, balances(1.54, 0.54)))).toEqual([]);
  expect(audit.play(end(13, 1139, 2, already("cancelled")))).toEqual([]);
  expect(audit.play(end(14, 1139, 1, already("expired")))).toEqual([]);
  expect(audit.play(end(15, 1149, 1, already("expired")))).toEqual([]);
  expect(audit.play(end(16, 1150, 1, { ended: "unknown" }))).toEqual([]);
  const ended = { reserved: 3, cancelled: 2, expired: 1, outstanding: 0 };
  expect(audit.play(tally(16, 1150, { full: 0, lossy: 0 }, 4, 0, ended))).toEqual([]);
});

test("what an outstanding admission holds is never forgotten, what an ended one held may be (G6)", () => {
  const rows = [1, 2].flatMap((digit): Row[] => [
    [clientOf(digit), "a", "1/1", 1000, digit],
    [clientOf(digit), "b", "1/1", 1000, digit],
  ]);
  const claim = state({
    ...buckets(...rows),
    admissions: [admission(1, { taken: ["a", "b"], due_ms: 5000 }), admission(2, { was: "expired" })],
    ledger: { ...LEDGER, reserved: 2, expired: 1, outstanding: 1 },
  });
  const { audit } = begun(claim);
  expect(audit.play(decision(10, 1000, 3, balances(2, 2)))).toEqual([]);
  expect(audit.play(decision(11, 1000, 1, balances(0, 0)))).toEqual([]);
});

test("counts of free requests go on, also by who cancels (G7)", () => {
  const address = `ip:${"7".repeat(32)}`;
  const claim = state({
    freebies: [{ line: "freebies", service: "api", rows: [[address, 3]] }],
    ...buckets([address, "a", "2/1", 1000, 1], [address, "b", "2/1", 1000, 1]),
    admissions: [admission(1, { client: address, taken: ["a", "b"], freebie: true })],
    ledger: { ...LEDGER, reserved: 1, outstanding: 1 },
  });
  const { audit, found } = begun(claim);
  expect(found).toEqual([]);
  const asked = { client: address, credential: "none", ended: "none" } as const;
  const spent = { verdict: "challenged", freebie: "exhausted", freebies_used: 3 } as const;
  expect(audit.play(decision(10, 1000, 7, { ...asked, ...spent }))).toEqual([]);
  const back = { hold: holdOf(1), asked: "cancelled", ended: "cancelled", was: null } as const;
  expect(audit.play({ line: "end", seq: 11, at: 1000, ...back, ...balances(3, 3) })).toEqual([]);
  const one = { freebie: "counted", freebies_used: 2, settled: { seq: 13, at: 1000 } } as const;
  const told = decision(12, 1000, 7, { ...asked, ...one, ended: "committed", ...balances(2, 2) });
  expect([...audit.play(told), ...audit.settle(told)]).toEqual([]);
});

test("a state is compared thing by thing with what the files before come to, each with its clause", () => {
  const first = buckets([clientOf(1), "a", "1/1", 1000, 4], [clientOf(1), "b", "2/1", 1000, 4]);
  const { audit } = begun(state(first));
  const before = audit.checks;
  expect(audit.play(state(first))).toEqual([]);
  expect(audit.checks).toBeGreaterThan(before + 10);
  const fieldsOf = (claim: LogState) => audit.play(claim).map(({ field, clause }) => `${field} ${clause}`);
  expect(fieldsOf(state())).toEqual(["bucket G4", "use G6", "bucket G4", "use G6"]);
  expect(fieldsOf(state({ ...first, version: 5 }))).toEqual(["version G8"]);
  expect(fieldsOf(state({ ...first, config: config(4) }))).toEqual(["config G8"]);
  expect(fieldsOf(state({ ...first, evictions: { full: 1, lossy: 0 } }))).toEqual(["full G6"]);
  expect(fieldsOf(state({ ...first, ledger: { ...LEDGER, expired: 1 } }))).toEqual(["expired G4"]);
  // Another number for the same order says the same; another order does not.
  const used = (a: number, b: number) =>
    state(buckets([clientOf(1), "a", "2/2", 1000, a], [clientOf(1), "b", "2/1", 1000, b]));
  expect(fieldsOf(used(9, 9))).toEqual([]);
  expect(fieldsOf(used(9, 10))).toEqual(["use G6"]);
  expect(fieldsOf(state({ ...first, admissions: [admission(1)] }))).toEqual(["admission G4"]);
  const freebies: LogState["freebies"] = [{ line: "freebies", service: "api", rows: [[clientOf(1), 1]] }];
  expect(fieldsOf(state({ ...first, freebies }))).toEqual(["free_requests G7"]);
});

test("time comes to when the state was taken (G4)", () => {
  const claim = state({
    ...buckets([clientOf(1), "a", "1/1", 1000, 1]),
    admissions: [admission(1, { taken: ["a"], rules: ["a"] })],
    ledger: { ...LEDGER, reserved: 1, outstanding: 1 },
  });
  const { audit } = begun(claim);
  const later = state({
    ...{ at: 1050, ...buckets([clientOf(1), "a", "1/1", 1000, 1]) },
    admissions: [admission(1, { rules: ["a"], was: "expired", due_ms: 1150 })],
    ledger: { ...LEDGER, reserved: 1, expired: 1 },
  });
  expect(audit.play(later)).toEqual([]);
});

test("a state that cannot be is refused, and one that contradicts itself is told", () => {
  const claims: [LogState, string][] = [
    [state(buckets([clientOf(1), "z", "1/1", 0, 1])), "a rule that is not live is stated: z"],
    [
      state({ buckets: [{ line: "buckets", service: "no", rows: [[clientOf(1), "a", "1/1", 0, 1]] }] }),
      "a rule that is not live is stated: a",
    ],
    [
      state(buckets([clientOf(1), "a", "1/1", 0, 1], [clientOf(1), "a", "1/1", 0, 2])),
      "a bucket is stated twice",
    ],
    [state({ admissions: [admission(1), admission(1)] }), "an admission is stated twice"],
    [state({ admissions: [admission(1, { taken: ["a"] })] }), "holds a bucket that is not stated: a"],
  ];
  for (const [claim, message] of claims) expect(() => begun(claim)).toThrow(message);
  const told = (claim: LogState) =>
    begun(claim).found.map(({ field, clause, expected }) => [field, clause, expected]);
  expect(told(state({ config: { services: [] } }))).toEqual([["config", "G1", "refused"]]);
  expect(told(state({ ledger: { ...LEDGER, reserved: 2, committed: 1 } }))).toEqual([["equation", "G4", 1]]);
  expect(told(state({ ledger: { ...LEDGER, reserved: 1, outstanding: 1 } }))).toEqual([
    ["equation", "G4", 0],
    ["outstanding", "G4", 0],
  ]);
  const [cut] = begun(state(buckets([clientOf(1), "a", "7/2", 1000, 1]))).found;
  expect(cut).toMatchObject({ field: "bucket", logged: { balance: "7/2" }, expected: { balance: "3/1" } });
  // An admission that holds a free request alone is in no ledger (G4).
  expect(begun(state({ admissions: [admission(1, { freebie: true })] })).found).toEqual([]);
  expect(begun(state()).audit.checks).toBe(2);
});

test("what a configuration would have done begins with its being published where the state was taken (G8)", () => {
  const decided: unknown[] = [];
  const audit = auditor(tools, {
    freebies: "memory",
    instead: config(5, ["a"]),
    decided: (_, { balances, rules }) => decided.push([rules, balances]),
  });
  const claim = buckets([clientOf(1), "a", "2/1", 500, 1], [clientOf(1), "b", "1/1", 1000, 1]);
  expect(audit.play(state(claim))).toEqual([]);
  // It is compared with nothing: this is not what was.
  expect(audit.play(state({ seq: 9 }))).toEqual([]);
  audit.play(decision(10, 1000, 1));
  expect(decided).toEqual([[["a"], [["a", 1.5]]]]);
});

test("a request that began before the state is decided by what is known, or not at all (G8)", () => {
  const late = (began: number, version: number) =>
    decision(10, 1000, 1, { began, version, ...balances(2, 2) });
  expect(() => begun(state()).audit.play(late(8, 3))).toThrow(
    "began under version 3, which no line here tells",
  );
  expect(begun(state()).audit.play(late(8, 4))).toEqual([]);
  expect(begun(state()).audit.play(late(9, 3))).toMatchObject([{ field: "version", clause: "G8" }]);
  expect(() => begun(state()).audit.play(decision(8, 1000, 1, { version: 3 }))).toThrow("no line here tells");
  const whole = auditor(tools, { freebies: "memory" });
  whole.play({ line: "publish", seq: 1, at: 0, version: 4, config: config() });
  expect(whole.play(decision(2, 0, 1, { began: 0, version: 3, ...balances(2, 2) }))).toMatchObject([
    { field: "version", logged: 3, expected: 4 },
  ]);
});

test("counts, the order of use by service, and what an end left are compared and go on (G4, G6, G7)", () => {
  const evictions = { full: 3, lossy: 2 };
  const { audit } = begun(state({ evictions, ledger: { ...LEDGER, reserved: 1, expired: 1 } }));
  const ledger = { reserved: 1, expired: 1 };
  expect(audit.play(tally(9, 1000, evictions, 0, 0, ledger))).toEqual([]);
  expect(begun(state({ ledger: { ...LEDGER, reserved: 1, expired: 1 } })).found).toEqual([]);
  const [refused] = begun(state({ config: null })).found;
  expect(refused).toEqual({ seq: 9, clause: "G1", field: "config", logged: "live", expected: "refused" });
  const ended = admission(1, { was: "committed", gone: ["a"] });
  expect(() => begun(state({ admissions: [ended] }))).toThrow("has ended is stated to hold something");

  // Rows are told in any order; each service has an order of use of its own.
  const [one] = config().services;
  const two = tools.accept({ services: [one, { ...one, name: "other" }], hold_ms: 100 })!;
  const told = (own: number, others: number): Partial<LogState> => ({
    config: two,
    buckets: [
      {
        ...{ line: "buckets", service: "api" },
        rows: [
          [clientOf(1), "a", "1/1", 1000, own + 10],
          [clientOf(1), "b", "1/1", 1000, own + 9],
        ],
      },
      { line: "buckets", service: "other", rows: [[clientOf(1), "a", "1/1", 1000, others]] },
    ],
  });
  const both = begun(state(told(0, 90))).audit;
  expect(both.play(state(told(80, 5)))).toEqual([]);
  expect(both.play(state({ config: two }))[0]).toMatchObject({ expected: { service: "api", rule: "b" } });

  const address = `ip:${"7".repeat(32)}`;
  const asked = decision(10, 1000, 7, {
    ...{ client: address, credential: "none", freebie: "counted", freebies_used: 0 },
    ...{ settled: { seq: 11, at: 1000 }, ...balances(2, 2) },
  });
  const free = begun(state()).audit;
  expect([...free.play(asked), ...free.settle(asked)]).toEqual([]);
  const after = {
    ...buckets([address, "a", "2/1", 1000, 1], [address, "b", "2/1", 1000, 1]),
    ...{ seq: 11, ledger: { ...LEDGER, reserved: 1, committed: 1 } },
  };
  const freebies: LogState["freebies"] = [{ line: "freebies", service: "api", rows: [[address, 1]] }];
  expect(free.play(state({ ...after, freebies }))).toEqual([]);
  expect(free.play(state(after))).toMatchObject([{ field: "free_requests", clause: "G7", logged: null }]);
});

test("a burst that a dry run lowers cuts what was stated (G8)", () => {
  const decided: unknown[] = [];
  const audit = auditor(tools, {
    freebies: "memory",
    instead: config(1, ["a"]),
    decided: (_, { balances }) => decided.push(balances),
  });
  audit.play(state(buckets([clientOf(1), "a", "3/1", 1000, 1])));
  audit.play(decision(10, 1000, 1));
  expect(decided).toEqual([[["a", 0]]]);
});
