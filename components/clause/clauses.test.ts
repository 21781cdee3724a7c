import { describe, expect, test } from "vitest";
import { clauseParts } from "./clauses.ts";

describe("clause numbers in a text", () => {
  test("become links, and every other character stays", () => {
    const text = "§3.4 step 2, by §4 and G10: see §3.";
    const parts = clauseParts(text);
    expect(parts.map((part) => part.text).join("")).toBe(text);
    expect(parts.flatMap(({ text, href }) => (href === null ? [] : [[text, href]]))).toEqual([
      ["§3.4", "/contract#s3.4"],
      ["§4", "/contract#s4"],
      ["G10", "/contract#g10"],
      ["§3", "/contract#s3"],
    ]);
  });

  test("are none within a word, and none where there is no such clause", () => {
    expect(clauseParts("RING4 G99 x§").every(({ href }) => href === null)).toBe(true);
    expect(clauseParts("")).toEqual([]);
  });
});
