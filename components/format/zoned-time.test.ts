import { describe, expect, test } from "vitest";
import { formatExactMoment, formatMoment, formatRelative, formatTick, isZone } from "./zoned-time.ts";

describe("a moment on a zone's clock", () => {
  test("in UTC has no offset", () => {
    expect(formatMoment(Date.UTC(2026, 9, 25, 0, 30), "UTC")).toBe("2026-10-25 00:30:00 UTC");
  });

  test("tells the two hours apart that the change to winter time makes of one", () => {
    expect(formatMoment(Date.UTC(2026, 9, 25, 0, 30), "Europe/Berlin")).toBe("2026-10-25 02:30:00 UTC+02:00");
    expect(formatMoment(Date.UTC(2026, 9, 25, 1, 30), "Europe/Berlin")).toBe("2026-10-25 02:30:00 UTC+01:00");
  });

  test("leaves out the hour that the change to summer time skips", () => {
    expect(formatMoment(Date.UTC(2026, 2, 29, 0, 59, 59), "Europe/Berlin")).toBe(
      "2026-03-29 01:59:59 UTC+01:00",
    );
    expect(formatMoment(Date.UTC(2026, 2, 29, 1), "Europe/Berlin")).toBe("2026-03-29 03:00:00 UTC+02:00");
  });

  test("midnight is hour 0 of the new day, also where the offset is no whole hour", () => {
    expect(formatMoment(Date.UTC(2026, 0, 1, 18, 15), "Asia/Kathmandu")).toBe(
      "2026-01-02 00:00:00 UTC+05:45",
    );
  });

  test("is told to the millisecond where groups of one second must be told apart, also before 1970", () => {
    expect(formatExactMoment(Date.UTC(2026, 9, 25, 0, 30, 0, 7), "Europe/Berlin")).toBe(
      "2026-10-25 02:30:00.007 UTC+02:00",
    );
    expect(formatExactMoment(-1, "UTC")).toBe("1969-12-31 23:59:59.999 UTC");
  });

  test("stands at an axis with the day where there are several, and with seconds where there is no hour", () => {
    const at_ms = Date.UTC(2026, 9, 25, 22, 30, 5);
    expect(formatTick(at_ms, "Europe/Berlin", 2 * 86_400_000)).toBe("10-25 23:30");
    expect(formatTick(at_ms, "UTC", 3_600_000)).toBe("22:30");
    expect(formatTick(at_ms, "UTC", 60_000)).toBe("22:30:05");
  });

  test("a zone nobody knows is none", () => {
    expect(isZone("Europe/Berlin")).toBe(true);
    expect(isZone("Mars/Olympus")).toBe(false);
    expect(isZone("")).toBe(false);
  });
});

describe("how long ago", () => {
  const now = Date.UTC(2026, 10, 30, 12);
  test.each([
    [-59_000, "just now"],
    [59_000, "in less than a minute"],
    [-60_000, "1 minute ago"],
    [-3_599_000, "59 minutes ago"],
    [-3_600_000, "1 hour ago"],
    [-86_400_000 * 2, "2 days ago"],
    [86_400_000 * 7, "in 7 days"],
    [-86_400_000 * 400, "1 year ago"],
  ])("%i ms from now is %s", (by, text) => {
    expect(formatRelative(now + by, now)).toBe(text);
  });
});
