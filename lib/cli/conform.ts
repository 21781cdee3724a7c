import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { CaseProblem, conformFile } from "../rounds/conform-case.ts";

/** The case files behind a path: itself, or every .json in a folder. */
async function caseFiles(path: string): Promise<string[]> {
  const entry = await stat(path).catch(() => null);
  if (entry === null || !entry.isDirectory()) return [path];
  const names = (await readdir(path)).filter((name) => name.endsWith(".json")).sort();
  if (names.length === 0) throw new CaseProblem(`${path}: holds no .json; expected case files`);
  return names.map((name) => join(path, name));
}

/** `conform`: case files through engine and reference. 0 when all agree with each other and with the case, else 2. */
export async function conformVerb(paths: string[]): Promise<number> {
  let agreed = 0;
  let differed = 0;
  for (const path of paths) {
    try {
      for (const file of await caseFiles(path)) {
        const result = await conformFile(file).catch((error: unknown) => {
          if (!(error instanceof CaseProblem)) throw error;
          console.error(error.message);
          return null;
        });
        if (result !== null) console.log(JSON.stringify(result));
        if (result?.equal === true && result.expected !== false) agreed += 1;
        else differed += 1;
      }
    } catch (error) {
      if (!(error instanceof CaseProblem)) throw error;
      console.error(error.message);
      differed += 1;
    }
  }
  console.error(`${agreed} cases agree, ${differed} do not`);
  return differed === 0 && agreed > 0 ? 0 : 2;
}
