import { TrialFolder } from "./trial-folder.ts";
import { verifyContext } from "./verify-context.ts";
import { VERIFY_CRITERIA } from "./verify-criteria.ts";

export interface VerifyResult {
  group: string;
  clause: string;
  title: string;
  holds: boolean;
  /** Why it could not be judged, where that is so: then it does not hold. */
  detail: string;
}

/** The acceptance run on the scenario (§7): every criterion, in groups. */
export function verifyRun(): Promise<VerifyResult[]> {
  return TrialFolder.use(judgeScenario);
}

async function judgeScenario(folder: TrialFolder): Promise<VerifyResult[]> {
  const context = await verifyContext(folder);
  const results: VerifyResult[] = [];
  for (const { group, clause, title, holds } of VERIFY_CRITERIA) {
    try {
      results.push({ group, clause, title, holds: await holds(context), detail: "" });
    } catch (error) {
      results.push({
        group,
        clause,
        title,
        holds: false,
        detail: error instanceof Error ? error.message : String(error),
      });
    }
  }
  return results;
}
