import type { Rows } from "../../contract/rows.ts";

/** A list whose items are made when they are asked for, each time anew. */
export class OnDemand<T> implements Rows<T> {
  readonly length: number;
  private readonly item: (index: number) => T;

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

  toJSON(): T[] {
    return Array.from(this);
  }
}
