/** What a physical line became, for whoever takes it in order. */
export type Settle = () => void;

/**
 * Hands over what lines became in the order of their numbers, though a record that spans lines is known only at its
 * end. Every line is opened once and settled once.
 */
export class OrderedLines {
  /** From `first` on: what to do for each line, null while it is not known. */
  private waiting: (Settle | null)[] = [];
  private first = 1;
  private next = 1;

  /** The number of the line that comes now. */
  open(): number {
    this.waiting.push(null);
    return this.next++;
  }

  settle(line: number, settle: Settle): void {
    this.waiting[line - this.first] = settle;
    let done = 0;
    while (done < this.waiting.length && this.waiting[done] !== null) this.waiting[done++]!();
    if (done === 0) return;
    this.first += done;
    this.waiting = done === this.waiting.length ? [] : this.waiting.slice(done);
  }

  /** Lines opened so far. */
  get count(): number {
    return this.next - 1;
  }
}
