/**
 * Rows that need not be in memory as objects: an array is one, and so is what makes each row when it is asked for.
 * There are tens of millions of them in a round, and an object a row would not fit.
 */
export interface Rows<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T | undefined;
}

/** Rows made one by one, each time they are asked for. */
export class MadeRows<T> implements Rows<T> {
  readonly length: number;
  private readonly make: (index: number) => T;

  constructor(length: number, make: (index: number) => T) {
    this.length = length;
    this.make = make;
  }

  at(index: number): T | undefined {
    return index >= 0 && index < this.length ? this.make(index) : undefined;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let index = 0; index < this.length; index++) yield this.make(index);
  }

  toJSON(): T[] {
    return [...this];
  }
}

/** Whether a value is a list of rows. Nothing that was parsed from JSON has functions. */
export const isRows = (value: unknown): value is Rows<unknown> =>
  Array.isArray(value) ||
  (typeof value === "object" && value !== null && typeof (value as { at?: unknown }).at === "function");
