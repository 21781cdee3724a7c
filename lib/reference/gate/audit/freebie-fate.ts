import type { LogDecision } from "../../../../contract/decision-log.ts";
import type { Label } from "../admission.ts";
import { type Balances, balancesOf } from "../machine.ts";
import type { AuditedStores } from "./audited-store.ts";
import type { ExpectedDecision, Pending, Undecided } from "./expected-decision.ts";

/** An admission whose free request is not counted yet (G7). */
export interface FreebieAdmission {
  /** What its decision says already, with the free requests that were used before. */
  readonly common: Undecided;
  readonly label: Label;
  /** Tokens that it took. */
  readonly taken: number;
  readonly balances: Balances;
}

/**
 * What an admission comes to, once it is known what became of its free request (G7): one that is counted is allowed; if
 * counting fails, or another one took the last, the admission is cancelled.
 */
export function fated(
  one: LogDecision,
  admission: FreebieAdmission,
  fate: LogDecision["freebie"],
  stores: AuditedStores,
): Pending {
  return fate === "counted" ? allowed(one, admission, stores) : undone(one, admission, fate, stores);
}

/** An admission that stays provisional, its free request counted. */
export function held({ common, balances }: FreebieAdmission): ExpectedDecision {
  return { ...common, verdict: "allowed", balances, freebie: "counted", ended: "held" };
}

function allowed(one: LogDecision, admission: FreebieAdmission, stores: AuditedStores): Pending {
  return (at_ms, isReached) => {
    if (one.hold !== undefined) return held(admission);
    if (isReached) settle(one, admission.label, "committed", at_ms, stores);
    return { ...held(admission), ended: admission.taken === 0 ? "none" : "committed" };
  };
}

function undone(
  one: LogDecision,
  { common, label }: FreebieAdmission,
  fate: LogDecision["freebie"],
  stores: AuditedStores,
): Pending {
  return (at_ms, isReached) => {
    const balances = isReached ? balancesOf(settle(one, label, "cancelled", at_ms, stores)) : [];
    const failed = { ...common, freebie: fate };
    if (fate === "taken") return { ...failed, verdict: "challenged", ended: "cancelled" };
    const ended = balances.length > 0 ? "cancelled" : "none";
    return { ...failed, verdict: "error", balances, ended };
  };
}

/** Ends the admission; of a shared store, the end has a place of its own (G12). */
function settle(
  { settled }: LogDecision,
  label: Label,
  how: "committed" | "cancelled",
  at_ms: number,
  stores: AuditedStores,
) {
  return stores.machineOf(settled?.order).settle(label, how, at_ms);
}
