import type { LogDecision } from "../../../../contract/decision-log.ts";
import type { Admitted, Demand, Machine } from "../machine.ts";

/** What a decision's line should say, as far as the reference can tell. */
export type ExpectedDecision = Pick<
  LogDecision,
  | "version"
  | "service"
  | "client"
  | "rules"
  | "verdict"
  | "reason"
  | "denied_by"
  | "retry_after_ms"
  | "balances"
  | "freebie"
  | "freebies_used"
  | "ended"
>;

/** A decision that is not over before its freebie is counted: what it comes to then. Not reached: the store was not. */
export type Pending = (at_ms: number, isReached: boolean) => ExpectedDecision;

/** What the store has come to, as far as a decision asks it. Throws where the log does not tell where it was asked (G12). */
export type Ask = () => Machine;

/** What is known of a decision before its verdict. */
export type Undecided = Omit<ExpectedDecision, "verdict">;

/** What is asked of the store for a request, before it is known how its admission ends. */
export type OpenDemand = Omit<Demand, "label" | "freebie">;

/** What a decision says of which nothing was asked. */
export const NOTHING = { reason: null, denied_by: [], retry_after_ms: null, balances: [] };

/** As logged where it is of the kind by which the request is limited (G3, G7). */
export function clientOf({ client }: LogDecision, byToken: boolean): string | null {
  if (client === null) return byToken ? "token:…" : null;
  const kind = byToken ? "token:" : "ip:";
  return client.startsWith(kind) ? client : `${kind}…`;
}

/** What a decision says whose demand the store refused (G4, G6). */
export function denied(admitted: Extract<Admitted, { ok: false }>) {
  const { ok: _, ...found } = admitted;
  return { ...found, verdict: "denied" as const };
}
