import { describe, expect, test } from "vitest";
import { binaryNoise, mayBeWaitNoise, type NoiseFacts, type WaitFacts } from "./binary-noise.ts";
import type { Place } from "./check.ts";

const wait: WaitFacts = { required: 6, signed_balance: 3.8, rate_per_sec: 4, scale: 32, operations: 10 };
const factsOf = (changed: Partial<WaitFacts> = {}): NoiseFacts => ({
  totals: { scale: 100, operations: 30 },
  tenant: (name) => (name === "t" ? { scale: 16, operations: 10 } : null),
  wait: (id) => (id === "r" ? { ...wait, ...changed } : null),
});
const place = (check: string, subject: string, reported: unknown, expected: unknown): Place => ({
  check,
  clause: "§2",
  section: "decisions",
  subject,
  path: "p",
  result: "mismatch",
  reported,
  expected,
});

describe("a wait", () => {
  test("of 551 for 550 is what binary64 makes of (6 − 3.8) / 4 (§2)", () => {
    expect(binaryNoise(place("decisions.wait_ms", "r", 551, 550), factsOf())).toBe(
      "In binary64 (6 − 3.7999999999999994) / 4 × 1000 is 550.0000000000001, rounded up 551; exactly, with a balance of 3.8, it is 550.",
    );
  });

  test("that no rounding explains is an error: 552, 549, 0, a fraction", () => {
    for (const reported of [552, 549, 0, 550.5, 1e300, -550])
      expect(binaryNoise(place("decisions.wait_ms", "r", reported, 550), factsOf())).toBeNull();
  });

  test("one too high is an error where the exact wait is nowhere near a whole number", () => {
    // 2.201 / 4 s is 550.25 ms: rounded up 551, and never 552.
    const facts = factsOf({ required: 6.001 });
    expect(binaryNoise(place("decisions.wait_ms", "r", 552, 551), facts)).toBeNull();
    expect(binaryNoise(place("decisions.wait_ms", "r", 550, 551), facts)).toBeNull();
  });

  test("is explained by what its balance has gathered, also where its own formula is exact", () => {
    // (6 − 4) / 4 s is 500 ms in binary64 too; a balance of 3.9999999999999996 makes it 501.
    const found = binaryNoise(place("decisions.wait_ms", "r", 501, 500), factsOf({ signed_balance: 4 }));
    expect(found).toContain("rounded up 501; exactly, with a balance of 4, it is 500");
  });

  test.each([
    [
      { required: 8, signed_balance: 4.1, rate_per_sec: 3 },
      1301,
      1300,
      "(8 − 4.1) × 1000 / 3 is 1300.0000000000002",
    ],
    [
      { required: 2, signed_balance: 0.2, rate_per_sec: 9 },
      201,
      200,
      "(2 − 0.2) / (9 / 1000) is 200.00000000000003",
    ],
    [
      { required: 1001, signed_balance: 1000, scale: 2048 },
      251,
      250,
      "(1001 − 999.9999999999999) / 4 × 1000 is 250.0000000000",
    ],
    [
      { required: 2.2, signed_balance: 0 },
      551,
      550,
      "(2.2 − -4.440892098500626e-16) / 4 × 1000 is 550.0000000000001",
    ],
    // The exact balance is a little less than the double nearest to it, and its wait a little more than 100 ms.
    [
      { required: 1, signed_balance: 0.7, rate_per_sec: 3 },
      100,
      101,
      "(1 − 0.7000000000000001) / 3 × 1000 is 99.9999",
    ],
  ])(
    "is explained by each order of the operations, at any size of the balance: %j, %i for %i",
    (facts, ...rest) => {
      const [reported, expected, text] = rest;
      const found = binaryNoise(place("decisions.wait_ms", "r", reported, expected), factsOf(facts));
      expect(found).toContain(`In binary64 ${text}`);
      expect(found).toContain(`, rounded up ${reported}; exactly`);
    },
  );

  test("is explained by a balance no further off than it can have strayed, or by the wait itself", () => {
    const found = (facts: Partial<WaitFacts>) =>
      binaryNoise(place("decisions.wait_ms", "r", 551, 550), factsOf(facts));
    expect(found({ operations: 2, scale: 1 })).toContain("In binary64 (6 − 3.7999999999999994)");
    expect(found({ operations: 1, scale: 1.5 })).toBe(
      "The wait before rounding up is 550 ms, so near a whole number that the roundings of binary64 (at most 8.326672684688674e-14 ms) explain 551.",
    );
  });

  test("is explained by the sixty-fourth neighbour of its balance too, the last one that is looked at", () => {
    const unit = 2 ** -52;
    // 2 − balance is a whole number of units below 1; it passes 1, and 1000 ms, that many units below the balance.
    const explained = (below: number) =>
      binaryNoise(
        place("decisions.wait_ms", "r", 1001, 1000),
        factsOf({
          ...{ required: 2, signed_balance: 1 + (below - 1) * unit, rate_per_sec: 1 },
          ...{ scale: 2, operations: 100 },
        }),
      );
    expect(explained(64)).toContain("In binary64 (2 − 0.9999999999999998) / 1 × 1000 is 1000.0000000000002");
    expect(explained(65)).toContain("so near a whole number that the roundings of binary64");
  });

  test("is explained by the wait itself where no neighbour of the balance makes it, however many there are", () => {
    const facts = factsOf({ required: 1 + 2 ** -20, signed_balance: 2 ** -20 });
    expect(binaryNoise(place("decisions.wait_ms", "r", 251, 250), facts)).toContain(
      "before rounding up is 250 ms",
    );
  });

  test("a little further from a whole number than binary64 strays is an error", () => {
    const facts = factsOf({ required: 6 - 4e-13 });
    expect(binaryNoise(place("decisions.wait_ms", "r", 551, 550), facts)).toBeNull();
  });

  test("is not explained where binary64 strays by half a millisecond", () => {
    const facts = factsOf({
      required: 2,
      signed_balance: 1,
      rate_per_sec: 1000,
      operations: 1,
      scale: 2 ** 51,
    });
    expect(binaryNoise(place("decisions.wait_ms", "r", 2, 1), facts)).toBeNull();
  });

  test("is not explained where no wait was expected", () => {
    expect(binaryNoise(place("decisions.wait_ms", "r", 550, null), factsOf())).toBeNull();
  });

  test("is worth a look where both sides have one, and one was expected", () => {
    const wait_ms = place("decisions.wait_ms", "r", 551, 550);
    expect(mayBeWaitNoise(wait_ms)).toBe(true);
    expect(mayBeWaitNoise({ ...wait_ms, expected: 1 })).toBe(true);
    for (const other of [
      { check: "decisions.verdict" },
      { result: "match" as const },
      { reported: "551" },
      { expected: "550" },
      { expected: null },
      { expected: 0 },
    ])
      expect([other, mayBeWaitNoise({ ...wait_ms, ...other })]).toEqual([other, false]);
  });

  test("is not explained where binary64 strays so far that it would explain anything", () => {
    const facts = factsOf({ signed_balance: 4, scale: 1e15, operations: 1e6 });
    expect(binaryNoise(place("decisions.wait_ms", "r", 501, 500), facts)).toBeNull();
  });

  test("of a request whose group is not known, or without a rate, is not explained", () => {
    expect(binaryNoise(place("decisions.wait_ms", "other", 551, 550), factsOf())).toBeNull();
    expect(binaryNoise(place("decisions.wait_ms", "r", 551, 550), factsOf({ rate_per_sec: 0 }))).toBeNull();
  });
});

