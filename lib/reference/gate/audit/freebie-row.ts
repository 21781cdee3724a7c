import type { LogDecision, LogHeader } from "../../../../contract/decision-log.ts";
import type { Label } from "../admission.ts";
import type { Admitted } from "../machine.ts";
import type { FreebieCount } from "../state.ts";
import { type AuditedStores, NotNumbered } from "./audited-store.ts";
import {
  type Ask,
  denied,
  type ExpectedDecision,
  type OpenDemand,
  type Pending,
  type Undecided,
} from "./expected-decision.ts";
import { type FreebieAdmission, fated, held } from "./freebie-fate.ts";
import type { GateWord } from "./gate-word.ts";
import type { KnownSnapshots } from "./known-snapshots.ts";
import type { FreebieBound, SharedFreebies } from "./shared-freebies.ts";

/** A request without a valid credential to a service that gives some for free. */
export interface FreebieDemand {
  readonly ask: Ask;
  readonly common: Undecided;
  readonly demand: OpenDemand;
  /** Free requests of each client. */
  readonly most: number;
}

export interface FreebieRowParts {
  readonly freebies: LogHeader["freebies"];
  readonly snapshots: KnownSnapshots;
  readonly stores: AuditedStores;
  readonly shared: SharedFreebies;
  readonly word: GateWord;
}

/** The row of G7 that is about free requests: only an admitted request counts one. */
export class FreebieRow {
  readonly #isInMemory: boolean;
  readonly #isOwn: boolean;
  readonly #stores: AuditedStores;
  readonly #shared: SharedFreebies;
  readonly #word: GateWord;

  constructor({ freebies, snapshots, stores, shared, word }: FreebieRowParts) {
    this.#isInMemory = freebies === "memory";
    this.#isOwn = this.#isInMemory || snapshots.isReplaced;
    this.#stores = stores;
    this.#shared = shared;
    this.#word = word;
  }

  /** What the decision comes to, free requests left or not. A function: it is not over yet. */
  expectedOf(one: LogDecision, asked: FreebieDemand): ExpectedDecision | Pending {
    const { common, demand, most } = asked;
    const freebie = this.#countOf(one, asked);
    if (freebie === null) return { ...common, verdict: "error", freebie: "unread" };
    const used = { ...common, freebies_used: freebie.count };
    if (used.freebies_used >= most) return { ...used, verdict: "challenged", freebie: "exhausted" };
    const label: Label = one.hold ?? Symbol("settled");
    const missed = one.unreached === true ? this.#word.outOfReach(demand.service) : null;
    if (missed?.verdict === "denied") return { ...used, ...missed, freebie: "unspent" };
    const admitted: Admitted =
      missed === null
        ? asked.ask().admit({ ...demand, label, freebie: this.#heldOf(freebie, asked) })
        : { ok: true, taken: 0, balances: [] };
    if (!admitted.ok) return { ...used, ...denied(admitted), freebie: "unspent" };
    const { taken, balances } = admitted;
    const bound = { service: demand.service.name, client: demand.client, most };
    return this.#whenCounted(one, { common: used, label, taken, balances }, freebie, bound);
  }

  /** What becomes of an admission: its freebie is counted at a later place, or here, or the gate's word is taken for it. */
  #whenCounted(
    one: LogDecision,
    admission: FreebieAdmission,
    freebie: FreebieCount,
    bound: FreebieBound,
  ): ExpectedDecision | Pending {
    const over = (fate: LogDecision["freebie"]) => fated(one, admission, fate, this.#stores);
    if (one.freebie_counted !== undefined && this.#stores.isShared) {
      this.#shared.expectCount(one, bound);
      return (at_ms, isReached) => over(this.#shared.isCounted(one) ? "counted" : "taken")(at_ms, isReached);
    }
    // That one could not be counted, or was counted or taken elsewhere, is a fact that only the gate knew.
    if (this.#shared.isNumbered && one.freebie !== "uncounted") throw new NotNumbered("freebie_counted");
    const isFact = one.freebie === "uncounted" || (one.freebie === "taken" && !this.#isInMemory);
    if (isFact) this.#word.unproven_freebies += 1;
    if (isFact) return over(one.freebie);
    freebie.count += 1;
    return one.hold === undefined ? over("counted") : held(admission);
  }

  /** The client's free requests: those that were counted here, or as many as the gate was told elsewhere; null: unread. */
  #countOf(one: LogDecision, { ask, demand }: FreebieDemand): FreebieCount | null {
    const read = this.#shared.readBy(one);
    if (read !== undefined) return { count: read };
    if (!this.#isOwn || one.freebie === "unread") this.#word.unproven_freebies += 1;
    if (one.freebie === "unread") return null;
    if (this.#shared.isNumbered) throw new NotNumbered("freebie_read");
    return this.#isOwn
      ? ask().freebiesOf(demand.service.name, demand.client)
      : { count: one.freebies_used ?? 0 };
  }

  /** What an admission holds of free requests: on a shared store, whoever cancels it gives that back there. */
  #heldOf(told: FreebieCount, { ask, demand }: FreebieDemand): FreebieCount {
    return this.#shared.isNumbered ? ask().freebiesOf(demand.service.name, demand.client) : told;
  }
}
