import { describe, expect, test } from "vitest";
import { type SignalFindings, signalBoard } from "./signal-board.ts";
import { statusOf, unjudged } from "./status.ts";

const well: SignalFindings = {
  report: true,
  exit: 0,
  health: { status: 0, checks: 1214, mismatches: 0, indeterminate: 0 },
  probe: { result: "ok", compared: 1_234_567, mismatches: 0 },
  acceptance: { passed: 29, failed: 0, unknown: 0 },
  true_mismatches: 0,
};
const claims = (found: SignalFindings) => signalBoard(found).signals.map(({ claim }) => claim);
const lying = (found: SignalFindings) =>
  signalBoard(found)
    .signals.filter(({ lies }) => lies)
    .map(({ name }) => name);

describe("five signals (§5.5)", () => {
  test("all well, and truly so", () => {
    const board = signalBoard(well);
    expect(board).toMatchObject({ true_mismatches: 0, false_green: false, disagree: false });
    expect(board.signals.map(({ name, claim, grounded }) => [name, claim, grounded])).toEqual(
      ["report", "exit", "health", "probe", "acceptance"].map((name) => [name, "well", true]),
    );
    expect(board.signals.map(({ evidence }) => evidence)).toEqual([
      "ok: true",
      "status 0",
      "1\u2009214 checks, 0 mismatches",
      "1\u2009234\u2009567 values compared, 0 mismatches",
      "29 of 29 criteria hold",
    ]);
  });

  test("what says well while there are mismatches lies: the false green", () => {
    const found: SignalFindings = {
      ...well,
      health: { status: 0, checks: 0, mismatches: 0, indeterminate: 0 },
      probe: { result: "bad", compared: 300, mismatches: 51 },
      acceptance: { passed: 20, failed: 9, unknown: 0 },
      true_mismatches: 51,
    };
    expect(lying(found)).toEqual(["report", "exit", "health"]);
    expect(signalBoard(found)).toMatchObject({ false_green: true, disagree: true, true_mismatches: 51 });
    expect(signalBoard(found).signals[2]).toMatchObject({
      claim: "well",
      grounded: false,
      evidence: "0 checks, 0 mismatches",
    });
  });

  test("all red is no false green, nor is a disagreement for another reason", () => {
    const red: SignalFindings = {
      report: false,
      exit: 2,
      health: { status: 2, checks: 9, mismatches: 1, indeterminate: 2 },
      probe: { result: "bad", compared: 9, mismatches: 1 },
      acceptance: { passed: 1, failed: 1, unknown: 1 },
      true_mismatches: 3,
    };
    expect(signalBoard(red)).toMatchObject({ false_green: false, disagree: false });
    expect(signalBoard(red).signals[2]?.evidence).toBe("9 checks, 1 mismatch, 2 indeterminate");
    const health = { status: 2, checks: 9, mismatches: 0, indeterminate: 0, skipped: 1 };
    const skipped = signalBoard({ ...well, exit: 2, health });
    expect(skipped).toMatchObject({ false_green: false, disagree: true });
    // What is not well without a difference says why.
    expect(skipped.signals[2]?.evidence).toBe("9 checks, 0 mismatches, 1 line left out");
  });

  test("a signal that was not found is unknown, never well", () => {
    const none: SignalFindings = {
      report: null,
      exit: null,
      health: null,
      probe: null,
      acceptance: null,
      true_mismatches: null,
    };
    expect(claims(none)).toEqual(Array(5).fill("unknown"));
    expect(signalBoard(none).signals.every(({ grounded }) => !grounded)).toBe(true);
    expect(claims({ ...well, probe: { result: "unjudged", compared: 0, mismatches: 0 } })[3]).toBe("unknown");
    expect(signalBoard({ ...well, probe: null }).disagree).toBe(true);
  });

  test("criteria that were not judged, or were none, are not well", () => {
    const acceptance = (passed: number, failed: number, unknown: number) =>
      claims({ ...well, acceptance: { passed, failed, unknown } })[4];
    expect([acceptance(5, 0, 1), acceptance(0, 0, 0), acceptance(5, 1, 1), acceptance(5, 0, 0)]).toEqual([
      "unknown",
      "unknown",
      "unwell",
      "well",
    ]);
  });

  test("nobody is called a liar where the truth was not found", () => {
    expect(signalBoard({ ...well, true_mismatches: null })).toMatchObject({ false_green: false });
  });
});

describe("status (§5.4)", () => {
  test.each([
    [{ checks: 1, mismatches: 0, indeterminate: 0, skipped: 0 }, 0],
    [{ checks: 1, mismatches: 1, indeterminate: 0, skipped: 0 }, 2],
    [{ checks: 1, mismatches: 0, indeterminate: 1, skipped: 0 }, 2],
    [{ checks: 1, mismatches: 0, indeterminate: 0, skipped: 1 }, 2],
    [{ checks: 0, mismatches: 0, indeterminate: 0, skipped: 0 }, 3],
    [{ checks: 0, mismatches: 0, indeterminate: 0, skipped: 1 }, 3],
  ] as const)("%j is %i", (found, status) => {
    expect(statusOf(found)).toBe(status);
  });

  test("what could not be judged is degraded, with its reason", () => {
    expect(unjudged(3, "no contract")).toMatchObject({
      degraded: true,
      status: 3,
      checks: 0,
      unavailable: "no contract",
    });
  });
});
