import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { held } from "../../contract/report.ts";
import { rowOfColumns } from "../../contract/row-of-columns.ts";
import { scenario } from "./case-files.ts";
import { columnsFromRows, type RequestRow } from "./columns-from-rows.ts";
import { decideRound, keptOutcome, letGoGroups, type RoundOutcome, tracedAgain } from "./decide-round.ts";
import { groupRows } from "./group-rows.ts";
import { exactNumbers } from "./number-kind.ts";
import { type RandomRound, rounds } from "./round-arbitrary.ts";
import { roundFigures } from "./round-figures.ts";
import { contractRules, type Rules } from "./rules.ts";
import { checksumOf, okClaim } from "./write-report.ts";

const RUNS = { numRuns: 1500 };
const decide = ({ contract, policy, rows }: RandomRound, rules: Rules = contractRules, traced = false) =>
  decideRound(contract, policy, columnsFromRows(rows), rules, traced);

/** Every bucket in big integers, whatever its bound. */
const allWide: Rules = { ...contractRules, numbers: { ...exactNumbers, holds: () => false } };

test("numbers and big integers decide alike, to the last digit and the last step (§2)", () => {
  let narrowSeen = 0;
  let wideSeen = 0;
  fc.assert(
    fc.property(rounds, (round) => {
      const honest = decide(round, contractRules, true);
      const wide = decide(round, allWide, true);
      for (const flag of honest.buckets.isWide) flag === 1 ? wideSeen++ : narrowSeen++;
      expect(held(roundFigures(honest))).toEqual(held(roundFigures(wide)));
      expect([...groupRows(honest)]).toEqual([...groupRows(wide)]);
    }),
    RUNS,
  );
  // The rounds tried must hold both kinds, or the comparison says nothing.
  expect(narrowSeen).toBeGreaterThan(100);
  expect(wideSeen).toBeGreaterThan(100);
});

test("the order of lines changes nothing that the checksum covers", () => {
  const shuffled = rounds.chain((round) =>
    fc
      .shuffledSubarray(round.rows, { minLength: round.rows.length })
      .map((rows): [RandomRound, RequestRow[]] => [round, rows]),
  );
  fc.assert(
    fc.property(shuffled, ([round, rows]) => {
      const one = decide(round);
      const other = decide({ ...round, rows });
      expect(checksumOf(other, roundFigures(other))).toBe(checksumOf(one, roundFigures(one)));
    }),
    RUNS,
  );
});

