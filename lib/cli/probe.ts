import { outcomeLines, outcomeStatus } from "../probe/print-outcome.ts";
import { probeRound } from "../probe/probe.ts";
import { type RoundFileOptions, readingOf } from "./round-files.ts";

/** `probe`: the outside view (§5.5). Prints its result last; 0 agreed, 1 did not, 3 could not judge. */
export async function probeVerb(options: RoundFileOptions): Promise<number> {
  const outcome = await probeRound(options, readingOf(options));
  for (const line of outcomeLines(outcome)) console.log(line);
  return outcomeStatus(outcome);
}
