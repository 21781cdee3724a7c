import { join } from "node:path";
import { importFile } from "../rounds/logs/import-file.ts";
import { type LogOptions, tellImport } from "./import.ts";
import { type RoundFileOptions, readingOf } from "./round-files.ts";
import { tellPeople } from "./tell.ts";
import { withTemporaryFolder } from "./temporary-folder.ts";

/** The stream to judge, or why there is none. */
export type LogStream =
  | { kind: "stream"; path: string }
  | { kind: "refused"; status: number; message: string };

/** The canonical stream that a verb judges: its input itself, or what a log is made into, written to `out`. */
export async function logStream(options: RoundFileOptions & LogOptions, out: string): Promise<LogStream> {
  const { input, format, map, from, to } = options;
  const reading = readingOf(options);
  const result = await importFile({ log: input, out, format, map, from, to, reading, copyCanonical: false });
  if (result.kind === "imported") {
    tellImport(input, result.summary);
    tellPeople([`${input}: ${result.title}`, ...result.notes].join("\n"));
    return { kind: "stream", path: out };
  }
  if (result.kind === "refused" && !result.isMissing) {
    if (result.summary !== null) tellImport(input, result.summary);
    return { kind: "refused", status: result.problem.status, message: result.problem.message };
  }
  // Whoever reads the stream says what is wrong with one that is none, after contract and policy were judged.
  if (result.kind === "unknown") tellPeople(`${input}: ${result.reason}; read as a canonical stream`);
  return { kind: "stream", path: input };
}

/** The same for a verb that leaves nothing behind: the stream of a log is gone once it was used, or whoever waits for it ends it. */
export const withLogStream = (
  options: RoundFileOptions & LogOptions,
  use: (stream: LogStream) => Promise<number>,
): Promise<number> =>
  withTemporaryFolder("throttle-log-", async (folder) =>
    use(await logStream(options, join(folder, "requests.jsonl"))),
  );
