import { expect, test } from "vitest";
import { NumberedSteps } from "./numbered-steps.ts";

/** Steps, and the numbers of those done, in order. */
function stepped(first?: number) {
  const steps = new NumberedSteps(first);
  const done: (number | string)[] = [];
  const add = (number: number, at_ms = 0) => {
    const isNew = steps.add(number, at_ms, () => done.push(number));
    steps.run();
    return isNew;
  };
  const addAfter = (number: number, name: string) => steps.addAfter(number, () => done.push(name));
  return { steps, done, add, addAfter };
}

test("steps are done in the order of their numbers, whatever order they come in", () => {
  const { steps, done, add } = stepped(3);
  expect([add(5), add(4), add(3), add(6)]).toEqual([true, true, true, true]);
  expect(done).toEqual([3, 4, 5, 6]);
  expect([steps.next, steps.waiting, steps.isWaiting]).toEqual([7, 0, false]);
});

test("a number that came before is not done again", () => {
  const { done, add } = stepped();
  add(1);
  add(3);
  expect([add(1), add(3), add(2), add(2)]).toEqual([false, false, true, false]);
  expect(done).toEqual([1, 2, 3]);
});

test("what stands after a number is done before the next one, and not at all behind that", () => {
  const { steps, done, add, addAfter } = stepped();
  expect(addAfter(0, "begin")).toBe(true);
  expect([addAfter(2, "a"), addAfter(2, "b")]).toEqual([true, true]);
  expect([steps.isWaiting, steps.waiting]).toEqual([true, 0]);
  add(1);
  add(3);
  add(2);
  expect(done).toEqual(["begin", 1, 2, "a", "b", 3]);
  expect([addAfter(2, "late"), addAfter(3, "now")]).toEqual([false, true]);
  expect(done.slice(6)).toEqual(["now"]);
  expect(steps.isWaiting).toBe(false);
});

test("how long the earliest of what waits has waited is told by its own time", () => {
  const { steps, add } = stepped();
  expect(steps.waiting_since_ms).toBe(Number.POSITIVE_INFINITY);
  add(2, 70);
  add(4, 50);
  add(3, 60);
  expect([steps.waiting, steps.waiting_since_ms]).toEqual([3, 50]);
  add(1, 10);
  expect([steps.waiting, steps.waiting_since_ms]).toEqual([0, Number.POSITIVE_INFINITY]);
});

test("numbers that never came are told as ranges, also those that only what stands after them shows", () => {
  const { steps, add, addAfter } = stepped(2);
  expect(steps.missing()).toEqual([]);
  add(12);
  add(4);
  add(7);
  add(6);
  expect(steps.missing()).toEqual([
    [2, 3],
    [5, 5],
    [8, 11],
  ]);
  addAfter(15, "later");
  expect(steps.missing().at(-1)).toEqual([13, 15]);
  const alone = stepped();
  alone.addAfter(2, "alone");
  expect(alone.steps.missing()).toEqual([[1, 2]]);
});
