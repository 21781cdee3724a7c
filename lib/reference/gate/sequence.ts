import type { LogDecision, LogEvent } from "../../../contract/decision-log.ts";
import { NumberedSteps } from "./numbered-steps.ts";

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

/** Lines that have no number of their own: they stand behind what the gate did last. */
const AS_OF: ReadonlySet<LogEvent["line"]> = new Set(["tally", "state", "refused"]);
/** Most things that wait for one that is missing; a gate does not fall behind as far. */
const WAITING_MAX = 200_000;

/**
 * Puts what a log tells into the order of `seq` (G11): what waited, such as for a freebie, may be told after what was
 * done later. What is told twice or too late, and a number that never comes, is said.
 */
export class Sequence<Place> {
  readonly #turn: Turn<Place>;
  readonly #steps: NumberedSteps;
  readonly #isLenient: boolean;

  /** @param isLenient whether what comes too late is left out, as at a beginning in the middle; else it is a fault */
  constructor(turn: Turn<Place>, first = 1, isLenient = false) {
    this.#turn = turn;
    this.#steps = new NumberedSteps(first);
    this.#isLenient = isLenient;
  }

  /** The first number that was not told yet. */
  get next(): number {
    return this.#steps.next;
  }

  /** Whether something waits for a number that was not told. */
  get isWaiting(): boolean {
    return this.#steps.isWaiting;
  }

  /** When the earliest of what waits was done, milliseconds. */
  get waiting_since_ms(): number {
    return this.#steps.waiting_since_ms;
  }

  /** Takes the next line. A text: why it cannot stand here. */
  take({ event, place }: Told<Place>): string | null {
    const steps = this.#steps;
    if (this.#isLenient && event.seq < steps.next) return null;
    const play = () => this.#turn.play(event, place);
    if (AS_OF.has(event.line))
      return steps.addAfter(event.seq, play)
        ? null
        : `a ${event.line === "refused" ? "refusal" : event.line} as of ${event.seq} stands after number ${steps.next - 1}`;
    if (!steps.add(event.seq, event.at, play)) return `number ${event.seq} is told twice`;
    if (event.line === "decision" && event.settled !== undefined) {
      const { seq, at } = event.settled;
      if (seq <= event.seq || !steps.add(seq, at, () => this.#turn.settle(event, place)))
        return `number ${seq} is told twice`;
    }
    steps.run();
    return steps.waiting > WAITING_MAX ? `number ${steps.next} is missing` : null;
  }
}
