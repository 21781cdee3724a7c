/** Something that waits in a heap: least `key` first, then least `tie`. A place below 0 means: in no heap. */
export interface Entry {
  key: number;
  tie: number;
  place: number;
}

const before = (a: Entry, b: Entry): boolean => a.key < b.key || (a.key === b.key && a.tie < b.tie);

/** A binary heap whose entries know their place, so that any of them can be moved or taken out in O(log n). */
export class Heap<T extends Entry> {
  #entries: T[] = [];

  top(): T | undefined {
    return this.#entries[0];
  }

  push(entry: T): void {
    entry.place = this.#entries.push(entry) - 1;
    this.#rise(entry);
  }

  remove(entry: T): void {
    const { place } = entry;
    const last = this.#entries.pop()!;
    entry.place = -1;
    if (last === entry) return;
    this.#put(last, place);
    this.moved(last);
  }

  /** Restores the order after an entry's key has changed. */
  moved(entry: T): void {
    this.#rise(entry);
    this.#sink(entry);
  }

  clear(): void {
    for (const entry of this.#entries) entry.place = -1;
    this.#entries = [];
  }

  #put(entry: T, place: number): void {
    this.#entries[place] = entry;
    entry.place = place;
  }

  #rise(entry: T): void {
    let { place } = entry;
    while (place > 0) {
      const above = this.#entries[(place - 1) >> 1]!;
      if (!before(entry, above)) break;
      const next = above.place;
      this.#put(above, place);
      place = next;
    }
    this.#put(entry, place);
  }

  #sink(entry: T): void {
    let { place } = entry;
    for (;;) {
      let child = this.#entries[2 * place + 1];
      if (child === undefined) break;
      const other = this.#entries[2 * place + 2];
      if (other !== undefined && before(other, child)) child = other;
      if (!before(child, entry)) break;
      const next = child.place;
      this.#put(child, place);
      place = next;
    }
    this.#put(entry, place);
  }
}
