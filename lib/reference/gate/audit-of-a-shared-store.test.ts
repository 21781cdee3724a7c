import { RE2JS } from "re2js";
import { expect, test } from "vitest";
import type { LogDecision, LogEnd, LogPublish, LogTally } from "../../../contract/decision-log.ts";
import { readGateConfig } from "../../../contract/gate-config.ts";
import type { AuditedStore } from "./audit/audited-store.ts";
import { type AuditorOptions, auditor } from "./audit.ts";

const tools = {
  accept(config: unknown) {
    const read = readGateConfig(config, { expression: () => null, network: () => null });
    return read.ok ? read.value : null;
  },
  matches: (expression: string, text: string) => RE2JS.compile(expression).test(text),
};
const service = (name: string, fields: object = {}) => ({
  ...{
    name,
    path: `^/${name}`,
    auth: "off",
    price: 5,
    rules: [{ id: "r", requests: 1, per: "1s", burst: 2 }],
  },
  ...fields,
});
const normal = (...services: object[]) => tools.accept({ services, hold_ms: 1000 })!;
const CONFIG = normal(
  service("open"),
  service("kind", { on_unavailable: "allow" }),
  service("bare", { rules: [] }),
  service("paid", { auth: "on" }),
  service("free", { auth: { freebie: 1 } }),
  service("gift", { auth: { freebie: 1 }, on_unavailable: "allow" }),
);
const IP = `ip:${"0".repeat(32)}`;
const HOLD = "3".repeat(32);
const order = (number: number) => `0123abcd:${number}`;

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
const end = (seq: number, fields: Partial<LogEnd> = {}): LogEnd => ({
  ...{ line: "end", seq, at: 0, hold: HOLD, asked: "committed", ended: "committed", was: null },
  balances: [["r", 1]],
  ...fields,
});
const LEDGER = { reserved: 0, committed: 0, cancelled: 0, expired: 0, outstanding: 0 };
const NOTHING_HELD = CONFIG.services.map(({ name }): [string, number] => [name, 0]);
const tally = (fields: Partial<LogTally> = {}): LogTally => ({
  ...{
    line: "tally",
    seq: 1,
    at: 0,
    ledger: LEDGER,
    evictions: { full: 0, lossy: 0 },
    entries: NOTHING_HELD,
  },
  ...fields,
});
const misplaced = (seq: number, logged: string | null, expected: string | null) => ({
  ...{ seq, clause: "G12", field: "order", logged, expected },
});

/** One process that shares a store in which the snapshot was published. */
function sharing(options: Partial<AuditorOptions> = {}) {
  const store: AuditedStore = { machine: null };
  const storeOf = (place: string | null) => (place === null ? null : store);
  const audit = auditor(tools, { freebies: "elsewhere", storeOf, ...options });
  expect(audit.play(publish(1, { order: order(1) }))).toEqual([]);
  return { audit, store };
}
const settled = (audit: ReturnType<typeof auditor>, one: LogDecision) => [
  ...audit.play(one),
  ...audit.settle(one),
];

test("a decision that asked the shared store tells where, and one that did not does not (G12)", () => {
  const { audit } = sharing();
  expect(audit.play(decision(2, { order: order(2) }))).toEqual([]);
  expect(audit.play(decision(3))).toEqual([misplaced(3, null, "a place")]);
  const challenged = decision(4, { service: "paid", path: "/paid", client: IP, verdict: "challenged" });
  const nothing = { ...challenged, balances: [], ended: "none" } as LogDecision;
  expect(audit.play(nothing)).toEqual([]);
  expect(audit.play({ ...nothing, order: order(3) })).toEqual([misplaced(4, order(3), null)]);
});

test("where a gate has a store of its own, nothing has a place in another (G12)", () => {
  const audit = auditor(tools, { freebies: "memory" });
  audit.play(publish(1));
  expect(audit.play(decision(2))).toEqual([]);
  expect(audit.unreached).toBe(0);
});

