import type { Rows } from "../../contract/rows.ts";

/** Stands where rows were that are let go: nothing is made of what is not there any more. */
export const gone = (): never => {
  throw new Error("these rows were let go");
};

/** A list whose items are made when they are asked for, each time anew. */
export class OnDemand<T> implements Rows<T> {
  readonly length: number;
  private item: (index: number) => T;

  constructor(length: number, item: (index: number) => T) {
    this.length = length;
    this.item = item;
  }

  at(index: number): T | undefined {
    return index >= 0 && index < this.length ? this.item(index) : undefined;
  }

  *[Symbol.iterator](): Generator<T> {
    for (let index = 0; index < this.length; index++) yield this.item(index);
  }

  /** What its items are made from is given back: whoever asks for one from now on is told so. */
  letGo(): void {
    this.item = gone;
  }

  toJSON(): T[] {
    return Array.from(this);
  }
}
