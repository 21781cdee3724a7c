import type { HealthClaim } from "../../contract/bundle.ts";
import type { SignalBoard } from "../../contract/signals.ts";
import { counted } from "../format/format.ts";
import { foundText } from "./found-text.ts";

const list = (names: string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** The sentence of a false green: who says well, and what the recomputation found. */
export function falseGreenSentence(
  { signals }: SignalBoard,
  truth: Pick<HealthClaim, "mismatches" | "indeterminate">,
): string {
  const liars = signals.filter(({ lies }) => lies).map(({ name }) => name);
  const speakers = list(liars);
  const verb = liars.length === 1 ? "says" : "say";
  return `${speakers.charAt(0).toUpperCase()}${speakers.slice(1)} ${verb} well; the independent recomputation found ${foundText(truth)}.`;
}

/** Why signals do not say the same where none of them lies. @param skipped bad lines that were left out */
export function disagreementSentence(truth: Omit<HealthClaim, "status">, skipped: number): string {
  if (truth.checks === 0) return "The recomputation could not be made: nothing here counts as well.";
  const found = `The independent recomputation found ${foundText(truth)}`;
  if (skipped === 0) return `${found}; not every signal says the same.`;
  const left = `${counted(skipped, "line")} of the stream ${skipped === 1 ? "was" : "were"} left out`;
  return `${found}, but ${left}: the round is not clean (§5.4). Report, probe and acceptance look at what was read, and may say well.`;
}
