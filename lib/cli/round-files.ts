import { join } from "node:path";
import type { Reading } from "../../contract/request.ts";
import { dataDir } from "../rounds/settings.ts";
import { scenarioFiles } from "../rounds/trials/scenario.ts";

/** The files a verb works on, as its options name them. */
export interface RoundFileOptions {
  contract: string;
  policy: string;
  input: string;
  report: string;
  lenient?: boolean;
}

/** The scenario's inputs, and a report in the data folder. */
export function defaultFiles(): { contract: string; policy: string; input: string; report: string } {
  return { ...scenarioFiles(), report: join(dataDir(), "report.json") };
}

/** How bad lines are met (§1.3): strict unless the user said otherwise. */
export function readingOf(options: { lenient?: boolean }): Reading {
  return options.lenient === true ? "lenient" : "strict";
}
