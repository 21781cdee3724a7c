import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Decision, RoundFigures, TenantReport } from "../../contract/report.ts";
import { canonicalText, checksum, decisionText, type Json } from "./canonical-json.ts";

const ODD = ["__proto__", "constructor", "", "a", "B", "10", "9", "é", "\uE000", "😀", "\u2028", '"', "\\"];
const tenantReport: TenantReport = {
  tier: "standard",
  capacity: 1e21,
  opening_tokens: 0.000001,
  closing_tokens: 1 / 3,
  reserve_tokens: 0,
  reserve_breached: false,
  used: 0,
  accepted: 0,
  queued: 0,
  rejected: 0,
};

describe("RFC 8785", () => {
  test("keys come by UTF-16 code units, where a surrogate is before U+E000", () => {
    const object = Object.create(null);
    for (const name of ODD) object[name] = name.length;
    const keys = [...canonicalText(object).matchAll(/("(?:[^"\\]|\\.)*"):/g)].map(([, key]) =>
      JSON.parse(key!),
    );
    expect(keys).toEqual([
      "",
      '"',
      "10",
      "9",
      "B",
      "\\",
      "__proto__",
      "a",
      "constructor",
      "é",
      "\u2028",
      "😀",
      "\uE000",
    ]);
  });

  test("__proto__ is a key like any other", () => {
    expect(canonicalText(JSON.parse('{"z":1,"__proto__":{"b":1,"a":2}}'))).toBe(
      '{"__proto__":{"a":2,"b":1},"z":1}',
    );
  });

  test.each([
    [1e21, "1e+21"],
    [0.000001, "0.000001"],
    [1e-7, "1e-7"],
    [-0, "0"],
    [1 / 3, "0.3333333333333333"],
    [1_000_000_000_000, "1000000000000"],
    [5e-324, "5e-324"],
  ])("the number %d", (value, text) => expect(canonicalText(value)).toBe(text));

  test("agrees with another implementation on whatever JSON there is", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary-ascii" }), (value) => {
        expect(canonicalText(value as Json)).toBe(canonicalize(value));
      }),
      { numRuns: 1000 },
    );
  });

  test("a decision's text is its canonical text", () => {
    const name = fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: "grapheme" }));
    const decision: fc.Arbitrary<Decision> = fc.record({
      req_id: name,
      tenant: name,
      verdict: fc.constantFrom("accepted", "queued", "rejected"),
      reason: fc.constantFrom(null, "queue_expired", "denylisted"),
      wait_ms: fc.option(fc.maxSafeNat()),
      reserve_breached: fc.boolean(),
    });
    fc.assert(
      fc.property(decision, (value) => {
        expect(decisionText(value)).toBe(canonicalText({ ...value }));
      }),
    );
  });
});

describe("checksum (§4)", () => {
  const hasher = () => {
    const hash = createHash("sha256");
    return { update: (bytes: Uint8Array) => void hash.update(bytes), hex: () => hash.digest("hex") };
  };

  test.each([0, 1, 999, 1000, 1001, 2500])(
    "hashed in pieces it is that of the whole text: %d rows",
    (count) => {
      const per_tenant: Record<string, TenantReport> = Object.create(null);
      for (const name of ODD) per_tenant[name] = tenantReport;
      for (let at = 0; at < count; at++) per_tenant[`t${at}`] = tenantReport;
      const figures: RoundFigures = {
        counts: { accepted: count, queued: 0, rejected: 0, reserve_breached: 0 },
        totals: { capacity: 1.5, used: 0.1, over_capacity: 0 },
        per_tenant,
        dispatch_order: Array.from({ length: count }, (_, at) => `😀${at}`),
        decisions: Array.from({ length: count }, (_, at) => ({
          req_id: `😀${at}`,
          tenant: "__proto__",
          verdict: "accepted",
          reason: null,
          wait_ms: 0,
          reserve_breached: false,
        })),
      };
      const whole = createHash("sha256")
        .update(canonicalText(figures as unknown as Json))
        .digest("hex");
      expect(checksum(figures, hasher())).toBe(whole.slice(0, 16));
    },
  );
});
