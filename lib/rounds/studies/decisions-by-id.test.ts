import fc from "fast-check";
import { expect, test } from "vitest";
import type { Decision } from "../../../contract/report.ts";
import { MadeRows } from "../../../contract/rows.ts";
import { DecisionsById } from "./decisions-by-id.ts";

/** Decisions of these ids, which tell their places by their waits. */
const rowsOf = (ids: readonly string[]) =>
  new MadeRows(ids.length, (wait_ms): Decision => {
    const decided = { verdict: "queued", reason: null, wait_ms, reserve_breached: false } as const;
    return { req_id: ids[wait_ms]!, tenant: "t", ...decided };
  });

test("each decision is taken once, or left over, whatever is asked for", () => {
  const some = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
  fc.assert(
    fc.property(some, some, (ids, wanted) => {
      const decisions = new DecisionsById(rowsOf(ids));
      const taken = wanted.map((id) => decisions.take(id));
      for (const [at, decision] of taken.entries())
        if (decision !== null) expect(decision.req_id).toBe(wanted[at]);
      const found = taken.filter((decision) => decision !== null);
      const places = [...found, ...decisions.rest()].map(({ wait_ms }) => wait_ms!);
      expect(places.sort((a, b) => a - b)).toEqual(ids.map((_, at) => at));
      for (const id of "abcd") {
        const [there, asked] = [ids, wanted].map((all) => all.filter((other) => other === id).length);
        expect(found.filter(({ req_id }) => req_id === id)).toHaveLength(Math.min(there!, asked!));
      }
    }),
  );
});

test.each([
  ["fewer of them than are asked for", ["same"], ["same", "same"]],
  ["others asked for in between", ["same", "other"], ["other", "same"]],
])("one id at many places takes time by their number only: %s", (_, pattern, wanted) => {
  const times = 300_000;
  const ids = pattern.flatMap((id) => Array.from({ length: times }, () => id));
  const start = performance.now();
  const decisions = new DecisionsById(rowsOf(ids));
  for (let time = 0; time < times; time++) for (const id of wanted) decisions.take(id);
  expect([...decisions.rest()]).toEqual([]);
  expect(performance.now() - start).toBeLessThan(10_000);
});
