import { negativeGateRun } from "../rounds/gates/negative-gate.ts";
import { type NegativeResult, negativeRun } from "../rounds/trials/negative-run.ts";

/** `negative`: injects every known fault (§6). 0 where each was caught, else 1; zero faults run is a failure. */
export const negativeVerb = async (): Promise<number> => told(await negativeRun());

/** `negative-gate`: the same for the faults of the live limiter, which the audit of its log must find (G11). */
export const negativeGateVerb = async (): Promise<number> => told(await negativeGateRun());

function told(results: NegativeResult[]): number {
  for (const { id, clause, caught, detail } of results)
    console.log(`${caught ? "CAUGHT" : "MISS  "} ${id} (${clause}): ${detail}`);
  const passed = results.filter(({ caught }) => caught).length;
  const failed = results.length - passed;
  console.log(`NPASS=${passed} NFAIL=${failed}`);
  const isWell = failed === 0 && passed > 0;
  console.log(`RESULT: ${isWell ? "OK" : "BAD"}`);
  return isWell ? 0 : 1;
}
