import { expect, test } from "vitest";
import { exactly, millionths, readRate } from "./decimal.ts";

test.each([
  ["0", 0n],
  ["-0e-9", 0n],
  ["-1.5", -1_500_000n],
  ["-1e0", -1_000_000n],
  ["-0.00012e2", -12_000n],
  ["1.0000000", 1_000_000n],
  ["1.0000001", null],
  ["1e-6", 1n],
  ["1e-7", null],
  ["123456789012345.123456", 123_456_789_012_345_123_456n],
  ["1234567890123456e0", 1_234_567_890_123_456_000_000n],
  ["9999999999999999999e0", 9_999_999_999_999_999_999_000_000n],
  ["99999999999999999999e0", null],
  ["99999999999999999999", null],
  ["0.00000000000000000001e20", 1_000_000n],
  ["0.000", 0n],
  ["0.0000000000", 0n],
  ["1e19", 10n ** 25n],
  ["1e20", null],
  ["1e999999999999999999999", null],
  ["0e999999999999999999999", 0n],
])("the exact value of %s is %s millionths (§1.4)", (text, micro) => {
  expect(millionths(text)).toBe(micro);
});

test("a decimal that no validation would have let through is told", () => {
  expect(exactly("0.000001")).toBe(1n);
  expect(() => exactly("0.0000001")).toThrow("not a decimal of §1.4: 0.0000001");
});

test.each([
  [{ rate: "2.5/s" }, 2_500_000n, 1000n],
  [{ rate: "1/250ms" }, 1_000_000n, 250n],
  [{ rate: "7/10m" }, 7_000_000n, 600_000n],
  [{ rate: "1/h" }, 1_000_000n, 3_600_000n],
  [{ rate: "1/d" }, 1_000_000n, 86_400_000n],
  [{ rate_per_sec: "0.5" }, 500_000n, 1000n],
  [{}, 0n, 1000n],
])("the rate of %j (§1.2)", (tenant, micro, per_ms) => {
  expect(readRate(tenant)).toEqual({ micro, per_ms });
});

test.each(["1/x", "1", "1/10", "1/m5"])(
  "the rate %s, which no validation would have let through, is told",
  (rate) => {
    expect(() => readRate({ rate })).toThrow(`not a rate: ${rate}`);
  },
);