describe("an amount", () => {
  test("a few units in the last place off is noise, also about zero", () => {
    for (const [reported, expected] of [
      [3.7999999999999994, 3.8],
      [38.00000000000001, 38],
      [4.440892098500626e-16, 0],
    ])
      expect(binaryNoise(place("per_tenant.closing_tokens", "t", reported, expected), factsOf())).toContain(
        "off",
      );
    expect(binaryNoise(place("totals.used", "", 36.99999999999999, 37), factsOf())).toContain("off");
  });

  test.each([
    ...["capacity", "opening_tokens", "closing_tokens", "reserve_tokens", "used"].map(
      (name) => `per_tenant.${name}`,
    ),
    ...["capacity", "used", "over_capacity"].map((name) => `totals.${name}`),
  ])("may be any amount of §4: %s", (check) => {
    expect(binaryNoise(place(check, "t", 3.7999999999999994, 3.8), factsOf())).toContain("off");
  });

  test("as far off as its roundings allow is noise", () => {
    const facts = { ...factsOf(), totals: { scale: 1, operations: 2 } };
    expect(binaryNoise(place("totals.used", "", 1 + 2 ** -51, 1), facts)).toContain(
      "It is 4.440892098500626e-16 off",
    );
    expect(binaryNoise(place("totals.used", "", 1 + 2 ** -51 + 2 ** -52, 1), facts)).toBeNull();
  });

  test("further off is an error, as is one of a tenant that nobody knows", () => {
    expect(binaryNoise(place("per_tenant.closing_tokens", "t", 3.799999, 3.8), factsOf())).toBeNull();
    expect(binaryNoise(place("per_tenant.used", "t", 3.8000000001, 3.8), factsOf())).toBeNull();
    expect(binaryNoise(place("per_tenant.used", "other", 3.7999999999999994, 3.8), factsOf())).toBeNull();
  });
});

test("nothing else is noise: counts, texts, what is missing, and what matches", () => {
  expect(binaryNoise(place("counts.accepted", "", 9.000000000000002, 9), factsOf())).toBeNull();
  expect(binaryNoise(place("counts.used", "t", 9.000000000000002, 9), factsOf())).toBeNull();
  expect(binaryNoise(place("totals", "", 9.000000000000002, 9), factsOf())).toBeNull();
  expect(binaryNoise(place("per_tenant.accepted", "t", 9.000000000000002, 9), factsOf())).toBeNull();
  expect(binaryNoise(place("totals.used", "", "37", 37), factsOf())).toBeNull();
  expect(
    binaryNoise({ ...place("totals.used", "", undefined, 37), result: "indeterminate" }, factsOf()),
  ).toBeNull();
  expect(binaryNoise({ ...place("totals.used", "", 37, 37), result: "match" }, factsOf())).toBeNull();
});
