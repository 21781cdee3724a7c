import fc from "fast-check";
import { expect, test } from "vitest";
import { Agenda } from "./agenda.ts";

type Due = { at_ms: number; what: number };

function takeAll(agenda: Agenda<number>, now_ms: number): Due[] {
  const taken: Due[] = [];
  for (let due = agenda.takeDue(now_ms); due !== null; due = agenda.takeDue(now_ms))
    taken.push({ at_ms: due.at_ms, what: due.what });
  return taken;
}

test("what is due comes in the order of time, and of two at the same time the first written down comes first", () => {
  const turns = fc.array(fc.record({ times: fc.array(fc.nat(12)), now_ms: fc.nat(14) }));
  const property = fc.property(turns, (all) => {
    const agenda = new Agenda<number>();
    let waiting: Due[] = [];
    let what = 0;
    for (const { times, now_ms } of all) {
      for (const at_ms of times) {
        what += 1;
        agenda.add(at_ms, what);
        waiting.push({ at_ms, what });
      }
      waiting.sort((a, b) => a.at_ms - b.at_ms || a.what - b.what);
      expect(takeAll(agenda, now_ms)).toEqual(waiting.filter(({ at_ms }) => at_ms <= now_ms));
      waiting = waiting.filter(({ at_ms }) => at_ms > now_ms);
    }
  });
  fc.assert(property, { numRuns: 300 });
});
