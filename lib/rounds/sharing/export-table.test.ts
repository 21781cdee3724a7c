import { expect, test } from "vitest";
import { exportColumns, ofRound } from "./export-table.ts";

const ROUND = { round: "Last night", round_id: "r1" };

async function rowsOf(rows: object[], log_start_at_ms: number | null): Promise<object[]> {
  const found: object[] = [];
  for await (const row of ofRound(rows, { ...ROUND, log_start_at_ms })) found.push(row);
  return found;
}

test("a row of a log's round tells its time by the log's clock too, to the millisecond, and names the round", async () => {
  const start_at_ms = Date.UTC(2026, 9, 25, 10, 0, 1);
  expect(await rowsOf([{ arrival_ms: 1234 }, { time_ms: 0 }, { path: "totals.used" }], start_at_ms)).toEqual([
    { arrival_ms: 1234, arrival_at: "2026-10-25T10:00:02.234Z", ...ROUND },
    { time_ms: 0, time_at: "2026-10-25T10:00:01.000Z", ...ROUND },
    { path: "totals.used", ...ROUND },
  ]);
});

test("a stream that tells no moments is given none", async () => {
  expect(await rowsOf([{ arrival_ms: 5 }], null)).toEqual([{ arrival_ms: 5, arrival_at: null, ...ROUND }]);
});

test("the time by the clock stands beside the other, and the round behind all columns", () => {
  expect(exportColumns("decisions").slice(5, 7)).toEqual(["arrival_ms", "arrival_at"]);
  expect(exportColumns("breaches").slice(4, 6)).toEqual(["time_ms", "time_at"]);
  expect(exportColumns("checks").slice(-2)).toEqual(["round", "round_id"]);
});
