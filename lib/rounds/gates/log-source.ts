import { type LogHeader, logLineSchema } from "../../../contract/decision-log.ts";
import { logLines } from "./log-lines.ts";

/** A file of a log, to be read from the front, as often as it is asked for. */
export interface LogSource {
  readonly name: string;
  blocks(): AsyncIterable<Uint8Array>;
}

/** A line of a file, from 1. */
export interface LogPlace {
  readonly file: string;
  readonly line: number;
}

/** Files of the same log together, in the order in which they come; a file whose head cannot be read is a log by itself. */
export async function logsOf(sources: readonly LogSource[]): Promise<LogSource[][]> {
  const logs = new Map<string, LogSource[]>();
  for (const [index, source] of sources.entries()) {
    const log = (await headOf(source))?.log ?? `file ${index}`;
    logs.set(log, [...(logs.get(log) ?? []), source]);
  }
  return [...logs.values()];
}

async function headOf(source: LogSource): Promise<LogHeader | null> {
  try {
    for await (const { bytes } of logLines(source.blocks())) {
      const parsed = logLineSchema.safeParse(JSON.parse(bytes.toString()));
      return parsed.data?.line === "header" ? parsed.data : null;
    }
  } catch {
    // Whoever reads the file says what is wrong with it.
  }
  return null;
}
