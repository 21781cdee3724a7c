import { describe, expect, test } from "vitest";
import { narrow, wide } from "./arithmetic.ts";
import { contractCases, type RoundInputs, scenario, scenarioNames } from "./case-files.ts";
import { columnsFromRows } from "./columns-from-rows.ts";
import { decideRound } from "./decide-round.ts";
import { exactNumbers } from "./number-kind.ts";
import { roundFigures } from "./round-figures.ts";
import { contractRules, type Rules } from "./rules.ts";
import { checksumOf } from "./write-report.ts";

/** Rounds with the checksum that the contract tells of them, if it tells one. */
const rounds: (RoundInputs & { expected?: { checksum?: unknown } })[] = [
  ...contractCases(),
  ...scenarioNames().map(scenario),
];
const checksum = ({ contract, policy, columns }: RoundInputs, rules: Rules) => {
  const outcome = decideRound(contract, policy, columns, rules);
  return checksumOf(outcome, roundFigures(outcome));
};
const isSeen = (rules: Rules) =>
  rounds.some(
    (round) => checksum(round, rules) !== (round.expected?.checksum ?? checksum(round, contractRules)),
  );

/** Each rule of §3 taken away or turned round, in every way that keeps the engine running. */
const BROKEN: { [rule in Exclude<keyof Rules, "claimOk">]: { [how: string]: Rules[rule] } } = {
  numbers: {
    "waits are rounded down": {
      ...exactNumbers,
      arithmetic: {
        ...narrow,
        wait_ms: (amount, rate) => (rate === 0 ? Number.NaN : Math.floor(amount / rate)),
      },
    },
    "nothing is widened": { ...exactNumbers, holds: () => true },
    "a balance must exceed what is required": {
      ...exactNumbers,
      arithmetic: { ...narrow, atLeast: (a, b) => a > b },
    },
  },
  bigints: {
    "waits are rounded down": {
      ...wide,
      wait_ms: (amount, rate) => (rate === 0n ? Number.NaN : Number(amount / rate)),
    },
  },
  unit: { "always requests": () => "request", "always epochs": () => "epoch" },
  isFirstDue: { "the first group is not refilled": () => false },
  isDueAgain: {
    "never refilled again": () => false,
    "refilled for every group": () => true,
    "a later group is not": (time_ms, refilled_ms) => time_ms < refilled_ms,
  },
  refill: {
    "nothing is earned": () => (lane, bucket) => lane.signed[bucket]!,
    "no cap": () => (lane, bucket, time_ms) =>
      lane.arithmetic.add(lane.snapshot[bucket]!, lane.arithmetic.earn(lane.rate[bucket]!, time_ms)),
    "always by adding": () => contractRules.refill("continuous"),
    "always from the snapshot": () => contractRules.refill("snapshot"),
  },
  balance: { "a debt is compared": (_arithmetic, signed) => signed },
  mayBorrow: { never: () => false, always: () => true },
  marksBreach: { never: () => false },
  expires: {
    never: () => false,
    always: () => true,
    "at the grace": (wait_ms, grace_ms) => !(wait_ms < grace_ms),
  },
  dispatchOrder: {
    "lines as they come": (served) => served,
    backwards: (served) => served.slice().reverse(),
  },
  deniedTenants: { nobody: () => new Set(), "the first is spared": (denylist) => new Set(denylist.slice(1)) },
};

describe("no rule can be taken away unseen: the cases and scenarios tell", () => {
  test("every rule is tried", () => {
    expect(Object.keys({ ...BROKEN, claimOk: {} }).sort()).toEqual(Object.keys(contractRules).sort());
  });
  const trials = Object.entries(BROKEN).flatMap(([rule, ways]) =>
    Object.entries(ways).map(([how, replacement]) => ({
      rule,
      how,
      rules: { ...contractRules, [rule]: replacement },
    })),
  );
  test("nothing is seen where no rule is broken", () => expect(isSeen(contractRules)).toBe(false));
  test.each(trials)("$rule: $how", ({ rules }) => expect(isSeen(rules)).toBe(true));
});

describe("each rule of the refill is asked for its own groups alone (§3.2, §6)", () => {
  /** Verdicts of two groups, at 0 and at 2000 ms, of a bucket that opens at 5 of 10 and earns 1 token a second. */
  const verdicts = (rules: Partial<Rules>, costs: [string, string]) => {
    const { contract } = scenario("2026-10-25-1000");
    const tenant = {
      ...{ tenant: "t", tier: contract.tiers.find(({ guaranteed }) => !guaranteed)!.name },
      ...{ capacity: "10", opening_tokens: "5", rate_per_sec: "1", ceiling_units: "1" },
    };
    const rows = costs.map((cost, at) => ({
      ...{ req_id: `r${at}`, tenant: "t", arrival_ms: 2000 * at, cost, mode: "soft" as const },
    }));
    const outcome = decideRound(
      { ...contract, group_by: "request", refill: "continuous", grace_ms: 60_000 },
      { tenants: [tenant], denylist: [] },
      columnsFromRows(rows),
      { ...contractRules, ...rules },
    );
    return [...outcome.decisions.step];
  };
  const [accepted, queued] = [1, 5];

  test("by the contract both find what there is", () => {
    expect(verdicts({}, ["5", "2"])).toEqual([accepted, accepted]);
    expect(verdicts({}, ["6", "8"])).toEqual([queued, queued]);
  });

  test("whether a first group is due is asked of the first group only", () => {
    expect(verdicts({ isFirstDue: () => false }, ["5", "2"])).toEqual([queued, accepted]);
  });

  test("whether a bucket is due again is not asked before its first refill", () => {
    const asked: number[] = [];
    const isDueAgain: Rules["isDueAgain"] = (_, refilled_ms) => asked.push(refilled_ms) < 0;
    expect(verdicts({ isDueAgain }, ["5", "2"])).toEqual([accepted, queued]);
    expect(asked).toEqual([0]);
  });
});
