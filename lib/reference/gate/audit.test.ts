import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import type {
  LogDecision,
  LogEnd,
  LogPublish,
  LogRefused,
  LogTally,
} from "../../../contract/decision-log.ts";
import { readGateConfig } from "../../../contract/gate-config.ts";
import type { AuditedStore } from "./audit/audited-store.ts";
import type { ExpectedDecision } from "./audit/expected-decision.ts";
import { type AuditorOptions, auditor } from "./audit.ts";

const tools = {
  accept(config: unknown) {
    const read = readGateConfig(config, { expression: () => null, network: () => null });
    return read.ok ? read.value : null;
  },
  matches: (expression: string, text: string) => RE2JS.compile(expression).test(text),
};

const rule = (id: string, burst: number) => ({ id, requests: 1, per: "1s", burst });
const service = (name: string, auth: unknown, rules: object[], price = 5) => ({
  ...{ name, path: `^/${name}`, auth, price, rules },
});
const normal = (...services: object[]) => tools.accept({ services, hold_ms: 1000 })!;
const OPEN = service("open", "off", [rule("r", 2)]);
const FREE = service("free", { freebie: 2 }, [rule("f", 3)]);
const BARE = service("bare", { freebie: 1 }, []);
const PAID = service("paid", "on", [rule("p", 2)]);
const CONFIG = normal(OPEN, FREE, BARE, PAID);

const [IP, OTHER, TOKEN] = [`ip:${"0".repeat(32)}`, `ip:${"1".repeat(32)}`, `token:${"2".repeat(32)}`];
const HOLD = "3".repeat(32);

const publish = (seq: number, fields: Partial<LogPublish> = {}): LogPublish => ({
  ...{ line: "publish", seq, at: 0, version: 1, config: CONFIG },
  ...fields,
});
const decision = (seq: number, fields: Partial<LogDecision> = {}): LogDecision => ({
  ...{ line: "decision", seq, at: 0, version: 1, service: "open", path: "/open", credential: "none" },
  ...{ client: IP, rules: ["r"], verdict: "allowed", reason: null, denied_by: [], retry_after_ms: null },
  ...{ balances: [["r", 1]], ended: "committed" },
  ...fields,
});
/** A request whose freebie was the first and was counted, as it is told. */
const freebie = (seq: number, fields: Partial<LogDecision> = {}): LogDecision =>
  decision(seq, {
    ...{ service: "free", path: "/free", rules: ["f"], balances: [["f", 2]] },
    ...{ freebie: "counted", freebies_used: 0, settled: { seq: seq + 1, at: 0 } },
    ...fields,
  });
const tally = (seq: number, at: number, fields: Partial<LogTally> = {}): LogTally => ({
  ...{ line: "tally", seq, at, ledger: { ...LEDGER }, evictions: { full: 0, lossy: 0 } },
  entries: [
    ["open", 0],
    ["free", 0],
    ["bare", 0],
    ["paid", 0],
  ],
  ...fields,
});
const LEDGER = { reserved: 0, committed: 0, cancelled: 0, expired: 0, outstanding: 0 };
const entriesOf = (open: number, free = 0): [string, number][] => [
  ["open", open],
  ["free", free],
  ["bare", 0],
  ["paid", 0],
];
const end = (seq: number, fields: Partial<LogEnd> = {}): LogEnd => ({
  ...{ line: "end", seq, at: 0, hold: HOLD, asked: "cancelled", ended: "cancelled", was: null },
  balances: [["r", 2]],
  ...fields,
});

function begun(options: Partial<AuditorOptions> = {}) {
  const audit = auditor(tools, { freebies: "memory", ...options });
  expect(audit.play(publish(1))).toEqual([]);
  return audit;
}
const settled = (audit: ReturnType<typeof begun>, one: LogDecision) => [
  ...audit.play(one),
  ...audit.settle(one),
];

test("nothing is decided before a snapshot is known", () => {
  const audit = auditor(tools, { freebies: "memory" });
  for (const event of [decision(1), end(1), tally(0, 0)])
    expect(() => audit.play(event)).toThrow("a log begins with a snapshot (G11)");
});

