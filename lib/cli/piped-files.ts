import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { asFileProblem } from "../store/file-problem.ts";
import { readInputFile } from "../store/read-file.ts";
import { tellPeople } from "./tell.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

/** Standard input, as command lines name it. It may be a socket, which cannot be opened by its path. */
const STDIN = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;
/** Places whose content is that of this process alone, whatever kind of file they lead to. */
const OF_THIS_PROCESS = /^\/(?:dev|proc)\//;

/** Whether what a path leads to can be read once only: a pipe, a terminal, what another command prints. */
async function isReadOnce(path: string): Promise<boolean> {
  if (STDIN.test(path)) return true;
  const entry = await stat(path).catch(() => null);
  // What is not there, or is a folder, is told by whoever reads it.
  if (entry === null || entry.isDirectory()) return false;
  return !entry.isFile() || OF_THIS_PROCESS.test(path);
}

/** Copies what can be read once only into a folder of its own; its name stays. Errors are FileProblems. */
async function copied(path: string, folder: string): Promise<string> {
  const isStdin = STDIN.test(path);
  const copy = join(folder, isStdin ? "stdin" : basename(path));
  await mkdir(folder);
  try {
    await writeFile(copy, isStdin ? process.stdin : readInputFile(path));
  } catch (error) {
    throw asFileProblem(copy, error);
  }
  tellPeople(`${path} can be read only once: it was read into ${copy} first`);
  return copy;
}

/**
 * Runs a verb over files that can be read as often as it needs: a log is looked at before it is imported, and a second
 * reader of a pipe would find it empty, which no verdict may be made of. `keys` names the options that are files (or
 * lists of them).
 */
export async function withWholeFiles<K extends string, T extends { [key in K]?: string | string[] }>(
  options: T,
  keys: readonly K[],
  use: (options: T) => Promise<number>,
): Promise<number> {
  const paths = [...new Set(keys.flatMap((key) => options[key] ?? []))] as string[];
  const once: string[] = [];
  for (const path of paths) if (await isReadOnce(path)) once.push(path);
  if (once.length === 0) return use(options);
  return withTemporaryFolder("throttle-pipe-", async (folder) => {
    const copies = new Map<string, string>();
    for (const [index, path] of once.entries())
      copies.set(path, await copied(path, join(folder, String(index))));
    const whole = { ...options };
    for (const key of keys) {
      const named = options[key];
      if (named === undefined) continue;
      const found = [named].flat().map((path) => copies.get(path) ?? path);
      Object.assign(whole, { [key]: typeof named === "string" ? found[0] : found });
    }
    return use(whole);
  });
}
