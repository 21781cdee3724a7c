import { expect, test } from "vitest";
import { shownBreaches } from "./shown-breaches.ts";

test("that only one side found a breach is not said of the last one whose other side is shown no more", () => {
  const found = [
    { source: "reference", tenant: "a", time_ms: 0 },
    { source: "engine", tenant: "b", time_ms: 0 },
    { source: "reference", tenant: "b", time_ms: 0 },
  ] as const;
  expect(shownBreaches(found, 2)).toEqual([
    { group: found[0], isAgreed: false },
    { group: found[1], isAgreed: true },
  ]);
  expect(shownBreaches([], 2)).toEqual([]);
});