test("every field of a decision is compared, and every comparison counted", () => {
  const audit = begun();
  expect(audit.checks).toBe(2);
  expect(audit.play(decision(2))).toEqual([]);
  expect(audit.checks).toBe(14);
  expect(audit.play(end(3, { ended: "unknown", balances: [] }))).toEqual([]);
  expect(audit.checks).toBe(17);
  const told = audit.play(
    decision(4, {
      ...{ version: 2, service: "other", client: TOKEN, rules: [], verdict: "denied", reason: "rate" },
      ...{ denied_by: ["r"], retry_after_ms: 1, balances: [], ended: "none", freebie: "counted" },
      freebies_used: 1,
    }),
  );
  expect(told.map(({ field, clause }) => `${field} ${clause}`)).toEqual([
    ...["version G8", "service G1", "client G3", "rules G2", "verdict G4", "reason G4", "denied_by G4"],
    ...["retry_after_ms G4", "freebie G7", "freebies_used G7", "ended G4", "balances G4"],
  ]);
  expect(told[4]).toEqual({ seq: 4, clause: "G4", field: "verdict", logged: "denied", expected: "allowed" });
});

test("the first snapshot of a log is what it is, and each further one the next version (G8)", () => {
  const audit = auditor(tools, { freebies: "memory" });
  expect(audit.play(publish(1, { version: 7 }))).toEqual([]);
  expect(audit.play(publish(2, { version: 8 }))).toEqual([]);
  expect(audit.play(publish(3, { version: 8 }))).toEqual([
    { seq: 3, clause: "G8", field: "version", logged: 8, expected: 9 },
  ]);
});

test("a snapshot is told in normal form, and one that must be refused is a difference (G1, G8)", () => {
  const audit = begun();
  const short = { services: [OPEN] };
  expect(audit.play(publish(2, { version: 2, config: short }))).toEqual([
    { seq: 2, clause: "G8", field: "config", logged: short, expected: tools.accept(short) },
  ]);
  expect(audit.play(publish(3, { version: 3, config: { services: [] } }))).toEqual([
    { seq: 3, clause: "G1", field: "config", logged: "published", expected: "refused" },
  ]);
  expect(audit.play(decision(4, { version: 2 }))).toEqual([]);
});

test("a request is decided by the snapshot that was live when it came (G8)", () => {
  const audit = begun();
  const wider = normal(service("open", "off", [rule("r", 2), rule("s", 9)]));
  const other = normal(service("open", "off", [rule("t", 1), rule("s", 5)]));
  audit.play(publish(2, { version: 2, config: wider }));
  audit.play(publish(3, { version: 3, config: other }));
  // Its rule r is gone, and s lives on under the burst of now.
  const late = decision(4, { began: 2, version: 2, rules: ["r", "s"], balances: [["s", 4]] });
  expect(audit.play(late)).toEqual([]);
  expect(audit.play(decision(5, { began: 1, rules: ["r"], balances: [], ended: "none" }))).toEqual([]);
  const now = decision(6, {
    ...{ version: 3, rules: ["t", "s"] },
    balances: [
      ["t", 0],
      ["s", 3],
    ],
  });
  expect(audit.play(now)).toEqual([]);
});

test("a request that began earlier has no more room than there is now (G6, G8)", () => {
  const audit = begun();
  expect(audit.play(decision(2))).toEqual([]);
  const narrow = normal({ ...OPEN, max_entries: 1, on_pressure: "deny" });
  audit.play(publish(3, { version: 2, config: narrow }));
  const late = { began: 1, client: OTHER, verdict: "denied", reason: "capacity", ended: "none" } as const;
  expect(audit.play(decision(4, { ...late, balances: [] }))).toEqual([]);
});

