import { isDeepStrictEqual } from "node:util";
import {
  type AuditDifference,
  type AuditResult,
  type LogClose,
  type LogEvent,
  type LogHeader,
  type LogLine,
  logLineSchema,
} from "../../contract/decision-log.ts";
import { issueProblems } from "../../contract/input.ts";
import { type Auditor, auditor } from "../reference/gate/audit.ts";
import type { FieldDifference } from "../reference/gate/log-difference.ts";
import { Sequence } from "../reference/gate/sequence.ts";
import { referenceTools } from "./conform-gate.ts";
import { logLines, type RawLine } from "./log-lines.ts";

/** A file of a log, to be read once from the front. */
export interface LogSource {
  readonly name: string;
  blocks(): AsyncIterable<Uint8Array>;
}

export interface AuditOptions {
  /** Most differences that are told in full; all are counted. */
  readonly first: number;
  /** Whether the last file of a log may lack its closing line: it is still being written, or its gate was killed. */
  readonly isOpen: boolean;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

/** One life of one gate, as far as its files were given. */
interface Stretch {
  readonly header: LogHeader;
  readonly audit: Auditor;
  readonly sequence: Sequence<Place>;
  file: number;
  /** The newest snapshot that was told. */
  live: { version: number; config: unknown } | null;
  isClosed: boolean;
}

/** Gaps that are told; a log that is no log has one on every line. */
const GAPS_MAX = 20;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Recomputes the decisions of a log by the reference, from the log alone (G11). Files come in the order in which they
 * were written. Nothing that could not be judged is taken for well: what is missing, cut off, unreadable or begins in
 * the middle of a gate's life is told, and the status is 3 where no difference was found.
 */
export async function auditGate(sources: readonly LogSource[], options: AuditOptions): Promise<AuditResult> {
  const audit = new LogAudit(options);
  for (const source of sources) await audit.read(source);
  return audit.finish();
}

class LogAudit {
  readonly #options: AuditOptions;
  readonly #result: AuditResult = {
    status: 3,
    decisions: 0,
    lines: 0,
    checks: 0,
    differences: 0,
    unproven_freebies: 0,
    first: [],
    gaps: [],
    span: null,
    versions: [],
  };
  readonly #versions = new Set<number>();
  /** Null: what follows cannot be judged, until a log begins. */
  #stretch: Stretch | null = null;
  #seen = new Set<string>();

  constructor(options: AuditOptions) {
    this.#options = options;
  }

  async read(source: LogSource): Promise<void> {
    let lines = 0;
    try {
      for await (const raw of logLines(source.blocks())) {
        lines += 1;
        this.#result.lines += 1;
        if (!this.#line(raw, source.name)) return;
      }
      if (lines === 0) this.#broken(source.name, null, "the file is empty; expected a header line");
    } catch (error) {
      this.#broken(source.name, lines + 1, error instanceof Error ? error.message : String(error));
    }
  }

  /** False: the rest of the file cannot be judged. */
  #line(raw: RawLine, file: string): boolean {
    const line = this.#parsed(raw, file);
    if (line === null) return false;
    const place = { file, line: raw.number };
    if (raw.number === 1) return this.#begin(line, place);
    const stretch = this.#stretch;
    if (stretch === null) return false;
    if (stretch.isClosed) return this.#broken(file, raw.number, "stands after the closing line");
    if (line.line === "header") return this.#broken(file, raw.number, "a header stands within a file");
    if (line.line === "close") return this.#close(line, stretch, raw, file);
    if (line.line === "live") return this.#live(line, stretch, place);
    return this.#event(line, stretch, place);
  }

