import type { GroupRow } from "../../../contract/group.ts";
import { REASONS, VERDICTS } from "../../../contract/verdicts.ts";
import { codeOf } from "../../store/view-rows.ts";

/** What the steps of §3.4 come to, in the numbers of a view. Each step is asked for once, when it is first met. */
export class StepCodes {
  private readonly outcome: (step: number) => Pick<GroupRow, "verdict" | "reason">;
  private readonly verdicts: number[] = [];
  private readonly reasons: (number | null)[] = [];

  /** @param outcome what one side takes a step for; an error where there is no such step */
  constructor(outcome: StepCodes["outcome"]) {
    this.outcome = outcome;
  }

  verdict(step: number): number {
    return this.verdicts[step] ?? this.meet(step);
  }

  reason(step: number): number | null {
    if (this.verdicts[step] === undefined) this.meet(step);
    return this.reasons[step]!;
  }

  private meet(step: number): number {
    const { verdict, reason } = this.outcome(step);
    this.reasons[step] = reason === null ? null : codeOf(REASONS, reason);
    const code = codeOf(VERDICTS, verdict);
    this.verdicts[step] = code;
    return code;
  }
}
