import type { LogEvent } from "../../../../contract/decision-log.ts";
import type { FieldDifference } from "../log-difference.ts";
import type { Machine } from "../machine.ts";

/** What a log's store has come to: a store of its own, or one that other processes share. Null: nothing went live there yet. */
export interface AuditedStore {
  machine: Machine | null;
}

/**
 * The store that an order belongs to, where processes share one (G12); of null, that of what was not asked of a store, if
 * there is to be one.
 */
export type StoreOf = (order: string | null) => AuditedStore | null;

/** Thrown where something is to be decided before anything was published. */
export const NO_SNAPSHOT = "a log begins with a snapshot (G11)";

/** What a store has come to. Throws where nothing was published there: a log begins with a snapshot. */
export function machineAt({ machine }: AuditedStore): Machine {
  if (machine === null) throw new Error(NO_SNAPSHOT);
  return machine;
}

/** The stores that one log tells of: the gate's own one, or those that it shares (G12). */
export class AuditedStores {
  /** The gate's own one; nothing where it shares another. */
  readonly own: AuditedStore = { machine: null };
  readonly #storeOf: StoreOf | undefined;

  /** @param storeOf absent: the gate has a store of its own */
  constructor(storeOf: StoreOf | undefined) {
    this.#storeOf = storeOf;
  }

  get isShared(): boolean {
    return this.#storeOf !== undefined;
  }

  /** Where an order stands; null: a shared store was not asked, or gave no answer. */
  placeOf(order: string | undefined): AuditedStore | null {
    return this.#storeOf === undefined ? this.own : this.#storeOf(order ?? null);
  }

  /** What the store of an order has come to, where it must have been asked. Throws as `machineAt` does. */
  machineOf(order: string | undefined): Machine {
    return machineAt(this.placeOf(order) ?? this.own);
  }
}

/** What is asked of a shared store by a decision whose log does not tell where (G12). */
export class NotNumbered extends Error {
  readonly field: string;
  constructor(field: string) {
    super(`${field} is missing`);
    this.field = field;
  }
}

/** A store that processes share was asked and the log does not tell where, or the other way round (G12). */
export function misplaced({ seq, order }: LogEvent, expected: "a place" | null): FieldDifference {
  return { seq, clause: "G12", field: "order", logged: order ?? null, expected };
}