test("what is due has expired before an update forgets what is above the bound (G4, G6, G8)", () => {
  const slow = service("open", "off", [{ ...rule("r", 2), per: "1h" }]);
  const audit = auditor(tools, { freebies: "memory" });
  audit.play(publish(1, { config: normal(slow) }));
  audit.play(decision(2, { hold: HOLD, ended: "held" }));
  audit.play(decision(3, { at: 10, client: OTHER }));
  audit.play(publish(4, { at: 2000, version: 2, config: normal({ ...slow, max_entries: 1 }) }));
  // The other client's bucket was used later, and is the one that is left.
  expect(
    audit.play(decision(5, { at: 2000, version: 2, client: OTHER, balances: [["r", 1990 / 3_600_000]] })),
  ).toEqual([]);
});

test("a request whose service is gone meanwhile takes nothing (G8)", () => {
  const audit = begun();
  audit.play(publish(2, { version: 2, config: normal(PAID) }));
  expect(audit.play(decision(3, { began: 1, balances: [], ended: "none" }))).toEqual([]);
});

test("a request from before the first known snapshot is decided by that one", () => {
  const audit = auditor(tools, { freebies: "memory" });
  audit.play(publish(5));
  expect(audit.play(decision(6, { began: 3 }))).toEqual([]);
});

test("under another configuration all is decided by that one, whatever went live (G8)", () => {
  const decided: (ExpectedDecision & { seq: number })[] = [];
  const audit = auditor(tools, {
    freebies: "memory",
    instead: normal(service("open", "off", [rule("r", 1)])),
    decided: ({ seq }, expected) => decided.push({ seq, ...expected }),
  });
  audit.play(publish(1));
  audit.play(decision(2));
  expect(audit.play(publish(3, { version: 2 }))).toEqual([]);
  audit.play(decision(4));
  expect(decided).toMatchObject([
    { seq: 2, verdict: "allowed", version: 1, balances: [["r", 0]] },
    { seq: 4, verdict: "denied", version: 1, denied_by: ["r"], retry_after_ms: 1000 },
  ]);
});

test("a service without authentication is limited by address, whatever its price and the credential (G7)", () => {
  const audit = begun();
  expect(audit.play(decision(2, { credential: "valid" }))).toEqual([]);
  const [wrong] = audit.play(decision(3, { client: TOKEN, balances: [["r", 1]] }));
  expect(wrong).toMatchObject({ clause: "G3", field: "client", logged: TOKEN, expected: "ip:…" });
});

test("a valid credential is limited by token, and a client of another kind is a difference (G3, G7)", () => {
  const audit = begun();
  const paid: Partial<LogDecision> = { service: "paid", path: "/paid", credential: "valid", rules: ["p"] };
  expect(audit.play(decision(2, { ...paid, client: TOKEN, balances: [["p", 1]] }))).toEqual([]);
  for (const client of [IP, null])
    expect(audit.play(decision(3, { ...paid, client }))[0]).toMatchObject({
      ...{ field: "client", logged: client, expected: "token:…" },
    });
});

test("an address that is none is denied (G3)", () => {
  const audit = begun();
  const none = decision(2, {
    client: null,
    verdict: "denied",
    reason: "client",
    balances: [],
    ended: "none",
  });
  expect(audit.play(none)).toEqual([]);
});

test("a counted freebie needs a moment at which it was counted, and is used up then (G7)", () => {
  const audit = begun();
  expect(settled(audit, freebie(2))).toEqual([]);
  const { settled: _, ...never } = freebie(4, { freebies_used: 1, balances: [["f", 1]] });
  expect(audit.play(never)).toEqual([
    { seq: 4, clause: "G7", field: "settled", logged: null, expected: "a moment" },
  ]);
  const ledger = { ...LEDGER, reserved: 2, committed: 2 };
  expect(audit.play(tally(4, 0, { ledger, entries: entriesOf(0, 1) }))).toEqual([]);
  const exhausted = decision(5, {
    ...{ service: "free", path: "/free", rules: ["f"], client: IP, balances: [], ended: "none" },
    ...{ verdict: "challenged", freebie: "exhausted", freebies_used: 2 },
  });
  expect(audit.play(exhausted)).toEqual([]);
  expect(audit.unproven_freebies).toBe(0);
});

