/** What is to happen at a time; of two things at the same time, what was written down first happens first. */
interface Item<T> {
  readonly at_ms: number;
  readonly serial: number;
  readonly what: T;
}

const before = <T>(a: Item<T>, b: Item<T>): boolean =>
  a.at_ms < b.at_ms || (a.at_ms === b.at_ms && a.serial < b.serial);

/** Things that time brings, taken out in its order: a plain binary heap. What is no longer wanted is the taker's to tell. */
export class Agenda<T> {
  readonly #items: Item<T>[] = [];
  #serial = 0;

  add(at_ms: number, what: T): void {
    this.#serial += 1;
    const item = { at_ms, serial: this.#serial, what };
    let at = this.#items.push(item) - 1;
    for (let above = (at - 1) >> 1; at > 0 && before(item, this.#items[above]!); above = (at - 1) >> 1) {
      this.#items[at] = this.#items[above]!;
      at = above;
    }
    this.#items[at] = item;
  }

  /** What is due first, if it is due by now; it is taken out. */
  takeDue(now_ms: number): { at_ms: number; what: T } | null {
    const first = this.#items[0];
    if (first === undefined || first.at_ms > now_ms) return null;
    const last = this.#items.pop()!;
    if (this.#items.length > 0) this.#sink(last);
    return first;
  }

  #sink(item: Item<T>): void {
    const items = this.#items;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child += 1;
      if (!before(items[child]!, item)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = item;
  }
}
