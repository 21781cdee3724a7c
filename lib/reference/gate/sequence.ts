import type { LogDecision, LogEvent } from "../../../contract/decision-log.ts";

/** A line of a log: what happened, and where it stands. */
export interface Told<Place> {
  readonly event: LogEvent;
  readonly place: Place;
}

/** What a sequence does with each thing in turn. */
export interface Turn<Place> {
  play(event: LogEvent, place: Place): void;
  settle(event: LogDecision, place: Place): void;
}

/** Most things that wait for one that is missing; a gate does not fall behind as far. */
const WAITING_MAX = 200_000;

/**
 * Puts what a log tells into the order of `seq` (G11): what waited, such as for a freebie, may be told after what was
 * done later. What is told twice or too late, and a number that never comes, is said.
 */
export class Sequence<Place> {
  readonly #turn: Turn<Place>;
  readonly #steps = new Map<number, () => void>();
  readonly #tallies = new Map<number, Told<Place>[]>();
  readonly #isLenient: boolean;
  #next: number;

  /** @param isLenient whether what comes too late is left out, as at a beginning in the middle; else it is a fault */
  constructor(turn: Turn<Place>, first = 1, isLenient = false) {
    this.#turn = turn;
    this.#next = first;
    this.#isLenient = isLenient;
  }

  /** The first number that was not told yet. */
  get next(): number {
    return this.#next;
  }

  /** Whether something waits for a number that was not told. */
  get isWaiting(): boolean {
    return this.#steps.size > 0 || this.#tallies.size > 0;
  }

  /** Takes the next line. A text: why it cannot stand here. */
  take(told: Told<Place>): string | null {
    const { event, place } = told;
    if (this.#isLenient && event.seq < this.#next) return null;
    if (event.line === "tally") return this.#takeTally(told, event.seq);
    const settled = event.line === "decision" ? event.settled?.seq : undefined;
    if (!this.#isNew(event.seq)) return `number ${event.seq} is told twice`;
    this.#steps.set(event.seq, () => this.#turn.play(event, place));
    if (event.line === "decision" && settled !== undefined) {
      if (settled <= event.seq || !this.#isNew(settled)) return `number ${settled} is told twice`;
      this.#steps.set(settled, () => this.#turn.settle(event, place));
    }
    this.#run();
    return this.#steps.size > WAITING_MAX ? `number ${this.#next} is missing` : null;
  }

  #isNew(seq: number): boolean {
    return seq >= this.#next && !this.#steps.has(seq);
  }

  #takeTally(told: Told<Place>, seq: number): string | null {
    if (seq < this.#next - 1) return `a tally as of ${seq} stands after number ${this.#next - 1}`;
    if (seq === this.#next - 1) this.#turn.play(told.event, told.place);
    else this.#tallies.set(seq, [...(this.#tallies.get(seq) ?? []), told]);
    return null;
  }

  #run(): void {
    for (let step = this.#steps.get(this.#next); step !== undefined; step = this.#steps.get(this.#next)) {
      const seq = this.#next;
      this.#steps.delete(seq);
      this.#next += 1;
      step();
      for (const { event, place } of this.#tallies.get(seq) ?? []) this.#turn.play(event, place);
      this.#tallies.delete(seq);
    }
  }
}