test("a moment of settling where nothing was settled is a difference (G7)", () => {
  const audit = begun();
  const moment = { seq: 9, at: 0 };
  const told = { clause: "G7", field: "settled", logged: moment, expected: null };
  expect(audit.play(decision(2, { settled: moment }))).toEqual([{ seq: 2, ...told }]);
  const { settled: _, ...held } = freebie(3, { hold: HOLD, ended: "held" });
  expect(audit.play(held)).toEqual([]);
  const again = { ...held, seq: 4, settled: moment, freebies_used: 1, balances: [["f", 1]] } as LogDecision;
  expect(audit.play(again)).toEqual([{ seq: 4, ...told }]);
});

test("a freebie that could not be counted is cancelled when that was known, and is believed but counted (G7)", () => {
  const audit = begun();
  const one = { verdict: "error", freebie: "uncounted" } as const;
  const [first, second] = [
    freebie(2, { ...one, balances: [["f", 3]], ended: "cancelled", settled: { seq: 4, at: 500 } }),
    freebie(3, { client: OTHER, settled: { seq: 5, at: 500 } }),
  ];
  expect([...audit.play(first), ...audit.play(second)]).toEqual([]);
  expect([...audit.settle(first), ...audit.settle(second)]).toEqual([]);
  expect(audit.unproven_freebies).toBe(1);
  const ledger = { ...LEDGER, reserved: 2, committed: 1, cancelled: 1 };
  expect(audit.play(tally(5, 500, { ledger, entries: entriesOf(0, 2) }))).toEqual([]);
  // What was settled is over, and what is not known of was never begun.
  expect([...audit.settle(first), ...audit.settle(freebie(9))]).toEqual([]);
});

test("where no rule matches, a freebie that could not be counted had no admission (G4, G7)", () => {
  const audit = begun();
  const bare: Partial<LogDecision> = {
    ...{ service: "bare", path: "/bare", rules: [], balances: [], ended: "none" },
  };
  expect(settled(audit, freebie(2, { ...bare, verdict: "error", freebie: "uncounted" }))).toEqual([]);
  expect(settled(audit, freebie(4, bare))).toEqual([]);
});

test("a held admission whose freebie could not be counted has ended, and its end says so (G4, G7)", () => {
  const audit = begun();
  const one = freebie(2, { hold: HOLD, verdict: "error", freebie: "uncounted", ended: "cancelled" });
  expect(settled(audit, { ...one, balances: [["f", 3]] })).toEqual([]);
  expect(audit.play(end(4, { ended: "already", was: "cancelled", balances: [] }))).toEqual([]);
});

test("a freebie store that could not be read is an error that nothing proves (G7)", () => {
  const audit = begun();
  const { freebies_used: _, settled: __, ...unread } = freebie(2, { verdict: "error", freebie: "unread" });
  expect(audit.play({ ...unread, balances: [], ended: "none" })).toEqual([]);
  expect(audit.unproven_freebies).toBe(1);
});

test("freebies that are counted elsewhere are taken from the log, and each such decision is counted (G7)", () => {
  const audit = begun({ freebies: "elsewhere" });
  expect(settled(audit, freebie(2, { freebies_used: 1 }))).toEqual([]);
  expect(audit.unproven_freebies).toBe(1);
  const none: Partial<LogDecision> = { verdict: "challenged", balances: [], ended: "none" };
  const { settled: _, ...exhausted } = freebie(4, { ...none, freebie: "exhausted", freebies_used: 2 });
  expect(audit.play(exhausted)).toEqual([]);
  expect(audit.unproven_freebies).toBe(2);
  const taken = freebie(5, { freebie: "taken", ...none, ended: "cancelled", freebies_used: 1 });
  expect(settled(audit, taken)).toEqual([]);
  expect(audit.unproven_freebies).toBe(4);
  const { freebies_used: __, ...silent } = freebie(7, { balances: [["f", 1]] });
  expect(settled(audit, silent)).toMatchObject([{ field: "freebies_used", logged: null, expected: 0 }]);
});

