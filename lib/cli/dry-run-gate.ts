import { dryRunGateFiles } from "../rounds/gates/gate-log-files.ts";
import { problemLine } from "../rounds/round-problem.ts";
import { tellPeople } from "./tell.ts";

/** Options of the verb, as commander hands them over. */
export interface DryRunGateOptions {
  config: string;
  first: number;
}

/** `dry-run-gate`: what a configuration would have done to a recorded stretch (G8): 0; 3 where nothing could be compared. */
export async function dryRunGateVerb(paths: string[], { config, first }: DryRunGateOptions): Promise<number> {
  const result = await dryRunGateFiles(paths, config, first);
  if (!result.ok) {
    for (const problem of result.problems) tellPeople(problemLine(problem));
    return 3;
  }
  const { decisions, unknown, newly_allowed, newly_refused, gaps } = result.value;
  for (const { file, line, message } of gaps)
    tellPeople(`${file}${line === null ? "" : `:${line}`}: not compared: ${message}`);
  tellPeople(
    `${decisions} requests: ${newly_allowed} newly allowed, ${newly_refused} newly refused, ${unknown} unknown`,
  );
  console.log(JSON.stringify(result.value));
  return decisions > unknown ? 0 : 3;
}
