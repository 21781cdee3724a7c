import type { GateStep } from "../../../contract/gate-case.ts";
import { faultyScripts } from "../../faults/gate/script-fault.ts";
import { SCRIPT_FAULTS } from "../../faults/gate/script-faults.ts";
import { SCRIPTS } from "../../gate/shared/connection.ts";
import { SharedTrial } from "./shared-trial.ts";

/** What a process of its own is asked to do on a store that it shares. */
export interface SharedTrialJob {
  readonly url: string;
  readonly prefix: string;
  readonly config: unknown;
  readonly secret: string;
  readonly steps: readonly GateStep[];
  /** Id of the fault that it has; null: it is honest. */
  readonly fault: string | null;
}

/** Steps that are under way at once. */
const AT_ONCE = 8;

/** Plays steps, several at a time, and gives the log. */
async function play({ url, prefix, config, secret, steps, fault }: SharedTrialJob): Promise<string> {
  const known = SCRIPT_FAULTS.find(({ id }) => id === fault);
  if (fault !== null && known === undefined) throw new Error(`no fault is named ${fault}`);
  const scripts = known === undefined ? SCRIPTS : faultyScripts(known);
  const gate = await SharedTrial.join(url, prefix, config, steps[0]?.at ?? 0, secret, scripts);
  try {
    for (let at = 0; at < steps.length; at += AT_ONCE)
      await Promise.all(steps.slice(at, at + AT_ONCE).map((step) => gate.step(step)));
    return gate.text;
  } finally {
    gate.close();
  }
}

process.on("disconnect", () => process.exit(1));
process.once("message", async (job: SharedTrialJob) => {
  try {
    process.send?.(await play(job), () => process.exit(0));
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
});
