import { parseArgs } from "node:util";
import { outcomeStatus } from "./print-outcome.ts";
import { probeRound } from "./probe.ts";

/** The probe as a process of its own (§5.5): prints one JSON line and exits 0, 1 or 3. */
const { values } = parseArgs({
  options: {
    contract: { type: "string" },
    policy: { type: "string" },
    input: { type: "string" },
    report: { type: "string" },
    lenient: { type: "boolean", default: false },
  },
});
const { contract = "", policy = "", input = "", report = "", lenient } = values;
const outcome = await probeRound({ contract, policy, input, report }, lenient ? "lenient" : "strict");
console.log(JSON.stringify(outcome));
process.exitCode = outcomeStatus(outcome);
