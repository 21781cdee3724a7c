import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { SharedPlayground } from "../gate/shared/conform-shared.ts";
import { conformGateText } from "../rounds/gates/conform-gate.ts";
import { CaseProblem, conformCase, readCase } from "../rounds/trials/conform-case.ts";
import { countText } from "./count-text.ts";
import { tellPeople } from "./tell.ts";

/** What a case came to, as far as the exit status asks: it is printed as it is. */
interface CaseOutcome {
  equal: boolean;
  expected?: boolean | null;
}

type RunCase = (text: string, file: string) => CaseOutcome | Promise<CaseOutcome>;

/** The case files behind a path: itself, or every .json in a folder. */
async function caseFiles(path: string): Promise<string[]> {
  const entry = await stat(path).catch(() => null);
  if (entry === null || !entry.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith(".json")).sort();
  if (names.length === 0) throw new CaseProblem(`${path}: holds no .json; expected case files`);
  return names.map((name) => join(path, name));
}

/** Runs one case and prints it; false where it differs, or is no case. */
async function runCase(file: string, run: RunCase): Promise<boolean> {
  try {
    const outcome = await run(await readCase(file), file);
    console.log(JSON.stringify(outcome));
    return outcome.equal && outcome.expected !== false;
  } catch (error) {
    if (!(error instanceof CaseProblem)) throw error;
    tellPeople(error.message);
    return false;
  }
}

/** Runs every case behind the paths: 0 when all agree, else 2. No case at all is no agreement. */
async function runCases(paths: string[], run: RunCase): Promise<number> {
  let agreed = 0;
  let differed = 0;
  for (const path of paths) {
    const files = await caseFiles(path).catch((error: unknown) => {
      if (!(error instanceof CaseProblem)) throw error;
      tellPeople(error.message);
      differed += 1;
      return [];
    });
    for (const file of files) {
      if (await runCase(file, run)) agreed += 1;
      else differed += 1;
    }
  }
  tellPeople(
    `${countText(agreed, "case agrees", "cases agree")}, ${differed} ${differed === 1 ? "does" : "do"} not`,
  );
  return differed === 0 && agreed > 0 ? 0 : 2;
}

/** `conform`: case files through engine and reference. */
export const conformVerb = (paths: string[]): Promise<number> => runCases(paths, conformCase);

/** The shared store of an address, of which a password is not repeated. */
async function reached(redis: string): Promise<SharedPlayground> {
  try {
    return await SharedPlayground.open(redis);
  } catch (error) {
    const place = URL.canParse(redis) ? new URL(redis).host : "that of --redis";
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the shared store ${place} cannot be reached, nothing was judged: ${reason}`);
  }
}

/**
 * `conform-gate`: gate case files on the gate in memory, on the shared store behind `redis` where it is given, and in the
 * reference (G13). Rejects where that server cannot be reached: then nothing is judged.
 */
export async function conformGateVerb(
  paths: string[],
  { redis }: { redis?: string | undefined },
): Promise<number> {
  const playground = redis === undefined ? null : await reached(redis);
  try {
    return await runCases(paths, (text, file) => conformGateText(text, file, playground));
  } finally {
    playground?.close();
  }
}
