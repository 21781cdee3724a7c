import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { importFile } from "../rounds/import-file.ts";
import { type LogOptions, tellImport } from "./import.ts";
import { type RoundFileOptions, readingOf } from "./round-files.ts";
import { tellPeople } from "./tell.ts";

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

/** By which whoever started a verb ends it. */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The same for a verb that leaves nothing behind: the stream of a log is gone once it was used, or whoever waits for it ends it. */
export async function withLogStream(
  options: RoundFileOptions & LogOptions,
  use: (stream: LogStream) => Promise<number>,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "throttle-log-"));
  const end = (signal: NodeJS.Signals) => {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    // As if nobody had listened.
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING) process.once(signal, end);
  try {
    return await use(await logStream(options, join(folder, "requests.jsonl")));
  } finally {
    for (const signal of ENDING) process.off(signal, end);
    await rm(folder, { recursive: true, force: true });
  }
}
