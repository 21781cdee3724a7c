import { expect, test } from "vitest";
import { OnDemand } from "./rows-on-demand.ts";

test("a list made on demand has its items and no others, by place, in turn, and as JSON", () => {
  const asked: number[] = [];
  const rows = new OnDemand(3, (at) => {
    asked.push(at);
    return `row ${at}`;
  });
  expect(asked).toEqual([]);
  expect([rows.at(0), rows.at(2)]).toEqual(["row 0", "row 2"]);
  expect([rows.at(-1), rows.at(3), new OnDemand(0, () => "x").at(0)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(asked).toEqual([0, 2]);
  expect([...rows]).toEqual(["row 0", "row 1", "row 2"]);
  expect(JSON.stringify({ rows })).toBe('{"rows":["row 0","row 1","row 2"]}');
});
