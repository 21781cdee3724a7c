/** Numbers from one to another, both included. */
export type NumberRange = readonly [from: number, to: number];

/**
 * Steps that are numbered without a gap, done in the order of their numbers, whatever order they come in. What belongs
 * between two numbers is done after the first of them.
 */
export class NumberedSteps {
  readonly #steps = new Map<number, { readonly step: () => void; readonly at_ms: number }>();
  readonly #after = new Map<number, (() => void)[]>();
  #next: number;

  constructor(first = 1) {
    this.#next = first;
  }

  /** The first number that has not come. */
  get next(): number {
    return this.#next;
  }

  /** How many steps wait for a number that has not come. */
  get waiting(): number {
    return this.#steps.size;
  }

  /** Whether anything does. */
  get isWaiting(): boolean {
    return this.#steps.size > 0 || this.#after.size > 0;
  }

  /** When the earliest of the steps that wait was done, by the clock of whoever did it; infinite: none waits. */
  get waiting_since_ms(): number {
    let since = Number.POSITIVE_INFINITY;
    for (const { at_ms } of this.#steps.values()) since = Math.min(since, at_ms);
    return since;
  }

  /** Keeps a step until its turn, which `run` looks for. False: the number came before. */
  add(number: number, at_ms: number, step: () => void): boolean {
    if (number < this.#next || this.#steps.has(number)) return false;
    this.#steps.set(number, { step, at_ms });
    return true;
  }

  /** Does something after a number and before the next one. False: the next one was done already. */
  addAfter(number: number, act: () => void): boolean {
    if (number < this.#next - 1) return false;
    if (number === this.#next - 1) act();
    else this.#after.set(number, [...(this.#after.get(number) ?? []), act]);
    return true;
  }

  /** Does every step whose turn it is. */
  run(): void {
    for (let turn = this.#steps.get(this.#next); turn !== undefined; turn = this.#steps.get(this.#next)) {
      const number = this.#next;
      this.#steps.delete(number);
      this.#next += 1;
      turn.step();
      for (const act of this.#after.get(number) ?? []) act();
      this.#after.delete(number);
    }
  }

  /** Numbers that never came although later ones did, as ranges; what stands after a number says that there is that number. */
  missing(): NumberRange[] {
    const known = [...this.#steps.keys()].sort((a, b) => a - b);
    const last = Math.max(0, ...this.#after.keys());
    const ranges: NumberRange[] = [];
    let next = this.#next;
    for (const number of [...known, last + 1]) {
      if (number > next) ranges.push([next, number - 1]);
      next = Math.max(next, number + 1);
    }
    return ranges;
  }
}
