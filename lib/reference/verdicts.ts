import type { Reason, Verdict } from "../../contract/verdicts.ts";
import type { FoundVerdict, GroupVerdict } from "./rules.ts";

const VERDICTS: readonly Verdict[] = ["accepted", "accepted", "rejected", "rejected", "queued", "rejected"];
const REASONS: readonly (Reason | null)[] = [
  null,
  null,
  "exceeds_capacity",
  "queue_expired",
  null,
  "insufficient_tokens",
];

/** What a step comes to; an error where there is no such step, as of a group that was not decided. */
export function outcomeOf(step: number): Pick<GroupVerdict, "verdict" | "reason"> {
  const verdict = VERDICTS[step - 1];
  if (verdict === undefined) throw new Error(`§3.4 has no step ${step}`);
  return { verdict, reason: REASONS[step - 1]! };
}

/** Whether a step breaks the reserve: to borrow is the only one that does. */
export const isBreach = (step: number): boolean => step === 2;

/** What became of each group, as columns: the step of §3.4, and the wait (NaN: it has no value). */
export class VerdictTable {
  readonly step: Uint8Array<ArrayBuffer>;
  readonly wait_ms: Float64Array<ArrayBuffer>;

  /** None decided yet; or the columns of one whose groups were. */
  constructor(groups: number | Pick<VerdictTable, "step" | "wait_ms">) {
    this.step = typeof groups === "number" ? new Uint8Array(groups) : groups.step;
    this.wait_ms = typeof groups === "number" ? new Float64Array(groups) : groups.wait_ms;
  }

  keep(group: number, { step, wait_ms }: FoundVerdict): void {
    this.step[group] = step;
    this.wait_ms[group] = wait_ms ?? Number.NaN;
  }

  at(group: number): GroupVerdict {
    const step = this.step[group]!;
    if (step === 0) throw new Error(`group ${group} was not decided`);
    const wait_ms = this.wait_ms[group]!;
    return {
      step: step as GroupVerdict["step"],
      verdict: VERDICTS[step - 1]!,
      reason: REASONS[step - 1]!,
      wait_ms: Number.isNaN(wait_ms) ? null : wait_ms,
      reserve_breached: isBreach(step),
    };
  }
}
