import { asFileProblem, isFileProblem } from "../store/file-problem.ts";
import { isNotAsJudged } from "./file-seals.ts";

/**
 * Why what was asked for was not done, in words for people: the disk takes nothing, or a stored file is not what was
 * judged. Any other error is thrown on. Whatever writes does it in one statement, or puts files in place by renaming
 * them: where it fails, nothing was changed.
 */
export function whyNot(error: unknown): string {
  if (isNotAsJudged(error)) return error.message;
  const problem = asFileProblem("data folder", error);
  if (!isFileProblem(problem)) throw error;
  console.error(error);
  return `It could not be stored, and nothing was changed: ${problem.message}.`;
}

/** Runs what writes; null, or why it was not done. */
export async function told(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return whyNot(error);
  }
}
