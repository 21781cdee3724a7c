import { probeStatus, unjudged } from "../probe/outcome.ts";
import { probeLines } from "../probe/print-probe.ts";
import { runProbe } from "../probe/run-probe.ts";
import type { LogOptions } from "./import.ts";
import { withLogStream } from "./log-stream.ts";
import { type RoundFileOptions, readingOf } from "./round-files.ts";

/**
 * `probe`: the outside view (§5.5), over a stream or a log. Prints its result last; 0 agreed, 1 did not, 3 could not judge.
 */
export const probeVerb = (options: RoundFileOptions & LogOptions): Promise<number> =>
  withLogStream(options, async (stream) => {
    const { contract, policy, report } = options;
    const outcome =
      stream.kind === "refused"
        ? unjudged(stream.message)
        : await runProbe({ contract, policy, input: stream.path, report, reading: readingOf(options) });
    for (const line of probeLines(outcome)) console.log(line);
    return probeStatus(outcome);
  });
