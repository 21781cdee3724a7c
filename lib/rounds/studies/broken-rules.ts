import { type Arithmetic, narrow, wide } from "../../engine/arithmetic.ts";
import type { Lane } from "../../engine/bucket-columns.ts";
import { sortByArrival } from "../../engine/dispatch-order.ts";
import { exactNumbers, type NumberKind } from "../../engine/number-kind.ts";
import { contractRules, type Rules, refillContinuously, refillFromSnapshot } from "../../engine/rules.ts";

/** Ways of breaking something, by what each does wrong. */
type Ways<T> = Record<string, T>;

/** What only faults ask of an arithmetic: no rule of the contract uses it. */
type Asked = Exclude<keyof Arithmetic<number>, "fraction">;

/** An arithmetic broken in one function at a time. The type demands that each is broken in some way. */
function brokenArithmetic<T extends number | bigint>(exact: Arithmetic<T>, one: T): Ways<Arithmetic<T>> {
  const ways: { [part in Asked]: Ways<Arithmetic<T>[part]> } = {
    zero: { "zero is one": one },
    amount: { "amounts forget the unit": (micro) => exact.amount(micro, one) },
    add: {
      "a sum keeps its first part": (a) => a,
      "a sum is one too small": (a, b) => less(exact.add(a, b)),
    },
    subtract: {
      "a debit takes nothing": (a) => a,
      "a debit is forgiven beyond 0": (a, b) => (a > b ? exact.subtract(a, b) : exact.zero),
    },
    min: { "capacity does not cut": (_capacity, earned) => earned, "the larger is taken": exact.max },
    max: { "the smaller is taken": exact.min, "debt is compared": (_zero, signed) => signed },
    atLeast: {
      "enough is not enough": (a, b) => a > b,
      "always enough": () => true,
      "never enough": () => false,
    },
    earn: {
      "nothing is earned": () => exact.zero,
      "a millisecond too many is earned": (rate, elapsed_ms) => exact.earn(rate, elapsed_ms + 1),
    },
    wait_ms: {
      "waits are cut down": (amount, rate) => {
        const wait_ms = exact.wait_ms(amount, rate);
        return exact.earn(rate, wait_ms || 0) > amount ? wait_ms - 1 : wait_ms;
      },
      "a whole wait is rounded up": (amount, rate) => {
        const wait_ms = exact.wait_ms(amount, rate);
        return exact.earn(rate, wait_ms || 0) === amount ? wait_ms + 1 : wait_ms;
      },
      "a wait without value is 0": (amount, rate) => exact.wait_ms(amount, rate) || 0,
    },
    tokens: { "tokens are printed in units": (amount) => Number(amount) },
  };
  const less = (amount: T) => exact.subtract(amount, one);
  return Object.fromEntries(
    Object.entries(ways).flatMap(([part, broken]) =>
      Object.entries(broken as Ways<unknown>).map(([what, way]) => [what, { ...exact, [part]: way }]),
    ),
  );
}

/** Every arithmetic in turn, in the place of the exact one. */
const mapWays = <A, B>(ways: Ways<A>, place: (way: A) => B): Ways<B> =>
  Object.fromEntries(Object.entries(ways).map(([what, way]) => [what, place(way)]));

const brokenNumbers: Ways<NumberKind> = {
  ...mapWays(brokenArithmetic(narrow, 1), (arithmetic) => ({ ...exactNumbers, arithmetic })),
  "no bucket is widened": { ...exactNumbers, holds: () => true },
  "units are forgotten": { ...exactNumbers, unit: () => 1 },
  "a rate is rounded to whole millionths": { ...exactNumbers, unit: () => 1, rate: (p, q) => Number(p / q) },
  "amounts are rounded to whole tokens": {
    ...exactNumbers,
    convert: (micro, unit) => Math.round(Number(micro) / 1e6) * 1e6 * unit,
  },
};

/** A lane whose capacity cuts nothing. */
const boundless = <T extends number | bigint>(lane: Lane<T>): Lane<T> => ({
  ...lane,
  arithmetic: { ...lane.arithmetic, min: (_capacity, filled) => filled },
});

/**
 * Every rule of the engine with ways of breaking it. The type demands an entry for each: a rule that is added without
 * one does not compile. For tests only.
 */
export const BROKEN_RULES: { readonly [rule in keyof Rules]: Ways<Rules[rule]> } = {
  numbers: brokenNumbers,
  bigints: {
    ...brokenArithmetic(wide, 1n),
    "a wait beyond 2^53 − 1 is told": {
      ...wide,
      wait_ms: (amount, rate) => (rate === 0n ? Number.NaN : Number((amount + rate - 1n) / rate)),
    },
    "tokens are divided as doubles": { ...wide, tokens: (amount, q) => Number(amount) / Number(q) / 1e6 },
  },
  unit: {
    "every request alone": () => "request",
    "every epoch as one": () => "epoch",
  },
  isFirstDue: {
    "the first group is never refilled": () => false,
    "0 stands for never": (time_ms) => time_ms > 0,
  },
  isDueAgain: {
    "refilled for every group": () => true,
    "never refilled again": () => false,
  },
  refill: {
    "always continuous": () => refillContinuously,
    "always from the snapshot": () => refillFromSnapshot,
    "no refill": () => (lane, bucket) => lane.signed[bucket]!,
    "not cut at capacity": (kind) => (lane, bucket, time_ms, refilled_ms) =>
      contractRules.refill(kind)(boundless(lane), bucket, time_ms, refilled_ms),
    "continuous counts from the start every time": (kind) => (lane, bucket, time_ms) =>
      contractRules.refill(kind)(lane, bucket, time_ms, 0),
  },
  balance: {
    "the signed balance": (_arithmetic, signed) => signed,
    "nothing at all": (arithmetic) => arithmetic.zero,
  },
  mayBorrow: {
    never: () => false,
    always: () => true,
    "only above the reserve": (lane, bucket, balance) => balance > lane.reserve[bucket]!,
    "while above 0": (_lane, _bucket, balance) => balance > 0,
    "by the capacity": (lane, bucket, balance) => lane.arithmetic.atLeast(balance, lane.capacity[bucket]!),
  },
  marksBreach: { "never marks": () => false },
  expires: {
    never: () => false,
    always: () => true,
    "at grace already": (wait_ms, grace_ms) => !(wait_ms < grace_ms),
    "not without a wait": (wait_ms, grace_ms) => wait_ms > grace_ms,
  },
  dispatchOrder: {
    "as in the file": (served) => served,
    "without ranks": sortByArrival,
    "last first": (served, columns, buckets) =>
      contractRules.dispatchOrder(served, columns, buckets).slice().reverse(),
    "ids by UTF-16 units": (served, columns, buckets) => {
      const rank = (request: number) => buckets.rank[buckets.ofTenant[columns.tenant[request]!]!]!;
      const { arrivalMs, reqId } = columns;
      return served
        .slice()
        .sort(
          (a, b) =>
            rank(a) - rank(b) || arrivalMs[a]! - arrivalMs[b]! || (reqId.at(a) < reqId.at(b) ? -1 : 1),
        );
    },
  },
  deniedTenants: {
    nobody: () => new Set(),
    "the first alone": (denylist) => new Set(denylist.slice(0, 1)),
    "all but the first": (denylist) => new Set(denylist.slice(1)),
  },
  claimOk: { "never ok": () => false },
};
