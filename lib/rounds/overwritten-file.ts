import { stat } from "node:fs/promises";
import { FileProblem } from "../store/file-problem.ts";

/** Which file a path leads to, whatever it is called; null where there is none. */
async function identityOf(path: string): Promise<string | null> {
  const entry = await stat(path, { bigint: true }).catch(() => null);
  return entry === null ? null : `${entry.dev}:${entry.ino}`;
}

/**
 * Refuses to write over what is read: the log of an incident is there once. Throws a FileProblem that says which of the
 * `inputs` (what they are, and their paths) `out` is.
 */
export async function refuseOverwriting(
  out: string,
  inputs: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const written = await identityOf(out);
  if (written === null) return;
  for (const [what, path] of Object.entries(inputs))
    if (path !== undefined && (await identityOf(path)) === written)
      throw new FileProblem(out, `is ${what} itself, and would be overwritten; expected another file`);
}
