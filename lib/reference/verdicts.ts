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
      reserve_breached: step === 2,
    };
  }
}
