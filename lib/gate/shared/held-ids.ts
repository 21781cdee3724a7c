/** Ids of admissions that one process holds, until they end or their time is over. */
export class HeldIds {
  readonly #due_ms = new Map<string, number>();

  add(id: string, due_ms: number, now_ms: number): void {
    this.#drop(now_ms);
    this.#due_ms.set(id, due_ms);
  }

  delete(id: string): void {
    this.#due_ms.delete(id);
  }

  list(): string[] {
    return [...this.#due_ms.keys()];
  }

  /** Those at the front are the oldest; one that outlasts its followers keeps them here a little longer, no more. */
  #drop(now_ms: number): void {
    for (const [id, due_ms] of this.#due_ms) {
      if (due_ms > now_ms) return;
      this.#due_ms.delete(id);
    }
  }
}
