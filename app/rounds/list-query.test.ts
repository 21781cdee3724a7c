import { expect, test } from "vitest";
import { listParams, listQuery, type SearchParams } from "./list-query.ts";

const NOW_MS = Date.UTC(2026, 9, 26);
const HOUR_MS = 3_600_000;
const query = (params: SearchParams) => listQuery(listParams(params), NOW_MS);

test("what makes no sense in the URL is as if it were not there", () => {
  const nonsense = {
    q: ["first", "second"],
    status: "green",
    sort: "__proto__",
    dir: "up",
    page: "-1",
    period: "century",
    from: "2026-02-30",
    show: "x",
    removed: "now",
  };
  expect(query(nonsense)).toEqual({ ...query({}), search: "first" });
  expect(query({})).toMatchObject({ sort: "created", dir: "desc", limit: 50, offset: 0 });
});

test("days are those of the stated zone, with 23 and 25 hours where its clock changes", () => {
  const span = (params: SearchParams) => {
    const { from_ms, to_ms } = query(params);
    return (to_ms! - from_ms!) / HOUR_MS;
  };
  expect(span({ from: "2026-10-25", to: "2026-10-25" })).toBe(24);
  expect(span({ from: "2026-10-25", to: "2026-10-25", zone: "Europe/Berlin" })).toBe(25);
  expect(span({ from: "2026-03-29", to: "2026-03-29", zone: "Europe/Berlin" })).toBe(23);
  expect(query({ from: "2026-10-25", zone: "Asia/Tokyo" }).from_ms).toBe(Date.UTC(2026, 9, 24, 15));
  expect(query({ from: "2026-10-25", zone: "Nowhere/City" })).not.toHaveProperty("from_ms");
});

test("a period ends now, and wins over days", () => {
  const { from_ms, to_ms } = query({ period: "day", from: "2020-01-01", to: "2020-01-01" });
  expect({ from_ms, to_ms }).toEqual({ from_ms: NOW_MS - 24 * HOUR_MS, to_ms: undefined });
});

test("statuses are outcomes, states, or what was removed", () => {
  expect(query({ status: "clean" }).statuses).toEqual(["clean"]);
  expect(query({ status: "unfinished" }).statuses).toEqual(["waiting", "running"]);
  expect(query({ status: "removed" })).toMatchObject({ removed: true });
  expect(query({ status: "removed" })).not.toHaveProperty("statuses");
});
