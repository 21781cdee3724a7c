import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byCodePoints } from "./dispatch.ts";

describe("ids by their UTF-8 bytes (§3.5)", () => {
  const unit = fc.constantFrom("a", "b", "é", "\uD7FF", "\uE000", "\uFFFF", "\u{10000}", "😀", "\u{10FFFF}");
  const name = fc.string({ unit, minLength: 1, maxLength: 6 });

  test("agrees with the order of the encoded bytes", () => {
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(Math.sign(byCodePoints(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
      { numRuns: 5000 },
    );
  });

  test("a private-use character is before an emoji, though its code unit is larger", () => {
    expect(byCodePoints("\uE000", "😀")).toBeLessThan(0);
    expect("\uE000" < "😀").toBe(false);
  });
});