test("where no rule matches the shared store is not asked (G4, G12)", () => {
  const { audit } = sharing();
  const bare = decision(2, { service: "bare", path: "/bare", rules: [], balances: [], ended: "none" });
  expect(audit.play(bare)).toEqual([]);
  expect(audit.play({ ...bare, seq: 3, order: order(2) })).toEqual([misplaced(3, order(2), null)]);
});

test("what goes live elsewhere is followed, and its number is told where it was published (G8, G12)", () => {
  const { audit, store } = sharing();
  const next = normal(service("open", { rules: [{ id: "r", requests: 1, per: "1s", burst: 9 }] }));
  expect(audit.play(publish(2, { version: 7, config: next }))).toEqual([]);
  expect(store.machine!.state().version).toBe(1);
  expect(audit.play(publish(3, { version: 7, config: { services: [] } }))).toMatchObject([{ clause: "G1" }]);
  const short = { services: [service("open")] };
  expect(audit.play(publish(4, { version: 7, config: short }))).toMatchObject([{ field: "config" }]);
  expect(audit.play(publish(5, { version: 2, config: next, order: order(2) }))).toEqual([]);
  expect(store.machine!.state().version).toBe(2);
});

test("a snapshot is learnt once, before what waits for its place is played", () => {
  const { audit } = sharing();
  const narrow = normal(service("open", { rules: [{ id: "r", requests: 1, per: "1s", burst: 1 }] }));
  const second = publish(2, { version: 2, config: narrow, order: order(3) });
  audit.learn(second);
  audit.learn({ ...second, version: 9 });
  // Its place is behind that of a decision which came later: the store's rules are those of before, the gate's are not.
  expect(audit.play(decision(3, { version: 2, order: order(2) }))).toEqual([]);
  expect(audit.play(second)).toEqual([]);
  expect(audit.play(decision(4, { version: 2, order: order(4), balances: [["r", 0]] }))).toEqual([]);
});

test("under another configuration nothing that goes live elsewhere is followed (G8, G12)", () => {
  const instead = normal(service("open", { rules: [{ id: "r", requests: 1, per: "1s", burst: 1 }] }));
  const store: AuditedStore = { machine: null };
  const storeOf = (place: string | null) => (place === null ? null : store);
  const audit = auditor(tools, { freebies: "elsewhere", storeOf, instead });
  audit.play(publish(1, { order: order(1) }));
  expect(audit.play(publish(2, { version: 2 }))).toEqual([]);
  expect(audit.play(decision(3, { order: order(2), balances: [["r", 0]] }))).toEqual([]);
});

test("what a gate founds on an empty store is not what it goes by (G12)", () => {
  const { audit, store } = sharing();
  const other = normal(service("open", { rules: [{ id: "other", requests: 1, per: "1s" }] }));
  store.machine = null;
  expect(audit.play(publish(2, { founded: true, version: 4, config: other, order: "ffffffff:1" }))).toEqual(
    [],
  );
  expect(audit.play(decision(3, { order: "ffffffff:2", balances: [], ended: "none" }))).toEqual([]);
});

test("a store that cannot be reached denies or allows as its service says, and only the gate knew (G12)", () => {
  const { audit } = sharing();
  const unreached = { unreached: true, balances: [], ended: "none" } as const;
  const denied = { ...unreached, balances: [], verdict: "denied", reason: "unavailable" } as const;
  expect(audit.play(decision(2, { ...denied, balances: [] }))).toEqual([]);
  expect(audit.unreached).toBe(1);
  const kind = { service: "kind", path: "/kind" };
  expect(audit.play(decision(3, { ...unreached, ...kind, balances: [] }))).toEqual([]);
  expect(audit.unreached).toBe(2);
  expect(audit.play(decision(4, { ...unreached, balances: [] })).map(({ field }) => field)).toEqual([
    "verdict",
    "reason",
  ]);
});

