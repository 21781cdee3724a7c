import { expect, test } from "vitest";
import type { ArrivalMapping } from "../../../contract/mapping.ts";
import { elapsedMs } from "./imported-line.ts";
import { isoText, stampReader } from "./stamp.ts";

const read = (text: string, arrival: Omit<ArrivalMapping, "field">) => {
  const found = stampReader({ field: "t", ...arrival })(text);
  return typeof found === "string" ? found : isoText(found);
};

test.each([
  ["2026-10-25T10:00:00Z", "2026-10-25T10:00:00.000000000Z"],
  ["2026-10-25 10:00:00.5+00", "2026-10-25T10:00:00.500000000Z"],
  ["2026-10-25T12:00:00,123456789+02:00", "2026-10-25T10:00:00.123456789Z"],
  ["2026-10-24T19:30:00-1430", "2026-10-25T10:00:00.000000000Z"],
  ["2026-10-25 10:00:00 UTC", "2026-10-25T10:00:00.000000000Z"],
  ["2026-10-25t10:00:00z", "2026-10-25T10:00:00.000000000Z"],
  ["2026-10-25T10:00Z", "2026-10-25T10:00:00.000000000Z"],
  ["2026-10-25T10:00.5Z", "is no time of ISO 8601 (2026-10-25T10:00:00Z)"],
  ["2026-12-31T23:59:60Z", "is no time of the calendar"],
  ["9999-12-31T23:59:59.999999999999Z", "9999-12-31T23:59:59.999999999Z"],
])("ISO 8601: %s", (text, expected) => expect(read(text, { unit: "iso" })).toBe(expected));

test.each([
  ["25/Oct/2026:10:00:00 +0000", "2026-10-25T10:00:00.000000000Z"],
  ["25/Oct/2026:12:00:00.655 +0200", "2026-10-25T10:00:00.655000000Z"],
])("common log: %s", (text, expected) => expect(read(text, { unit: "clf" })).toBe(expected));

test.each([
  ["1792922400123456789", "ns", "2026-10-25T10:00:00.123456789Z"],
  ["1792922400123456.789", "us", "2026-10-25T10:00:00.123456789Z"],
  ["1792922400123", "ms", "2026-10-25T10:00:00.123000000Z"],
  ["1792922400.1234567", "s", "2026-10-25T10:00:00.123456700Z"],
  ["1.7929224e9", "s", "2026-10-25T10:00:00.000000000Z"],
  ["17929224001e-1", "s", "2026-10-25T10:00:00.100000000Z"],
  ["0", "ns", "1970-01-01T00:00:00.000000000Z"],
  ["1", "ns", "1970-01-01T00:00:00.000000001Z"],
] as const)("%s in %s, above 2^53 and below a millisecond", (text, unit, expected) =>
  expect(read(text, { unit })).toBe(expected),
);

test("a difference below a millisecond counts for nothing, one of exactly a millisecond for one", () => {
  const at = (text: string) => stampReader({ field: "t", unit: "ns" })(text) as { ms: number; sub: number };
  const start = at("1792922400000999999");
  expect(elapsedMs(start, at("1792922400001999998"))).toBe(0);
  expect(elapsedMs(start, at("1792922400001999999"))).toBe(1);
});

test.each([
  ["2026-10-25T10:00:00", "iso", "has no zone"],
  ["25/Oct/2026:10:00:00", "clf", "has no zone"],
  ["2026-02-30T10:00:00Z", "iso", "is no time of the calendar"],
  ["2026-10-25T24:00:00Z", "iso", "is no time of the calendar"],
  ["2026-10-25T10:00:00+25:00", "iso", "has a zone that is none"],
  ["yesterday", "iso", "is no time of ISO 8601"],
  ["25/Foo/2026:10:00:00 +0000", "clf", "has no month Foo"],
  ["1792922400123", "s", "is after the year 9999"],
  ["-5", "s", "is before 1970"],
  ["12:00", "s", "is no number"],
  ["1.0000000000000000001", "s", "more than 18 digits"],
  [`1e${"9".repeat(3)}`, "s", "is after the year 9999"],
] as const)("%s as %s is a problem, never a guess", (text, unit, reason) =>
  expect(read(text, { unit })).toContain(reason),
);

test("a zone of the mapping holds where the stamp has none; the stamp's own wins", () => {
  expect(read("2026-07-01T12:00:00", { unit: "iso", zone: "Europe/Berlin" })).toBe(
    "2026-07-01T10:00:00.000000000Z",
  );
  expect(read("2026-01-01T12:00:00", { unit: "iso", zone: "Europe/Berlin" })).toBe(
    "2026-01-01T11:00:00.000000000Z",
  );
  expect(read("2026-01-01T12:00:00Z", { unit: "iso", zone: "Europe/Berlin" })).toBe(
    "2026-01-01T12:00:00.000000000Z",
  );
});

test("a time that the clock jumped over is a problem, whatever is said of repeated hours", () => {
  for (const repeated_hour of [undefined, "earlier", "later"] as const)
    expect(
      read("2026-03-29T02:30:00", {
        unit: "iso",
        zone: "Europe/Berlin",
        ...(repeated_hour && { repeated_hour }),
      }),
    ).toContain("does not exist in Europe/Berlin");
});

test("an hour that the clock showed twice is a problem until it is said which is meant", () => {
  const berlin = { unit: "iso", zone: "Europe/Berlin" } as const;
  expect(read("2026-10-25T02:30:00", berlin)).toContain("happened twice in Europe/Berlin");
  expect(read("2026-10-25T02:30:00", { ...berlin, repeated_hour: "earlier" })).toBe(
    "2026-10-25T00:30:00.000000000Z",
  );
  expect(read("2026-10-25T02:30:00", { ...berlin, repeated_hour: "later" })).toBe(
    "2026-10-25T01:30:00.000000000Z",
  );
});
