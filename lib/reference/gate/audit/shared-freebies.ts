import type { LogDecision, LogEnd } from "../../../../contract/decision-log.ts";
import type { FieldDifference } from "../log-difference.ts";
import { giveFreebieBack } from "../machine.ts";
import type { FreebieCount } from "../state.ts";
import { type AuditedStores, machineAt, misplaced } from "./audited-store.ts";
import { clientOf } from "./expected-decision.ts";
import type { KnownSnapshots } from "./known-snapshots.ts";

/** Whose free requests are counted, and up to how many (G7). */
export interface FreebieBound {
  readonly service: string;
  readonly client: string;
  readonly most: number;
}

interface SharedFreebiesParts {
  readonly snapshots: KnownSnapshots;
  readonly stores: AuditedStores;
  readonly isNumbered: boolean;
}

/**
 * Free requests of a shared store (G7, G12): one is asked after, counted or not, or given back, each at a place of its own
 * among the calls of all processes. Here is kept what one call leaves for the next of the same line.
 */
export class SharedFreebies {
  /** Whether each look at free requests, and each count of one, has its place in the order of the store (G12). */
  readonly isNumbered: boolean;
  readonly #snapshots: KnownSnapshots;
  readonly #stores: AuditedStores;
  /** Of decisions, as long as their lines are looked at: what was read of free requests, and whether one more was counted. */
  readonly #reads = new WeakMap<LogDecision, number>();
  readonly #counts = new WeakMap<LogDecision, boolean>();
  /** Of admitted decisions whose freebie is to be counted. */
  readonly #bounds = new WeakMap<LogDecision, FreebieBound>();
  /** What an admission held that was cancelled, by the `seq` of its end. */
  readonly #returns = new Map<number, FreebieCount>();

  constructor({ snapshots, stores, isNumbered }: SharedFreebiesParts) {
    this.#snapshots = snapshots;
    this.#stores = stores;
    this.isNumbered = isNumbered;
  }

  /** The gate asked how many free requests the client had used. */
  read(one: LogDecision): FieldDifference[] {
    const { target } = this.#snapshots.of(one);
    const client = clientOf(one, false);
    if (target === null || client === null) return [misplaced(one, null)];
    const { count } = machineAt(this.#stores.placeOf(one.freebie_read)!).freebiesOf(
      target.service.name,
      client,
    );
    this.#reads.set(one, count);
    return [];
  }

  /** What was read for a decision; undefined: nothing was, at a place of its own. */
  readBy(one: LogDecision): number | undefined {
    return this.#reads.get(one);
  }

  /** A decision was admitted whose freebie is counted at a later place. */
  expectCount(one: LogDecision, bound: FreebieBound): void {
    this.#bounds.set(one, bound);
  }

  /** The gate asked for one more to be counted: it is where one is left, whatever was read before. */
  count(one: LogDecision): FieldDifference[] {
    const bound = this.#bounds.get(one);
    if (bound === undefined) return [misplaced(one, null)];
    const freebie = machineAt(this.#stores.placeOf(one.freebie_counted)!).freebiesOf(
      bound.service,
      bound.client,
    );
    const isLeft = freebie.count < bound.most;
    if (isLeft) freebie.count += 1;
    this.#counts.set(one, isLeft);
    return [];
  }

  /** Whether the free request of a decision was counted; if not, another one had taken the last. */
  isCounted(one: LogDecision): boolean | undefined {
    return this.#counts.get(one);
  }

  /** An end cancelled an admission that held a free request, which is given back at a later place. */
  expectReturn(seq: number, freebie: FreebieCount): void {
    this.#returns.set(seq, freebie);
  }

  /** What was cancelled gives its free request back, once (G7). */
  giveBack(one: LogEnd): FieldDifference[] {
    const freebie = this.#returns.get(one.seq);
    this.#returns.delete(one.seq);
    if (freebie === undefined) {
      const told = { logged: one.freebie_returned ?? null, expected: null };
      return [{ seq: one.seq, clause: "G7", field: "freebie_returned", ...told }];
    }
    giveFreebieBack(freebie);
    return [];
  }
}