test("a free request whose store cannot be reached is spent only where it is allowed (G7, G12)", () => {
  const { audit } = sharing();
  const free = { service: "free", path: "/free", freebies_used: 0, unreached: true, ended: "none" } as const;
  const unspent = decision(2, {
    ...free,
    verdict: "denied",
    reason: "unavailable",
    freebie: "unspent",
    balances: [],
  });
  expect(audit.play(unspent)).toEqual([]);
  const gift = { ...free, service: "gift", path: "/gift", freebie: "counted" } as const;
  const counted = decision(3, { ...gift, balances: [], settled: { seq: 4, at: 0 } });
  expect(settled(audit, counted)).toEqual([]);
  // Each decision, and the settling that had no place.
  expect([audit.unreached, audit.unproven_freebies]).toEqual([3, 2]);
  const uncounted = { ...counted, seq: 5, settled: { seq: 6, at: 0 }, freebie: "uncounted" } as const;
  expect(settled(audit, { ...uncounted, verdict: "error" })).toEqual([]);
});

test("an admission is settled where its end stands in the store's order, or is not known to be (G7, G12)", () => {
  const { audit, store } = sharing();
  const free = { service: "free", path: "/free", freebies_used: 0, freebie: "counted" } as const;
  const one = decision(2, { ...free, order: order(2), settled: { seq: 3, at: 5, order: order(3) } });
  expect(settled(audit, one)).toEqual([]);
  expect(audit.unreached).toBe(0);
  expect(store.machine!.state().ledger).toMatchObject({ reserved: 1, committed: 1 });
  const lost = decision(4, {
    ...free,
    client: `ip:${"1".repeat(32)}`,
    order: order(4),
    settled: { seq: 5, at: 5 },
  });
  expect(settled(audit, lost)).toEqual([]);
  expect(audit.unreached).toBe(1);
  expect(store.machine!.state().ledger).toMatchObject({ reserved: 2, committed: 1, outstanding: 1 });
  const undone = { freebie: "uncounted", verdict: "error", client: `ip:${"2".repeat(32)}` } as const;
  const back = {
    ...undone,
    order: order(5),
    settled: { seq: 7, at: 5, order: order(6) },
    ended: "cancelled",
  } as const;
  expect(settled(audit, decision(6, { ...free, ...back, balances: [["r", 2]] }))).toEqual([]);
  const never = {
    ...undone,
    client: `ip:${"3".repeat(32)}`,
    order: order(7),
    settled: { seq: 9, at: 5 },
  } as const;
  expect(settled(audit, decision(8, { ...free, ...never, balances: [], ended: "none" }))).toEqual([]);
  expect(store.machine!.state().ledger).toMatchObject({ reserved: 4, cancelled: 1, outstanding: 2 });
});

test("an end that had no answer is told as such, and only the gate knew (G12)", () => {
  const { audit, store } = sharing();
  audit.play(decision(2, { order: order(2), hold: HOLD, ended: "held" }));
  expect(audit.play(end(3, { ended: "unreached", balances: [] }))).toEqual([]);
  expect(audit.unreached).toBe(1);
  expect(store.machine!.state().ledger.outstanding).toBe(1);
  const lie = audit.play(end(4, { was: "expired" }));
  expect(lie.map(({ field, expected }) => [field, expected])).toEqual([
    ["ended", "unreached"],
    ["was", null],
    ["balances", []],
  ]);
  expect(audit.play(end(5, { order: order(3) }))).toEqual([]);
  expect(store.machine!.state().ledger.outstanding).toBe(0);
});

