import type { GroupRow } from "../../contract/group.ts";
import { formatSpan, formatTokens } from "../format/format.ts";

/** Differences of printed doubles carry their noise; twelve digits are more than a token amount has. */
const tidy = (tokens: number): number => Number(tokens.toPrecision(12));

const amount = (tokens: number): string => `${formatTokens(tokens)} ${tokens === 1 ? "token" : "tokens"}`;

/** What decided a group, in words, by the step of §3.4. */
export const STEP_TEXTS: Readonly<Record<number, string>> = {
  1: "the balance covers what is required",
  2: "borrowed: the tier is guaranteed and the balance is at or above the reserve",
  3: "what is required exceeds the capacity",
  4: "the wait is longer than the grace, or has no end",
  5: "every member may wait, and the wait is within the grace",
  6: "tokens lack, and a member must not wait",
};

/** The smallest change that would have turned a group's verdict, from its own arithmetic (§3.2–§3.4). */
export function turningPoint(
  group: Pick<GroupRow, "step" | "signed_balance" | "required" | "wait_ms">,
): string {
  const lacking = tidy(group.required - Math.max(group.signed_balance, 0));
  const more = `${amount(lacking)} more`;
  if (group.step === 1) {
    const spare = tidy(group.signed_balance - group.required);
    return spare === 0 ? "accepted to the last token" : `still accepted with ${amount(spare)} fewer`;
  }
  if (group.step === 2) return `${more} would have spared the reserve`;
  if (group.step === 3) return "no wait helps: only a larger capacity, or a smaller group";
  if (group.wait_ms === null) return `${more}; no wait helps, since nothing is earned in time`;
  return `${more}, or ${formatSpan(group.wait_ms)} later`;
}
