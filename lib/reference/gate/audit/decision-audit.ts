import type { LogDecision } from "../../../../contract/decision-log.ts";
import type { FieldDifference } from "../log-difference.ts";
import type { Machine } from "../machine.ts";
import { type AuditedStore, machineAt, misplaced, NotNumbered } from "./audited-store.ts";
import { DecisionRows } from "./decision-rows.ts";
import type { Ask, ExpectedDecision, Pending } from "./expected-decision.ts";
import type { FreebieRowParts } from "./freebie-row.ts";
import type { LineComparison } from "./line-comparison.ts";

/** Told what each decision comes to. */
export type Decided = (logged: LogDecision, expected: ExpectedDecision) => void;

interface DecisionAuditParts extends FreebieRowParts {
  readonly comparison: LineComparison;
  readonly decided: Decided | undefined;
}

/** The fields of a decision in the order in which their differences are told: what tells most comes first. */
const DECISION_FIELDS = [
  ...["version", "service", "client", "rules", "verdict", "reason", "denied_by", "retry_after_ms", "freebie"],
  ...["freebies_used", "ended", "balances"],
] as (keyof ExpectedDecision)[];

/** Decides each request again and compares (G4, G7); one that waits for its free request is compared once it is over. */
export class DecisionAudit {
  readonly #parts: DecisionAuditParts;
  readonly #rows: DecisionRows;
  /** Of decisions that are not over, by `seq`. */
  readonly #pending = new Map<number, Pending>();

  constructor(parts: DecisionAuditParts) {
    this.#parts = parts;
    this.#rows = new DecisionRows(parts);
  }

  /** A request came, and the store was asked, or was not: where it is shared the log must tell the same (G12). */
  play(one: LogDecision, store: AuditedStore | null): FieldDifference[] {
    const { stores } = this.#parts;
    let isAsked = false;
    const ask = (): Machine => {
      isAsked = true;
      if (store === null) throw new NotNumbered("order");
      return machineAt(store);
    };
    try {
      const found = this.#playBy(one, ask);
      return stores.isShared && store !== null && !isAsked ? [...found, misplaced(one, null)] : found;
    } catch (error) {
      if (error instanceof NotNumbered)
        return [{ seq: one.seq, clause: "G12", field: error.field, logged: null, expected: "a place" }];
      throw error;
    }
  }

  #playBy(one: LogDecision, ask: Ask): FieldDifference[] {
    const found = this.#rows.expectedOf(one, ask);
    if (typeof found !== "function") return this.#compare(one, found);
    // One that is held is over once its freebie is counted.
    if (one.settled !== undefined || (one.hold !== undefined && one.freebie_counted !== undefined)) {
      this.#pending.set(one.seq, found);
      return [];
    }
    return this.#compare(one, found(one.at, this.#isThere));
  }

  /** Whether there is a store for what has no place in one: not for an audit of a store that processes share (G12). */
  get #isThere(): boolean {
    return this.#parts.stores.placeOf(undefined) !== null;
  }

  /** The free request of a decision was counted, or was not, at a place of its own (G7, G12). */
  countFreebie(one: LogDecision): FieldDifference[] {
    const found = this.#parts.shared.count(one);
    return one.settled === undefined ? [...found, ...this.#finish(one, one.at, this.#isThere)] : found;
  }

  /** What a decision comes to whose freebie was counted, or was not, at a time after others (`settled`). */
  settle(one: LogDecision): FieldDifference[] {
    const { stores, word } = this.#parts;
    const { at, order } = one.settled!;
    const isReached = !stores.isShared || order !== undefined;
    if (!isReached) word.unreached += 1;
    return this.#finish(one, at, isReached);
  }

  #finish(one: LogDecision, at_ms: number, isReached: boolean): FieldDifference[] {
    const found = this.#pending.get(one.seq);
    this.#pending.delete(one.seq);
    if (found === undefined) return [];
    return this.#compare(one, found(at_ms, isReached));
  }

  #compare(one: LogDecision, expected: ExpectedDecision): FieldDifference[] {
    const { comparison, decided } = this.#parts;
    decided?.(one, expected);
    const inOrder = DECISION_FIELDS.map((field) => [field, expected[field]]);
    const found = comparison.compare(one, Object.fromEntries(inOrder), one.seq);
    const settles = expected.ended !== "held" && (expected.freebie === "counted" || isUndone(expected));
    const { seq, settled } = one;
    if (settles === (settled !== undefined)) return found;
    const told = { logged: settled ?? null, expected: settles ? "a moment" : null };
    return [...found, { seq, clause: "G7", field: "settled", ...told }];
  }
}

const isUndone = ({ freebie }: ExpectedDecision): boolean => freebie === "uncounted" || freebie === "taken";
