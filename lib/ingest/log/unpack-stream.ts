import { LINE_MAX_BYTES, PROBLEMS_SHOWN } from "../../../contract/limits.ts";
import type { ImportProblem, ImportSummary } from "../../../contract/mapping.ts";
import { readExactLine } from "../exact-line.ts";
import { PlainLineReader } from "../plain-line.ts";
import { boundedLines, linesIn } from "./bounded-lines.ts";
import { clip } from "./line-importer.ts";
import { type OpenLog, openUnpacked } from "./open-log.ts";

const EMPTY = /^[ \t\r]*$/;
const BOM = "\uFEFF";

/** Counts the lines of a canonical stream; what they say is judged by who reads the stream (§1.3). */
class LineCount {
  lines = 0;
  requests = 0;
  problemCount = 0;
  readonly problems: ImportProblem[] = [];
  private readonly plain = new PlainLineReader();

  take(line: string | Uint8Array): void {
    this.lines += 1;
    if (typeof line !== "string") return this.problem("", "is no UTF-8", "");
    const text = this.lines === 1 && line.startsWith(BOM) ? line.slice(1) : line;
    if (EMPTY.test(text)) return;
    const exact = this.plain.read(text) === null ? readExactLine(text) : { ok: true as const };
    if (!exact.ok) return this.problem(exact.field, exact.reason, text);
    this.requests += 1;
    if ("keys" in exact) this.plain.learn(exact.keys);
  }

  problem(field: string, reason: string, text: string): void {
    this.problemCount += 1;
    if (this.problems.length < PROBLEMS_SHOWN)
      this.problems.push({ line: this.lines, field, reason, text: clip(text) });
  }
}

/** A canonical stream without its packing: byte for byte, and what its lines are. Read `bytes` first. */
export async function unpackStream(
  open: OpenLog,
  onProgress: (rawBytes: number) => void = () => {},
): Promise<{ bytes: AsyncIterable<Uint8Array>; summary: () => ImportSummary }> {
  const log = await openUnpacked(open);
  const count = new LineCount();
  const bytes = async function* () {
    for await (const block of boundedLines(log.bytes, LINE_MAX_BYTES)) {
      if (block.kind === "lines") {
        for (const line of linesIn(block.bytes)) count.take(line);
        yield block.bytes;
      } else {
        count.lines += 1;
        count.problem("", "is too long", new TextDecoder().decode(block.start));
        // No line of §1.3 is as long; a mark keeps its place, so that the reading finds it bad too.
        yield new TextEncoder().encode('"not unpacked: a line that is too long"\n');
      }
      onProgress(log.rawBytes());
    }
  };
  return {
    bytes: bytes(),
    summary: () => ({
      lines: count.lines,
      requests: count.requests,
      problem_count: count.problemCount,
      other_lines: count.lines - count.requests - count.problemCount,
      problems: count.problems,
      out_of_order: 0,
      first: null,
      last: null,
      raw_bytes: log.rawBytes(),
      unpacked_bytes: log.unpackedBytes(),
      packing: log.packing,
    }),
  };
}
