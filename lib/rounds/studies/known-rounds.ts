import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { readColumns } from "../../ingest/canonical-stream.ts";
import { readInputFile } from "../../store/read-file.ts";
import { projectRoot } from "../settings.ts";
import { scenarioFiles } from "../trials/scenario.ts";
import { listRequests } from "./request-list.ts";
import type { KnownRound } from "./showing-stream.ts";

/** Every scenario that comes with the contract, as rounds with documents of their own. */
export async function knownRounds(): Promise<KnownRound[]> {
  const names = await readdir(join(/* turbopackIgnore: true */ projectRoot(), "contract", "scenario"));
  return Promise.all(
    names.sort().map(async (name) => {
      const files = scenarioFiles(name);
      return {
        name,
        contract: await readFile(files.contract, "utf8"),
        policy: await readFile(files.policy, "utf8"),
        requests: listRequests((await readColumns(readInputFile(files.input))).columns),
      };
    }),
  );
}
