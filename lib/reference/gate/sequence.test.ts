import { expect, test } from "vitest";
import type { LogEvent } from "../../../contract/decision-log.ts";
import { Sequence } from "./sequence.ts";

const event = (line: string, seq: number, settled?: number) =>
  ({
    ...{ line, seq, at: 100 * seq },
    ...(settled === undefined ? {} : { settled: { seq: settled, at: 100 * settled } }),
  }) as LogEvent;
const publish = (seq: number) => event("publish", seq);
const decision = (seq: number, settled?: number) => event("decision", seq, settled);
const tally = (seq: number) => event("tally", seq);

/** A sequence, and what it did, in order: `play decision 2 @ place`. */
function listened(first?: number, isLenient?: boolean) {
  const done: string[] = [];
  const sequence = new Sequence<number>(
    {
      play: ({ line, seq }, place) => done.push(`play ${line} ${seq} @ ${place}`),
      settle: ({ line, seq }, place) => done.push(`settle ${line} ${seq} @ ${place}`),
    },
    first,
    isLenient,
  );
  let place = 0;
  const take = (told: LogEvent) => {
    place += 1;
    return sequence.take({ event: told, place });
  };
  return { sequence, done, take };
}

test("what is told in order is done at once", () => {
  const { sequence, done, take } = listened();
  expect([take(publish(1)), take(decision(2)), take(event("end", 3))]).toEqual([null, null, null]);
  expect(done).toEqual(["play publish 1 @ 1", "play decision 2 @ 2", "play end 3 @ 3"]);
  expect([sequence.next, sequence.isWaiting]).toEqual([4, false]);
});

test("what waited for a freebie is told late and done in its place, and settled in another (G7)", () => {
  const { sequence, done, take } = listened();
  take(publish(1));
  expect(take(decision(3))).toBeNull();
  expect([sequence.next, sequence.isWaiting]).toEqual([2, true]);
  expect(done).toHaveLength(1);
  expect(take(decision(2, 4))).toBeNull();
  expect(done.slice(1)).toEqual(["play decision 2 @ 3", "play decision 3 @ 2", "settle decision 2 @ 3"]);
  expect([sequence.next, sequence.isWaiting]).toEqual([5, false]);
});

test("how long something waits is told by its own clock: of a decision and of what settled it", () => {
  const { sequence, take } = listened();
  expect(sequence.waiting_since_ms).toBe(Number.POSITIVE_INFINITY);
  take(decision(7));
  expect(sequence.waiting_since_ms).toBe(700);
  take(decision(3, 5));
  expect(sequence.waiting_since_ms).toBe(300);
  for (const seq of [1, 2, 4]) take(decision(seq));
  expect([sequence.next, sequence.waiting_since_ms]).toEqual([6, 700]);
});

test("a number that is told twice is said: done before, waiting, or as a settlement", () => {
  const { done, take } = listened();
  take(publish(1));
  expect(take(decision(1))).toBe("number 1 is told twice");
  expect(take(decision(3))).toBeNull();
  expect(take(decision(3))).toBe("number 3 is told twice");
  expect(take(decision(4, 3))).toBe("number 3 is told twice");
  expect(take(decision(6, 6))).toBe("number 6 is told twice");
  expect(take(decision(8, 7))).toBe("number 7 is told twice");
  expect(take(decision(9, 10))).toBeNull();
  expect(take(event("end", 10))).toBe("number 10 is told twice");
  expect(done).toEqual(["play publish 1 @ 1"]);
});

test("a tally stands behind what it is as of, waits for that, and is too late behind anything else (G11)", () => {
  const { sequence, done, take } = listened();
  expect(take(tally(0))).toBeNull();
  take(publish(1));
  expect(take(tally(1))).toBeNull();
  expect(take(tally(1))).toBeNull();
  expect(take(tally(0))).toBe("a tally as of 0 stands after number 1");
  expect(done).toEqual(["play tally 0 @ 1", "play publish 1 @ 2", "play tally 1 @ 3", "play tally 1 @ 4"]);
  take(tally(3));
  take(tally(3));
  expect(sequence.isWaiting).toBe(true);
  take(decision(3));
  take(decision(2));
  expect(done.slice(4)).toEqual([
    "play decision 2 @ 9",
    "play decision 3 @ 8",
    "play tally 3 @ 6",
    "play tally 3 @ 7",
  ]);
  expect(sequence.isWaiting).toBe(false);
});

test("a log that begins in the middle: what is from before is left out, not a fault", () => {
  const { done, take } = listened(5, true);
  expect([take(decision(4)), take(tally(4)), take(decision(3, 6))]).toEqual([null, null, null]);
  expect(take(decision(5))).toBeNull();
  expect(take(decision(7))).toBeNull();
  expect(take(decision(7))).toBe("number 7 is told twice");
  expect(done).toEqual(["play decision 5 @ 4"]);
  const strict = listened(5);
  expect(strict.take(decision(4))).toBe("number 4 is told twice");
});

test("a state and a refusal stand behind what they are as of, as a tally does (G8, G11)", () => {
  const { done, take } = listened();
  take(publish(1));
  expect([take(event("state", 1)), take(event("refused", 1))]).toEqual([null, null]);
  expect(take(event("state", 0))).toBe("a state as of 0 stands after number 1");
  expect(take(event("refused", 0))).toBe("a refusal as of 0 stands after number 1");
  expect(done.slice(1)).toEqual(["play state 1 @ 2", "play refused 1 @ 3"]);
});