test("a tally of a shared store has a place, at a call or after one, and counts services that are gone (G6, G12)", () => {
  const { audit } = sharing();
  audit.play(decision(2, { order: order(2) }));
  const ledger = { ...LEDGER, reserved: 1, committed: 1 };
  const entries = NOTHING_HELD.map(([name]): [string, number] => [name, name === "open" ? 1 : 0]);
  const good = { ledger, entries };
  expect(audit.play(tally({ ...good, order: order(3) }))).toEqual([]);
  expect(audit.play(tally({ ...good, after: order(3) }))).toEqual([]);
  expect(audit.play(tally(good))).toEqual([misplaced(1, null, "a place")]);
  const gone: [string, number] = ["gone", 0];
  expect(audit.play(tally({ ...good, after: order(3), entries: [gone, ...entries.toReversed()] }))).toEqual(
    [],
  );
  for (const wrong of [[gone], [["gone", 1] as [string, number], ...entries]])
    expect(audit.play(tally({ ...good, after: order(3), entries: wrong }))).toMatchObject([
      { field: "entries" },
    ]);
});

/** A free request whose look and count have their places in the store's order. */
const numbered = (seq: number, fields: Partial<LogDecision> = {}): LogDecision =>
  decision(seq, {
    ...{ service: "free", path: "/free", freebies_used: 0, freebie: "counted", order: order(10 * seq) },
    ...{ freebie_read: order(10 * seq - 1), freebie_counted: order(10 * seq + 1) },
    ...fields,
  });
const atOnce = (seq: number) => ({ settled: { seq: seq + 1, at: 0, order: order(10 * seq + 2) } });

test("free requests of a shared store are read and counted at places of their own (G7, G12)", () => {
  const { audit } = sharing({ freebies: "shared" });
  const one = numbered(2, atOnce(2));
  expect(
    [audit.readFreebie(one), audit.play(one), audit.countFreebie(one), audit.settle(one)].flat(),
  ).toEqual([]);
  const {
    freebie_counted: _,
    order: __,
    ...rest
  } = numbered(4, { verdict: "challenged", freebie: "exhausted" });
  const late: LogDecision = { ...rest, freebies_used: 1, balances: [], ended: "none" };
  expect([...audit.readFreebie(late), ...audit.play(late)]).toEqual([]);
  expect([audit.unproven_freebies, audit.unreached]).toEqual([0, 0]);
  expect(audit.play(numbered(6, { freebie_read: order(60) }))).toMatchObject([{ field: "freebie_read" }]);
});

test("of two that saw the last free request whoever counts first has it, and the other is challenged (G7, G12)", () => {
  const { audit } = sharing({ freebies: "shared" });
  const first = numbered(2, atOnce(2));
  const taken: Partial<LogDecision> = {
    freebie: "taken",
    verdict: "challenged",
    balances: [],
    ended: "cancelled",
  };
  const second = numbered(4, { ...taken, ...atOnce(4) });
  expect([first, second].flatMap((one) => audit.readFreebie(one))).toEqual([]);
  expect([first, second].flatMap((one) => audit.play(one))).toEqual([]);
  expect([first, second].flatMap((one) => audit.countFreebie(one))).toEqual([]);
  expect([first, second].flatMap((one) => audit.settle(one))).toEqual([]);
});

test("a count that has no place is a difference, and one that failed is a fact that only the gate knew (G7, G12)", () => {
  const { audit } = sharing({ freebies: "shared" });
  const { freebie_counted: _, ...uncounted } = numbered(2, atOnce(2));
  audit.readFreebie(uncounted);
  expect(audit.play(uncounted)).toMatchObject([{ field: "freebie_counted" }]);
  const failed: LogDecision = {
    ...uncounted,
    seq: 4,
    freebie: "uncounted",
    verdict: "error",
    ended: "cancelled",
  };
  audit.readFreebie(failed);
  const found = [...audit.play(failed), ...audit.settle({ ...failed, balances: [["r", 1]] })];
  expect(found.filter(({ field }) => field !== "balances")).toEqual([]);
  expect(audit.unproven_freebies).toBe(1);
});

test("a look or a count that nothing asked for stands nowhere (G7, G12)", () => {
  const { audit } = sharing({ freebies: "shared" });
  expect(audit.readFreebie(numbered(2, { path: "/nowhere" }))).toMatchObject([{ seq: 2, expected: null }]);
  expect(audit.readFreebie(numbered(3, { client: null }))).toMatchObject([{ seq: 3, expected: null }]);
  expect(audit.countFreebie(numbered(4))).toMatchObject([{ seq: 4, expected: null }]);
});

