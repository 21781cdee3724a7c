import { probeStatus } from "../probe/outcome.ts";
import { probeLines } from "../probe/print-probe.ts";
import { runProbe } from "../probe/run-probe.ts";
import { type RoundFileOptions, readingOf } from "./round-files.ts";

/** `probe`: the outside view (§5.5). Prints its result last; 0 agreed, 1 did not, 3 could not judge. */
export async function probeVerb(options: RoundFileOptions): Promise<number> {
  const { contract, policy, input, report } = options;
  const outcome = await runProbe({ contract, policy, input, report, reading: readingOf(options) });
  for (const line of probeLines(outcome)) console.log(line);
  return probeStatus(outcome);
}