test("an honest round claims ok, and its claim holds (§4)", () => {
  fc.assert(
    fc.property(rounds, (round) => {
      const outcome = decide(round);
      const figures = roundFigures(outcome);
      expect(contractRules.claimOk(okClaim(outcome, figures))).toBe(true);
      expect(JSON.stringify(figures)).not.toMatch(/[:[]-/);
    }),
    RUNS,
  );
});

test("a trace changes no decision", () => {
  fc.assert(
    fc.property(rounds, (round) => {
      expect(held(roundFigures(decide(round, contractRules, true)))).toEqual(
        held(roundFigures(decide(round))),
      );
    }),
    { numRuns: 300 },
  );
});

describe("a round decided a second time", () => {
  test("has the arithmetic that it would have had the first time, and the same decisions", () => {
    fc.assert(
      fc.property(rounds, (round) => {
        const once = decide(round);
        const again = tracedAgain(round.contract, round.policy, once);
        expect([...groupRows(again)]).toEqual([...groupRows(decide(round, contractRules, true))]);
        expect({ ...again, decisions: { ...again.decisions, trace: null } }).toEqual(once);
        // Also where nothing is left of its groups but whose is which.
        const kept = letGoGroups(decide(round));
        expect([...groupRows(tracedAgain(round.contract, round.policy, kept))]).toEqual([
          ...groupRows(again),
        ]);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["first", "step"],
    ["last", "step"],
    ["last", "breached"],
    ["last", "wait_ms"],
  ] as const)("that comes out otherwise is refused: the %s group's %s", (which, column) => {
    const { contract, policy, columns } = scenario("2026-10-25-1000");
    const outcome = decideRound(contract, policy, columns);
    const group = which === "first" ? 0 : outcome.groups.count - 1;
    outcome.decisions[column][group]! += 1;
    expect(() => tracedAgain(contract, policy, outcome)).toThrow(
      `group ${group} was decided otherwise a second time`,
    );
  });
});

test("a round whose groups are let go gives their memory back, and is the same round", () => {
  const { contract, policy, columns } = scenario("2026-10-25-1000");
  const outcome = decideRound(contract, policy, columns);
  const { bucket, time_ms, requiredNumber, soft, members } = outcome.groups;
  const { groups, ...rest } = keptOutcome(outcome);
  const kept = letGoGroups(outcome);
  expect([bucket, time_ms, requiredNumber, soft, members].map(({ length }) => length)).toEqual(
    Array(5).fill(0),
  );
  expect(kept).toEqual({ ...rest, groups });
  expect(Object.keys(kept.groups)).toEqual(["count", "ofDispatched"]);
});

test.each([
  ["another group", (outcome: RoundOutcome) => (outcome.groups.ofDispatched[3]! ^= 1)],
  ["a group more", (outcome: RoundOutcome) => (outcome.groups.count += 1)],
])("groups that are formed otherwise a second time are refused: %s", (_, change) => {
  const { contract, policy, columns } = scenario("2026-10-25-1000");
  const outcome = decideRound(contract, policy, columns);
  change(outcome);
  expect(() => tracedAgain(contract, policy, outcome)).toThrow("groups were formed otherwise a second time");
});

describe("group rows", () => {
  test("are found by the place of each of their requests", () => {
    const { contract, policy, columns } = scenario("2026-10-25-1000");
    const outcome = decideRound(contract, policy, columns, contractRules, true);
    const groups = groupRows(outcome);
    outcome.order.forEach((request, place) => {
      expect(groups.ofPlace(place)!.req_ids).toContain(columns.reqId.at(request));
      expect(groups.ofPlace(place)).toEqual(groups.at(outcome.groups.ofDispatched[place]!));
    });
    expect([groups.ofPlace(-1), groups.ofPlace(outcome.order.length)]).toEqual([undefined, undefined]);
  });

  test("tell the arithmetic of the scenario", () => {
    const { contract, policy, columns } = scenario("2026-10-25-1000");
    const groups = groupRows(decideRound(contract, policy, columns, contractRules, true));
    const rows = [...groups];
    expect(rows.map((_, index) => rowOfColumns(groups.columns(), index))).toEqual(rows);
    const waiting = rows.find(({ req_ids }) => req_ids.includes("req-0013"));
    expect(waiting).toMatchObject({
      tenant: "t-alpha",
      tier: "pledged",
      time_ms: 3000,
      signed_balance: 3.8,
      signed_after: 3.8,
      required: 6,
      wait_ms: 550,
      step: 5,
      verdict: "queued",
      reason: null,
      req_ids: ["req-0013"],
    });
    expect(rows.map(({ position }) => position)).toEqual(rows.map((_, index) => index));
    const dispatched = rows.reduce((count, { req_ids }) => count + req_ids.length, 0);
    expect(dispatched).toBe(columns.count - 1);
  });

  test("tell what is left of a balance, also where it was borrowed from (§3.1)", () => {
    const { contract, policy, columns } = scenario("2026-10-25-1000");
    const rows = [...groupRows(decideRound(contract, policy, columns, contractRules, true))];
    const steps = new Set(rows.map(({ step }) => step));
    expect([1, 2, 5].every((step) => steps.has(step))).toBe(true);
    for (const { step, signed_balance, signed_after, required } of rows)
      expect(signed_after).toBeCloseTo(step <= 2 ? signed_balance - required : signed_balance, 9);
  });

  test("take no room for big integers where no bucket is wide", () => {
    const { contract, policy, columns } = scenario("2026-10-25-1000");
    const { buckets, groups, decisions } = decideRound(contract, policy, columns, contractRules, true);
    expect([buckets.bigints, groups.requiredBigint, decisions.trace!.signedBigint]).toEqual([null, [], []]);
  });

  test("need a trace", () => {
    const { contract, policy, columns } = scenario("2026-10-25-1000");
    expect(() => [...groupRows(decideRound(contract, policy, columns))]).toThrow("without a trace");
  });
});