test("a held admission is over once its free request is counted, and gives it back where that is told (G4, G7, G12)", () => {
  const { audit } = sharing({ freebies: "shared" });
  const held = numbered(2, { hold: HOLD, ended: "held" });
  expect([...audit.readFreebie(held), ...audit.play(held), ...audit.countFreebie(held)]).toEqual([]);
  const cancel = end(3, {
    order: order(30),
    asked: "cancelled",
    ended: "cancelled",
    freebie_returned: order(31),
  });
  const back: LogEnd = { ...cancel, balances: [["r", 2]] };
  expect([...audit.play(back), ...audit.returnFreebie(back)]).toEqual([]);
  expect(audit.returnFreebie(back)).toEqual([
    { seq: 3, clause: "G7", field: "freebie_returned", logged: order(31), expected: null },
  ]);
  const again = numbered(4, { hold: HOLD.replaceAll("3", "4"), ended: "held" });
  expect([...audit.readFreebie(again), ...audit.play(again), ...audit.countFreebie(again)]).toEqual([]);
  const lost: LogEnd = { ...back, seq: 5, hold: HOLD.replaceAll("3", "4"), order: order(50) };
  const { freebie_returned: _, ...silent } = lost;
  expect(audit.unreached).toBe(0);
  expect(audit.play(silent)).toEqual([]);
  expect(audit.unreached).toBe(1);
});

test("a commit gives no free request back (G7)", () => {
  const { audit } = sharing({ freebies: "shared" });
  const held = numbered(2, { hold: HOLD, ended: "held" });
  expect([...audit.readFreebie(held), ...audit.play(held), ...audit.countFreebie(held)]).toEqual([]);
  const commit = end(3, { order: order(30) });
  expect(audit.play(commit)).toEqual([]);
  expect(audit.unreached).toBe(0);
  expect(audit.returnFreebie(commit)).toMatchObject([
    { field: "freebie_returned", logged: null, expected: null },
  ]);
});

test("a decision that is over without a moment of settling says no moment, and its store keeps the admission (G7, G12)", () => {
  const { audit, store } = sharing({ freebies: "shared" });
  const never = { seq: 2, clause: "G7", field: "settled", logged: null, expected: "a moment" };
  const counted = numbered(2);
  // Its count comes after: as far as its own line goes nothing was counted.
  expect(audit.readFreebie(counted)).toEqual([]);
  expect(audit.play(counted).map(({ field }) => field)).toEqual([
    ...["verdict", "freebie", "ended", "balances", "settled"],
  ]);
  expect(audit.countFreebie(counted)).toEqual([]);
  const { freebie_counted: _, ...uncounted } = numbered(4, {
    ...{ client: `ip:${"4".repeat(32)}`, hold: HOLD, verdict: "error", freebie: "uncounted", balances: [] },
    ended: "none",
  });
  expect(audit.readFreebie(uncounted)).toEqual([]);
  expect(audit.play(uncounted)).toEqual([{ ...never, seq: 4 }]);
  expect(store.machine!.state().ledger).toMatchObject({ reserved: 2, outstanding: 2 });
});

test("a held admission that says it counted the last free request, which another one had, is found out (G7, G12)", () => {
  const { audit, store } = sharing({ freebies: "shared" });
  const first = numbered(2, { hold: HOLD, ended: "held" });
  const second = numbered(4, { hold: HOLD.replaceAll("3", "4"), ended: "held", balances: [["r", 0]] });
  const both = [first, second];
  expect(both.flatMap((one) => [...audit.readFreebie(one), ...audit.play(one)])).toEqual([]);
  expect(audit.countFreebie(first)).toEqual([]);
  expect(audit.countFreebie(second).map(({ field, expected }) => [field, expected])).toEqual([
    ...[
      ["verdict", "challenged"],
      ["freebie", "taken"],
      ["ended", "cancelled"],
      ["balances", []],
    ],
    ["settled", "a moment"],
  ]);
  expect(store.machine!.state().ledger).toMatchObject({ outstanding: 2, cancelled: 0 });
});

