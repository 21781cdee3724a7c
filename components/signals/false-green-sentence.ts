import type { SignalBoard } from "../../contract/signals.ts";
import { counted } from "../format/format.ts";

const list = (names: string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** The sentence of a false green: who says well, and what the recomputation found. */
export function falseGreenSentence({ signals, true_mismatches }: SignalBoard): string {
  const liars = signals.filter(({ lies }) => lies).map(({ name }) => name);
  const speakers = list(liars);
  const verb = liars.length === 1 ? "says" : "say";
  return `${speakers.charAt(0).toUpperCase()}${speakers.slice(1)} ${verb} well; the independent recomputation found ${counted(true_mismatches ?? 0, "difference")}.`;
}
