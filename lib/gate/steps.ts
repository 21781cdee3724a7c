import type { Answer } from "./store.ts";

/** Work some of whose steps may be answered later; each step that is not answered yet is handed out. */
export type Steps<T> = Generator<Answer<unknown>, T, unknown>;

/** An answer, waited for only where it comes later. */
export function* settled<T>(answer: Answer<T>): Steps<T> {
  return (answer instanceof Promise ? yield answer : answer) as T;
}

/** Runs steps none of which waits. Throws where one does. */
export function runNow<T>(steps: Steps<T>): T {
  const { done, value } = steps.next();
  if (done !== true) throw new Error("a store answers later: use decideInOrder, endLater and publishLater");
  return value;
}

/** Runs steps of which some may wait, one after the other. */
export async function runLater<T>(steps: Steps<T>): Promise<T> {
  let turn = steps.next();
  while (turn.done !== true) {
    try {
      turn = steps.next(await turn.value);
    } catch (error) {
      turn = steps.throw(error);
    }
  }
  return turn.value;
}
