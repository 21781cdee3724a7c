import { join } from "node:path";
import { copyReadOnce, isReadOnce } from "../rounds/read-once.ts";
import { tellPeople } from "./tell.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

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
    for (const [index, path] of once.entries()) {
      const copy = await copyReadOnce(path, join(folder, String(index)));
      copies.set(path, copy);
      tellPeople(`${path} can be read only once: it was read into ${copy} first`);
    }
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
