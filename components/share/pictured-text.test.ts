import fc from "fast-check";
import { expect, test } from "vitest";
import { picturedText } from "./pictured-text.ts";

test("whatever a name holds, the picture draws printable ASCII of bounded length", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (name) => {
      expect(picturedText(name)).toMatch(/^[\x20-\x7e]{0,52}$/);
    }),
  );
  expect(picturedText("plain name.jsonl")).toBe("plain name.jsonl");
  expect(picturedText("night 🟥\u202e x")).toBe("night _ x");
  expect(picturedText("x".repeat(60))).toBe(`${"x".repeat(49)}...`);
});