  #parsed(raw: RawLine, file: string): LogLine | null {
    const { number } = raw;
    if (!raw.isWhole) {
      this.#broken(file, number, "the line is cut off");
      return null;
    }
    try {
      const parsed = logLineSchema.safeParse(JSON.parse(strict.decode(raw.bytes)));
      if (parsed.success) return parsed.data;
      const { path, message } = issueProblems(parsed.error, file)[0]!;
      this.#broken(file, number, `${path === "" ? "" : `${path}: `}${message}`);
    } catch (error) {
      this.#broken(file, number, `is no line of a decision log: ${(error as Error).message}`);
    }
    return null;
  }

  #begin(line: LogLine, { file }: Place): boolean {
    if (line.line !== "header") return this.#broken(file, 1, "is no header; expected one on the first line");
    const known = this.#stretch;
    if (known !== null && known.header.log === line.log && line.file === known.file + 1) {
      if (!known.isClosed) return this.#broken(file, 1, "the file before it has no closing line");
      known.file = line.file;
      known.isClosed = false;
      return true;
    }
    this.#leave(file);
    if (line.store === "shared")
      return this.#broken(
        file,
        1,
        "the store is shared: what other processes did to it is not in this log (G12)",
      );
    if (line.file > 0)
      return this.#broken(
        file,
        1,
        `begins with file ${line.file} of its log: what the buckets held is not known; expected the files from 0 on`,
      );
    if (this.#seen.has(line.log)) return this.#broken(file, 1, "the log was there before");
    this.#seen.add(line.log);
    this.#stretch = this.#open(line);
    return true;
  }

  #open(header: LogHeader): Stretch {
    const audit = auditor(referenceTools(), header.freebies);
    const sequence = new Sequence<Place>({
      play: (event, place) => {
        if (event.line === "decision") this.#result.decisions += 1;
        this.#tell(audit.play(event), event, place);
      },
      settle: (event, place) => this.#tell(audit.settle(event), event, place),
    });
    return { header, audit, sequence, file: 0, live: null, isClosed: false };
  }

  #live(
    { version, config }: Extract<LogLine, { line: "live" }>,
    stretch: Stretch,
    { file, line }: Place,
  ): boolean {
    if (line !== 2 || stretch.file === 0)
      return this.#broken(file, line, "a live snapshot stands elsewhere than at a later file's head");
    if (isDeepStrictEqual({ version, config }, stretch.live)) return true;
    return this.#broken(file, line, "the snapshot is not the one that was published last");
  }

  #event(event: LogEvent, stretch: Stretch, { file, line }: Place): boolean {
    if (event.line === "publish") {
      stretch.live = { version: event.version, config: event.config };
      this.#versions.add(event.version);
    } else if (stretch.live === null)
      return this.#broken(file, line, "no snapshot was told before; expected a publish line");
    if (event.line === "decision") this.#span(event.at);
    const fault = stretch.sequence.take({ event, place: { file, line } });
    return fault === null ? true : this.#broken(file, line, fault);
  }

  #span(at: number): void {
    const { span } = this.#result;
    this.#result.span =
      span === null ? { from: at, to: at } : { from: Math.min(span.from, at), to: Math.max(span.to, at) };
  }

  #close(close: LogClose, stretch: Stretch, raw: RawLine, file: string): boolean {
    stretch.isClosed = true;
    if (close.lines !== raw.number - 1)
      return this.#broken(file, raw.number, `${raw.number - 1} lines are there; ${close.lines} were written`);
    if (close.sha256 !== raw.digestBefore())
      return this.#broken(file, raw.number, "the file is not what was written: its digest differs");
    if (close.lost > 0) this.#gap(file, raw.number, `the gate could not write ${close.lost} lines`);
    return true;
  }

  #tell(found: FieldDifference[], event: LogEvent, { file, line }: Place): void {
    const [service, client] = event.line === "decision" ? [event.service, event.client] : [null, null];
    for (const { seq, clause, field, logged, expected } of found) {
      this.#result.differences += 1;
      if (this.#result.first.length >= this.#options.first) continue;
      const difference: AuditDifference = {
        ...{ file, line, seq, clause, field },
        ...{ logged, expected, service, client },
      };
      this.#result.first.push(difference);
    }
  }

  #gap(file: string, line: number | null, message: string): void {
    const { gaps } = this.#result;
    if (gaps.length < GAPS_MAX) gaps.push({ file, line, message });
  }

  /** What follows in this log cannot be judged. */
  #broken(file: string, line: number | null, message: string): false {
    this.#gap(file, line, message);
    this.#add();
    this.#stretch = null;
    return false;
  }

  #add(): void {
    const { audit } = this.#stretch ?? {};
    this.#result.checks += audit?.checks ?? 0;
    this.#result.unproven_freebies += audit?.unproven_freebies ?? 0;
  }

  /** A log is over: nothing may be missing from it. */
  #leave(file: string): void {
    const stretch = this.#stretch;
    if (stretch === null) return;
    if (stretch.sequence.isWaiting) this.#gap(file, null, `number ${stretch.sequence.next} is missing`);
    if (!stretch.isClosed && !this.#options.isOpen)
      this.#gap(file, null, "there is no closing line: the log was cut off, or is still being written");
    this.#add();
    this.#stretch = null;
  }

  finish(): AuditResult {
    this.#leave("the end");
    const { differences, decisions, gaps } = this.#result;
    if (decisions === 0) this.#gap("the end", null, "no decision was recomputed");
    this.#result.status = differences > 0 ? 2 : decisions === 0 || gaps.length > 0 ? 3 : 0;
    this.#result.versions = [...this.#versions];
    return this.#result;
  }
}
