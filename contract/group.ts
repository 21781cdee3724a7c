import type { Rows } from "./rows.ts";
import type { Reason, Verdict } from "./verdicts.ts";

/**
 * How one group was decided: the arithmetic of §3.2–§3.4 laid open, for people to follow. Engine and reference each
 * make their own. Tokens are doubles nearest to the exact values.
 */
export interface GroupRow {
  /** Place among the decided groups, from 0. */
  position: number;
  tenant: string;
  tier: string;
  /** The group's time (§3.1), milliseconds since the start of the round. */
  time_ms: number;
  /** Signed balance after refill, before the debit (§3.2). */
  signed_balance: number;
  /** Signed balance after the debit. */
  signed_after: number;
  required: number;
  /** The formula of §3.3, also of a group that is accepted; null where it has no value. See `decidedWait`. */
  wait_ms: number | null;
  /** Which step of §3.4 decided, 1 … 6. */
  step: number;
  verdict: Verdict;
  reason: Reason | null;
  reserve_breached: boolean;
  /** Ids of the members, in dispatch order. */
  req_ids: string[];
}

/**
 * How long a group waits, in ms, as its decision says (§3.4): 0 for what is accepted and null for what exceeds
 * the capacity, whatever the formula comes to.
 */
export const decidedWait = ({
  verdict,
  reason,
  wait_ms,
}: Pick<GroupRow, "verdict" | "reason" | "wait_ms">): number | null =>
  verdict === "accepted" ? 0 : reason === "exceeds_capacity" ? null : wait_ms;

/**
 * The values of groups by themselves, each by the place of its row: what a table of millions is written from, where an
 * object a row would take longer to make than all else.
 */
export interface GroupColumns {
  /** Every tenant that a group can be of. */
  tenants: readonly string[];
  /** Of each tenant its tier; null where it has no bucket. */
  tiers: readonly (string | null)[];
  position(row: number): number;
  /** Which of the tenants. */
  tenant(row: number): number;
  time_ms(row: number): number;
  signed_balance(row: number): number;
  signed_after(row: number): number;
  required(row: number): number;
  /** NaN where it has no value. */
  wait_ms(row: number): number;
  step(row: number): number;
  /** What a step of §3.4 comes to; an error where there is none. */
  outcome(step: number): Pick<GroupRow, "verdict" | "reason">;
  reserve_breached(row: number): boolean;
  members(row: number): number;
  /** A member, to ask further: first the first, then the next, −1 behind the last. */
  firstMember(row: number): number;
  nextMember(row: number, member: number): number;
  /** Ids as bytes of UTF-8, all together; those of a member are from `idStart` to `idEnd`. */
  idBytes: Uint8Array;
  idStart(member: number): number;
  idEnd(member: number): number;
}

/** Groups as rows that are made when they are asked for. */
export interface GroupRows extends Rows<GroupRow> {
  /** The group of the request at a place of the dispatch order (§3.5); undefined where there is none, or it was not kept. */
  ofPlace(place: number): GroupRow | undefined;
  columns(): GroupColumns;
}