test("a gate that counts freebies itself is not believed where it says otherwise (G7)", () => {
  const audit = begun();
  expect(settled(audit, freebie(2, { freebies_used: 1 }))).toMatchObject([
    { clause: "G7", field: "freebies_used", logged: 1, expected: 0 },
  ]);
  const taken = freebie(4, { freebies_used: 1, freebie: "taken", verdict: "challenged", balances: [] });
  expect(settled(audit, { ...taken, ended: "cancelled" }).map(({ field }) => field)).toEqual([
    ...["verdict", "freebie", "ended", "balances"],
  ]);
  expect(audit.unproven_freebies).toBe(0);
});

test("how a held admission ended is compared in every field (G4)", () => {
  const audit = begun();
  expect(audit.play(decision(2, { hold: HOLD, ended: "held" }))).toEqual([]);
  const lie = end(3, { ended: "committed", was: "expired", balances: [["r", 1]] });
  expect(audit.play(lie)).toEqual([
    { seq: 3, clause: "G4", field: "ended", logged: "committed", expected: "cancelled" },
    { seq: 3, clause: "G4", field: "was", logged: "expired", expected: null },
    { seq: 3, clause: "G4", field: "balances", logged: [["r", 1]], expected: [["r", 2]] },
  ]);
  expect(audit.play(end(4, { ended: "already", was: "cancelled", balances: [] }))).toEqual([]);
});

test("a tally is as of its own time, and each of its counts is compared (G4, G6)", () => {
  const audit = begun();
  audit.play(decision(2, { hold: HOLD, ended: "held" }));
  const outstanding = { ...LEDGER, reserved: 1, outstanding: 1 };
  expect(audit.play(tally(2, 999, { ledger: outstanding, entries: entriesOf(1) }))).toEqual([]);
  const disordered = tally(2, 999, { ledger: outstanding, entries: entriesOf(1).toReversed() });
  expect(audit.play(disordered).map(({ field }) => field)).toEqual(["entries"]);
  const before = audit.checks;
  const expired = { ...LEDGER, reserved: 1, expired: 1 };
  expect(audit.play(tally(2, 1000, { ledger: expired, entries: entriesOf(1) }))).toEqual([]);
  expect(audit.checks - before).toBe(9);
  const lie = tally(2, 1000, {
    ledger: { reserved: 9, committed: 1, cancelled: 2, expired: 3, outstanding: 4 },
    evictions: { full: 5, lossy: 6 },
  });
  const lies = audit.play(lie).map(({ field, logged, expected }) => [field, logged, expected]);
  expect(lies).toEqual([
    ["reserved", 9, 1],
    ["committed", 1, 0],
    ["cancelled", 2, 0],
    ["expired", 3, 1],
    ["outstanding", 4, 0],
    ["equation", 9, 10],
    ["full", 5, 0],
    ["lossy", 6, 0],
    ["entries", entriesOf(0), entriesOf(1)],
  ]);
});

test("a refused update leaves what was live, and must have been made from another version where it is outdated (G8)", () => {
  const refused = (fields: Partial<LogRefused>): LogRefused => ({
    ...{ line: "refused", seq: 1, at: 5, version: 1, why: "invalid", from: 1, sha256: null },
    ...{ problems: [], problems_count: 1 },
    ...fields,
  });
  const audit = begun();
  const checks = audit.checks;
  for (const fields of [{}, { why: "failed" }, { why: "outdated", from: 2 }, { from: null }] as const)
    expect(audit.play(refused(fields))).toEqual([]);
  expect(audit.checks).toBe(checks + 4);
  expect(audit.play(refused({ version: 2 }))).toMatchObject([
    { clause: "G8", field: "version", logged: 2, expected: 1 },
  ]);
  expect(audit.play(refused({ why: "outdated" }))).toEqual([
    { seq: 1, clause: "G8", field: "why", logged: "outdated", expected: "the live version" },
  ]);
  expect(audit.play(decision(2))).toEqual([]);
  const instead = begun({ instead: CONFIG });
  expect(instead.play(refused({ version: 2 }))).toEqual([]);
  // Another process may have published since, on a store that they share.
  const store: AuditedStore = { machine: null };
  const shared = auditor(tools, { freebies: "shared", storeOf: () => store });
  expect(shared.play(publish(1, { order: "01234567:1" }))).toEqual([]);
  expect(shared.play(refused({ why: "outdated" }))).toEqual([]);
});
