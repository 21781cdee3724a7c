import { ARRIVAL_MAX_MS, PROBLEMS_SHOWN } from "../../../contract/limits.ts";
import type { ImportProblem, ImportSummary, Mapping, Packing } from "../../../contract/mapping.ts";
import { ArrivalDays } from "./arrival-days.ts";
import { boundedLines } from "./bounded-lines.ts";
import { elapsedMs, type ImportedRequest, type Instant, isBefore, type LineSink } from "./imported-line.ts";
import { clip, LineImporter } from "./line-importer.ts";
import { type OpenLog, openUnpacked } from "./open-log.ts";
import { isoText } from "./stamp.ts";

/** Where lines wait until the earliest arrival is known: text is appended, then all of it read once, in order. */
export interface Spool {
  clear(): Promise<void>;
  append(text: string): Promise<void>;
  chunks(): AsyncIterable<Uint8Array>;
}

const DAY_MS = 86_400_000;

/** The earliest arrival of a log, and the line that has it: often the line at fault, where another is too late. */
type Start = NonNullable<ArrivalDays["first"]>;

/** Names both lines' moments: which of the two is wrong is for somebody to say. */
const tooLate = (arrived: Instant, { at, line }: Start): string =>
  `${isoText(arrived)} is more than ${ARRIVAL_MAX_MS / DAY_MS} days after the earliest arrival, ${isoText(at)} in line ${line}, ` +
  "and no round is longer (§1.3)";

/**
 * Writes what lines became, one line each, so that a line of the stream has the number that it has in the log: a
 * request with its moment still absolute; nothing for a line that holds none; for a problem its reason as a JSON string,
 * which no reader of the stream takes for a request: a round over it is never clean (§1.3).
 */
class SpoolSink implements LineSink {
  readonly problems: ImportProblem[] = [];
  requests = 0;
  problemCount = 0;
  otherLines = 0;
  outOfOrder = 0;
  /** Requests that arrived too long after the start. */
  beyond = 0;
  readonly days = new ArrivalDays();
  private text = "";
  /** Of a run over the same log before: the earliest arrival. Requests too long after it are problems (§1.3). */
  private readonly start: Start | null;

  constructor(start: Start | null) {
    this.start = start;
  }

  request(line: number, request: ImportedRequest, text: string): void {
    const { reqId, tenant, arrived, cost, isSoft } = request;
    if (this.start !== null && elapsedMs(this.start.at, arrived) > ARRIVAL_MAX_MS) {
      this.beyond += 1;
      return this.problem({
        line,
        field: "arrival",
        reason: tooLate(arrived, this.start),
        text: clip(text),
      });
    }
    this.requests += 1;
    const { last } = this.days;
    if (last !== null && isBefore(arrived, last)) this.outOfOrder += 1;
    this.days.add(arrived, line);
    const mode = isSoft ? "soft" : "hard";
    this.text += `${arrived.ms}\t${arrived.sub}\t{"req_id":${JSON.stringify(reqId)},"tenant":${JSON.stringify(tenant)},"arrival_ms":\t,"cost":${cost},"mode":"${mode}"}\n`;
  }

  problem(problem: ImportProblem): void {
    this.problemCount += 1;
    if (this.problems.length < PROBLEMS_SHOWN) this.problems.push(problem);
    const { field, reason } = problem;
    this.text += `${JSON.stringify(`not imported: ${field === "" ? "" : `${field}: `}${reason}`)}\n`;
  }

  other(): void {
    this.otherLines += 1;
    this.text += "\n";
  }

  /** What was written since the last time. */
  take(): string {
    const text = this.text;
    this.text = "";
    return text;
  }
}

interface Run {
  sink: SpoolSink;
  lines: number;
  rawBytes: number;
  unpackedBytes: number;
  packing: Packing;
}

async function runOnce(
  open: OpenLog,
  mapping: Mapping,
  spool: Spool,
  start: Start | null,
  onProgress: (rawBytes: number) => void,
): Promise<Run> {
  await spool.clear();
  const sink = new SpoolSink(start);
  const importer = new LineImporter(mapping, sink);
  const log = await openUnpacked(open);
  for await (const block of boundedLines(log.bytes)) {
    importer.block(block);
    await spool.append(sink.take());
    onProgress(log.rawBytes());
  }
  importer.end();
  await spool.append(sink.take());
  return {
    sink,
    lines: importer.count,
    rawBytes: log.rawBytes(),
    unpackedBytes: log.unpackedBytes(),
    packing: log.packing,
  };
}

const summaryOf = ({ sink, lines, rawBytes, unpackedBytes, packing }: Run): ImportSummary => ({
  lines,
  requests: sink.requests,
  problem_count: sink.problemCount,
  other_lines: sink.otherLines,
  problems: sink.problems,
  out_of_order: sink.outOfOrder,
  first: sink.days.first === null ? null : isoText(sink.days.first.at),
  last: sink.days.last === null ? null : isoText(sink.days.last),
  raw_bytes: rawBytes,
  unpacked_bytes: unpackedBytes,
  packing,
});

/** What an import came to, and the canonical stream: read its chunks once, before the spool is let go. */
export interface ImportedLog {
  summary: ImportSummary;
  stream: AsyncIterable<string>;
}

/**
 * Imports a log: every line becomes a request of the canonical stream, or a problem that is counted and, for the first
 * hundred, listed (§1.3). Times count from the earliest arrival, in whole milliseconds rounded down. A log that cannot
 * be unpacked is an ArchiveProblem.
 */
export async function importLog(
  open: OpenLog,
  mapping: Mapping,
  spool: Spool,
  onProgress: (rawBytes: number) => void = () => {},
): Promise<ImportedLog> {
  const run = await runOnce(open, mapping, spool, null, onProgress);
  const { days } = run.sink;
  const { first, last } = days;
  if (first === null || last === null || elapsedMs(first.at, last) <= ARRIVAL_MAX_MS)
    return { summary: summaryOf(run), stream: streamOf(spool, first?.at ?? null) };
  // Only now it is known which requests are too late; they are problems, and so the log is read once more.
  const again = await runOnce(open, mapping, spool, first, onProgress);
  const spread = days.spread(again.sink.beyond)!;
  return { summary: { ...summaryOf(again), spread }, stream: streamOf(spool, first.at) };
}

/** The lines of a spool as canonical ones: moments become milliseconds since the start of the round. */
async function* streamOf(spool: Spool, start: Instant | null): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of spool.chunks()) {
    const text = rest + decoder.decode(chunk, { stream: true });
    const end = text.lastIndexOf("\n") + 1;
    rest = text.slice(end);
    yield text
      .slice(0, end)
      .split("\n")
      .map((line) => canonicalLine(line, start))
      .join("\n");
  }
}

function canonicalLine(line: string, start: Instant | null): string {
  if (line === "" || line.startsWith('"') || start === null) return line;
  const [ms, sub, head, tail] = line.split("\t") as [string, string, string, string];
  return `${head}${elapsedMs(start, { ms: Number(ms), sub: Number(sub) })}${tail}`;
}
