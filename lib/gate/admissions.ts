import type { GateEnd } from "../../contract/gate-reasons.ts";
import type { Bucket } from "./bucket.ts";
import type { ClientKey } from "./client.ts";
import { type Entry, Heap } from "./heap.ts";
import type { Rule, Service } from "./snapshot.ts";
import type { StatedAdmission } from "./stated.ts";

/** A provisional admission, or an ended one that is still remembered (G4). */
export interface Admission extends Entry {
  readonly id: string;
  readonly service: Service;
  readonly rules: readonly Rule[];
  readonly client: ClientKey;
  /** What was debited; empty where only a freebie is held. */
  readonly buckets: Bucket[];
  readonly freebie: boolean;
  readonly hold_ms: number;
  was: GateEnd | null;
}

/** Admissions by id, and by what time does to them next: `key` is when they expire or are forgotten. */
export class Admissions {
  readonly #byId = new Map<string, Admission>();
  readonly #due = new Heap<Admission>();
  #serial = 0;

  find(id: string): Admission | undefined {
    return this.#byId.get(id);
  }

  hold(admission: Omit<Admission, keyof Entry | "was">, now_ms: number): void {
    this.#serial += 1;
    const kept = { ...admission, was: null, key: now_ms + admission.hold_ms, tie: this.#serial, place: -1 };
    this.#byId.set(kept.id, kept);
    this.#due.push(kept);
  }

  /** Writes down how an admission ended; it is remembered for another `hold_ms` (G4). */
  end(admission: Admission, was: GateEnd, at_ms: number): void {
    admission.was = was;
    admission.key = at_ms + admission.hold_ms;
    this.#due.moved(admission);
  }

  /** Forgets one that has ended and whose id nobody knows. */
  forget(admission: Admission): void {
    this.#due.remove(admission);
    this.#byId.delete(admission.id);
  }

  /** Outstanding admissions that are due at a time, in order, each with its own end; long ended ones are forgotten. */
  moveOn(now_ms: number, expire: (admission: Admission, at_ms: number) => void): void {
    for (let next = this.#due.top(); next !== undefined && next.key <= now_ms; next = this.#due.top()) {
      if (next.was === null) expire(next, next.key);
      else this.forget(next);
    }
  }

  /** Those that an id stands for, ended or not. */
  get size(): number {
    return this.#byId.size;
  }

  /** Copies of them, in the order in which they began (G11). */
  stated(): StatedAdmission[] {
    return [...this.#byId.values()].map((admission) => {
      const { id, service, client, rules, buckets, freebie, hold_ms, key: due_ms, was } = admission;
      // What has ended holds nothing any more.
      const own = buckets.filter(() => was === null);
      const ids = (isGone: boolean) => own.filter(({ gone }) => gone === isGone).map(({ rule }) => rule.id);
      const names = { service: service.name, rules: rules.map((rule) => rule.id) };
      return { id, client, ...names, taken: ids(false), gone: ids(true), freebie, hold_ms, due_ms, was };
    });
  }

  /** Those that have not ended, for a shutdown that ends every one. */
  outstanding(): Admission[] {
    return [...this.#byId.values()].filter(({ was }) => was === null);
  }
}
