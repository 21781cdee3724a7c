import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { asFileProblem } from "../store/file-problem.ts";
import { readInputFile } from "../store/read-file.ts";

/** Standard input, as command lines name it. It may be a socket, which cannot be opened by its path. */
const STDIN = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;
/** Places whose content is that of this process alone, whatever kind of file they lead to. */
const OF_THIS_PROCESS = /^\/(?:dev|proc)\//;

/** Whether what a path leads to can be read once only: a pipe, a terminal, what another command prints. */
export async function isReadOnce(path: string): Promise<boolean> {
  if (STDIN.test(path)) return true;
  const entry = await stat(path).catch(() => null);
  // What is not there, or is a folder, is told by whoever reads it.
  if (entry === null || entry.isDirectory()) return false;
  return !entry.isFile() || OF_THIS_PROCESS.test(path);
}

/** Copies what can be read once only into a new folder of its own; its name stays. Returns the copy. Errors are FileProblems. */
export async function copyReadOnce(path: string, folder: string): Promise<string> {
  const isStdin = STDIN.test(path);
  const copy = join(folder, isStdin ? "stdin" : basename(path));
  await mkdir(folder);
  try {
    await writeFile(copy, isStdin ? process.stdin : readInputFile(path));
  } catch (error) {
    throw asFileProblem(copy, error);
  }
  return copy;
}
