import { expect, test } from "vitest";
import type { LogEvent } from "../../../contract/decision-log.ts";
import { Sequence } from "./sequence.ts";

test("no more waits for a missing number than a gate falls behind", () => {
  const sequence = new Sequence<null>({ play: () => {}, settle: () => {} });
  const take = (seq: number) =>
    sequence.take({ event: { line: "publish", seq, at: 0 } as LogEvent, place: null });
  const answers = new Set(Array.from({ length: 200_000 }, (_, index) => take(index + 2)));
  expect([...answers]).toEqual([null]);
  expect(take(200_002)).toBe("number 1 is missing");
  expect(sequence.next).toBe(1);
});