test("what was counted is over where its end stands, and nowhere where that had no answer (G7, G12)", () => {
  const { audit, store } = sharing({ freebies: "shared" });
  const lost = numbered(2, { settled: { seq: 3, at: 0 } });
  expect(
    [audit.readFreebie(lost), audit.play(lost), audit.countFreebie(lost), audit.settle(lost)].flat(),
  ).toEqual([]);
  expect(audit.unreached).toBe(1);
  expect(store.machine!.state().ledger).toMatchObject({ committed: 0, outstanding: 1 });
});

test("a free request that another one had took nothing, and one that comes back can be had again (G7, G12)", () => {
  const { audit } = sharing({ freebies: "shared" });
  const first = numbered(2, { hold: HOLD, ended: "held" });
  const second = numbered(4, {
    ...{ freebie: "taken", verdict: "challenged", balances: [], ended: "cancelled" },
    ...atOnce(4),
  });
  expect([first, second].flatMap((one) => [...audit.readFreebie(one), ...audit.play(one)])).toEqual([]);
  expect([first, second].flatMap((one) => audit.countFreebie(one))).toEqual([]);
  expect(audit.settle(second)).toEqual([]);
  const back = end(6, {
    ...{ order: order(60), asked: "cancelled", ended: "cancelled", freebie_returned: order(61) },
    balances: [["r", 2]],
  });
  expect([...audit.play(back), ...audit.returnFreebie(back)]).toEqual([]);
  const third = numbered(7, atOnce(7));
  expect([audit.readFreebie(third), audit.play(third), audit.countFreebie(third)].flat()).toEqual([]);
  expect(audit.settle(third)).toEqual([]);
});

test("a cancel that had no free request to give back is told whole without a place for it (G7, G12)", () => {
  const { audit } = sharing({ freebies: "shared" });
  expect(audit.play(decision(2, { order: order(2), hold: HOLD, ended: "held" }))).toEqual([]);
  const cancel = { asked: "cancelled", ended: "cancelled", balances: [["r", 2]] } as const;
  expect(audit.play(end(3, { ...cancel, balances: [["r", 2]], order: order(3) }))).toEqual([]);
  expect(audit.unreached).toBe(0);
});

test("free requests that could not be read have no place, and only the gate knew (G7, G12)", () => {
  const { audit } = sharing({ freebies: "shared" });
  const free = { service: "free", path: "/free" };
  const unread = decision(2, { ...free, verdict: "error", freebie: "unread", balances: [], ended: "none" });
  expect(audit.play(unread)).toEqual([]);
  expect(audit.unproven_freebies).toBe(1);
  // Of one that was read it is not believed that it could not be.
  const read: LogDecision = { ...unread, seq: 4, order: order(40), freebie_read: order(39) };
  expect(audit.readFreebie(read)).toEqual([]);
  expect(audit.play(read)).toMatchObject([{ field: "freebie_counted" }]);
});

test("under another configuration free requests are counted anew, wherever the shared store counted them (G7, G8)", () => {
  const store: AuditedStore = { machine: null };
  const verdicts: string[] = [];
  const audit = auditor(tools, {
    ...{
      freebies: "shared",
      storeOf: () => store,
      instead: normal(service("free", { auth: { freebie: 2 } })),
    },
    decided: (_, { verdict, freebies_used }) => verdicts.push(`${verdict} after ${freebies_used}`),
  });
  audit.play(publish(1, { order: order(1) }));
  for (const seq of [2, 3, 4])
    audit.play(decision(seq, { service: "free", path: "/free", order: order(seq), verdict: "challenged" }));
  expect(verdicts).toEqual(["allowed after 0", "allowed after 1", "challenged after 2"]);
  expect(store.machine!.state().ledger).toMatchObject({ reserved: 2, committed: 2 });
});
