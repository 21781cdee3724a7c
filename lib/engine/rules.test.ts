import { describe, expect, test } from "vitest";
import { narrow, wide } from "./arithmetic.ts";
import { contractCases, type RoundInputs, scenario, scenarioNames } from "./case-files.ts";
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
