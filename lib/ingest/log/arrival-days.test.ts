import fc from "fast-check";
import { expect, test } from "vitest";
import { ARRIVAL_MAX_MS } from "../../../contract/limits.ts";
import { ArrivalDays } from "./arrival-days.ts";
import { elapsedMs, type Instant } from "./imported-line.ts";
import { stampReader } from "./stamp.ts";

const read = stampReader({ field: "", unit: "iso" });
const moment = (text: string) => read(text) as Instant;

function daysOf(moments: readonly Instant[]): ArrivalDays {
  const days = new ArrivalDays();
  moments.forEach((at, index) => void days.add(at, index + 1));
  return days;
}

test("one stamp of long ago does not hide where the others are", () => {
  const days = daysOf(
    [
      "2026-03-02T10:00:00.5Z",
      "1970-01-01T00:00:00Z",
      "2026-03-01T23:59:59.000000001Z",
      "2026-03-02T09:00:00Z",
    ].map(moment),
  );
  expect(days.spread(3)).toEqual({
    earliest: "1970-01-01T00:00:00.000000000Z",
    line: 2,
    beyond: 3,
    stretch: { from: "2026-03-01T23:59:59.000000001Z", requests: 3 },
  });
});

test("of stretches that hold as many the latest is proposed, and a log of nothing has none", () => {
  expect(daysOf(["2020-01-01T00:00:00Z", "2024-01-01T00:00:00Z"].map(moment)).spread(1)?.stretch).toEqual({
    from: "2024-01-01T00:00:00Z",
    requests: 1,
  });
  expect(new ArrivalDays().spread(0)).toBeNull();
});

test("the stretch that is proposed fits a round, holds as many as it says, and no stretch of whole days holds more", () => {
  const moments = fc
    .array(fc.record({ ms: fc.integer({ min: 0, max: 3e11 }), sub: fc.nat(999_999_999_999_999) }), {
      minLength: 1,
      maxLength: 30,
    })
    .map((found) => found.map(({ ms, sub }) => ({ ms, sub: sub - (sub % 1_000_000_000) })));
  fc.assert(
    fc.property(moments, (found) => {
      const { from, requests } = daysOf(found).spread(0)!.stretch!;
      const start = moment(from);
      const within = (begin: Instant, length_ms: number) =>
        found.filter((at) => elapsedMs(begin, at) >= 0 && elapsedMs(begin, at) <= length_ms).length;
      expect(within(start, ARRIVAL_MAX_MS)).toBeGreaterThanOrEqual(requests);
      const DAY_MS = 86_400_000;
      for (const at of found)
        expect(
          within({ ms: Math.floor(at.ms / DAY_MS) * DAY_MS, sub: 0 }, ARRIVAL_MAX_MS - 1),
        ).toBeLessThanOrEqual(requests);
    }),
  );
});
