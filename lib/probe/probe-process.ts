/**
 * The probe as a process of its own (§5.5): it shares no memory with the service whose report it judges.
 *
 *     node lib/probe/probe-process.ts --contract F --policy F --input F --report F [--lenient] [--json]
 */
import { parseArgs } from "node:util";
import { type ProbeOutcome, probeStatus, unjudged } from "./outcome.ts";
import { probeLines } from "./print-probe.ts";
import { runProbe } from "./run-probe.ts";

function readArguments() {
  const file = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  return parseArgs({
    options: { contract: file, policy: file, input: file, report: file, lenient: flag, json: flag },
  }).values;
}

async function probe(flags: ReturnType<typeof readArguments>): Promise<ProbeOutcome> {
  const { contract, policy, input, report, lenient } = flags;
  if (contract === undefined || policy === undefined || input === undefined || report === undefined)
    return unjudged("--contract, --policy, --input and --report must each name a file");
  return await runProbe({ contract, policy, input, report, reading: lenient ? "lenient" : "strict" });
}

/** Whatever goes wrong in here is a judgement that was not made, never a stack trace and never a pass. */
async function outcomeOf(): Promise<{ outcome: ProbeOutcome; json: boolean }> {
  let json = process.argv.includes("--json");
  try {
    const flags = readArguments();
    json = flags.json;
    return { outcome: await probe(flags), json };
  } catch (error) {
    return { outcome: unjudged((error as Error).message), json };
  }
}

const { outcome, json } = await outcomeOf();
process.stdout.write(`${probeLines(outcome, json).join("\n")}\n`);
process.exitCode = probeStatus(outcome);
