import { isDeepStrictEqual } from "node:util";
import {
  type AuditGap,
  type AuditResult,
  type LogClose,
  type LogEvent,
  type LogHeader,
  type LogLine,
  type LogState,
  type LogStateHead,
  logLineSchema,
} from "../../../contract/decision-log.ts";
import { issueProblems } from "../../../contract/input.ts";
import { Sequence, type Turn } from "../../reference/gate/sequence.ts";
import { logLines, type RawLine } from "./log-lines.ts";
import { type LogPlace, type LogSource, logsOf } from "./log-source.ts";
import { placeOf, type SharedStores, type SharedTurn, WRITTEN_MS } from "./shared-stores.ts";
import { isStatePart, StatedLines, type StatePart } from "./state-lines.ts";

export interface ReadLogOptions {
  /** Whether the last file of a log may lack its closing line: it is still being written, or its gate was killed. */
  readonly isOpen: boolean;
  /** Whether a log may begin in the middle of its gate's life, where nobody knows what the buckets held. */
  readonly fromMiddle: boolean;
  /** Stores that processes share, into whose order their logs are put. */
  readonly shared: SharedStores;
  /** Told at the head of each log: who follows it. */
  readonly follow: (header: LogHeader) => SharedTurn;
}

/** What was read, apart from what was followed. */
export interface ReadLog {
  readonly lines: number;
  readonly gaps: AuditGap[];
  /** Of the first and the last decision, milliseconds; null: there was none. */
  readonly span: { from: number; to: number } | null;
  readonly versions: number[];
  /** Where logs begin with what their gate states, since no file before is there. */
  readonly claims: AuditResult["claims"];
  /** Such statements that stand behind a file that is there. */
  readonly states: number;
}

/** One life of one gate, as far as its files were given. */
interface Stretch {
  readonly header: LogHeader;
  turn: Turn<LogPlace>;
  /** Null until the first number of a stretch that begins in the middle is known. */
  sequence: Sequence<LogPlace> | null;
  file: number;
  /** The newest snapshot that was told. */
  live: { version: number; config: unknown } | null;
  /** What the gate states at the head of a file, as long as not all of it was told. */
  stated: { lines: StatedLines; place: LogPlace } | null;
  /** Whether that is still to come. */
  isStateDue: boolean;
  isClosed: boolean;
}

/** Gaps that are told; a log that is no log has one on every line. */
const GAPS_MAX = 20;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads decision logs, each in the order in which its files come, and hands on what they tell in the order in which it
 * was done (G11). Logs of processes that share a store are read side by side, the one that is behind first. What is
 * missing, cut off, changed or unreadable is a gap; nothing after it in the same log is handed on.
 */
export async function readDecisionLog(
  sources: readonly LogSource[],
  options: ReadLogOptions,
): Promise<ReadLog> {
  const found = new Found();
  const logs = await logsOf(sources);
  await readSideBySide(logs.map((log) => new LogReader(log, found, options)));
  found.gaps.push(...options.shared.finish());
  const { lines, gaps, span, versions, claims, states } = found;
  return { lines, gaps, span, versions: [...versions], claims, states };
}

/** Lets every reader come to its end; of those that share a store, the one that is furthest behind goes on. */
async function readSideBySide(readers: readonly LogReader[]): Promise<void> {
  const going: { reader: LogReader; steps: AsyncGenerator<void> }[] = [];
  for (const reader of readers) {
    const steps = reader.read();
    if (!(await steps.next()).done) going.push({ reader, steps });
  }
  while (going.length > 0) {
    let behind = going[0]!;
    for (const one of going) if (one.reader.isBehind(behind.reader)) behind = one;
    if ((await behind.steps.next()).done) going.splice(going.indexOf(behind), 1);
  }
}

/** What all logs come to together. */
class Found {
  readonly gaps: AuditGap[] = [];
  readonly versions = new Set<number>();
  /** The last file of each log. */
  readonly seen = new Map<string, number>();
  readonly claims: AuditResult["claims"] = [];
  states = 0;
  lines = 0;
  span: ReadLog["span"] = null;
}

/** Reads one log, file by file. */
class LogReader {
  readonly #sources: readonly LogSource[];
  readonly #found: Found;
  readonly #options: ReadLogOptions;
  /** Null: what follows cannot be judged, until a log begins. */
  #stretch: Stretch | null = null;
  /** The newest call of a shared store that was told, and when it was. */
  #at: { life: string; number: number; ms: number } | null = null;

  constructor(sources: readonly LogSource[], found: Found, options: ReadLogOptions) {
    this.#sources = sources;
    this.#found = found;
    this.#options = options;
  }

  /** Whether this log has come less far than another one: by the numbers of their store, else by the clock. */
  isBehind(than: LogReader): boolean {
    const other = than.#at;
    if (this.#at === null || other === null) return this.#at === null && other !== null;
    return this.#at.life === other.life ? this.#at.number < other.number : this.#at.ms < other.ms;
  }

  /** Reads, and stops after each line of a log whose store is shared. */
  async *read(): AsyncGenerator<void> {
    for (const source of this.#sources) yield* this.#file(source);
    this.#leave(this.#sources.at(-1)!.name);
  }

  async *#file(source: LogSource): AsyncGenerator<void> {
    let lines = 0;
    try {
      for await (const raw of logLines(source.blocks())) {
        lines += 1;
        this.#found.lines += 1;
        if (!this.#line(raw, source.name)) return;
        if (this.#stretch?.header.store === "shared") yield;
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
    if (raw.number === 1) return this.#begin(line, file);
    const stretch = this.#stretch;
    if (stretch === null) return false;
    if (stretch.isClosed) return this.#broken(file, raw.number, "stands after the closing line");
    if (line.line === "header") return this.#broken(file, raw.number, "a header stands within a file");
    if (line.line === "close") return this.#close(line, stretch, raw, file);
    const place = { file, line: raw.number };
    if (line.line === "live") return this.#live(line, stretch, place);
    if (line.line === "state" || isStatePart(line)) return this.#state(line, stretch, place);
    if (stretch.isStateDue) return this.#broken(file, raw.number, "the state is not stated whole");
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

  #begin(line: LogLine, file: string): boolean {
    if (line.line !== "header") return this.#broken(file, 1, "is no header; expected one on the first line");
    const known = this.#stretch;
    if (known !== null && known.header.log === line.log && line.file === known.file + 1) {
      if (!known.isClosed) return this.#broken(file, 1, "the file before it has no closing line");
      known.file = line.file;
      known.isClosed = false;
      known.isStateDue = line.state === true;
      this.#found.seen.set(line.log, line.file);
      return true;
    }
    this.#leave(file);
    const fault = this.#headerFault(line);
    if (fault !== null) return this.#broken(file, 1, fault);
    this.#resume(line, file);
    this.#found.seen.set(line.log, line.file);
    const turn = this.#turnOf(line);
    const sequence = line.file === 0 ? new Sequence(turn) : null;
    const begun = {
      file: line.file,
      live: null,
      stated: null,
      isStateDue: line.state === true,
      isClosed: false,
    };
    this.#stretch = { header: line, turn, sequence, ...begun };
    return true;
  }

  /** A log of which something could not be judged goes on with what the gate states; what is missing is said. */
  #resume({ log, file: number }: LogHeader, file: string): void {
    const before = this.#found.seen.get(log);
    if (before !== undefined && number > before + 1)
      this.#gap(file, 1, `file ${number} of its log follows file ${before}: what is in between is missing`);
  }

  #turnOf(header: LogHeader): Turn<LogPlace> {
    const turn = this.#options.follow(header);
    return header.store === "shared" ? this.#options.shared.inOrder(header, turn) : turn;
  }

  #headerFault(header: LogHeader): string | null {
    if (header.state === true && (header.file === 0 || header.store !== "memory"))
      return "states what a gate knows; expected that in a later file of a gate whose store is its own";
    if (header.file > 0 && header.state !== true && !this.#options.fromMiddle)
      return `begins with file ${header.file} of its log: what the buckets held is not known; expected the files from 0 on`;
    const before = this.#found.seen.get(header.log);
    const goesOn = before === undefined || (header.state === true && header.file > before);
    return goesOn ? null : "the log was there before";
  }

  #live(
    { version, config }: Extract<LogLine, { line: "live" }>,
    stretch: Stretch,
    { file, line }: LogPlace,
  ): boolean {
    if (line !== 2 || stretch.file === 0)
      return this.#broken(file, line, "a live snapshot stands elsewhere than at a later file's head");
    // Where the gate states all that it knows, this is a part of it, and is judged with it.
    const isStated = stretch.isStateDue;
    if (!isStated && stretch.sequence !== null && !isDeepStrictEqual({ version, config }, stretch.live))
      return this.#broken(file, line, "the snapshot is not the one that was published last");
    stretch.live = { version, config };
    return true;
  }

  /** What the gate states stands behind the live snapshot, line by line (G11). */
  #state(line: LogStateHead | StatePart, stretch: Stretch, place: LogPlace): boolean {
    const isHead = line.line === "state";
    if (!stretch.isStateDue || stretch.live === null || isHead !== (place.line === 3))
      return this.#broken(place.file, place.line, "a state stands elsewhere than at a later file's head");
    const { version, config } = stretch.live;
    if (isHead) stretch.stated = { lines: new StatedLines(line, version, config), place };
    const { lines, place: head } = stretch.stated!;
    const fault = isHead ? null : lines.add(line);
    if (fault !== null) return this.#broken(place.file, place.line, fault);
    const { whole } = lines;
    if (whole === null) return true;
    stretch.stated = null;
    stretch.isStateDue = false;
    return this.#stated(whole, stretch, head);
  }

  /** Goes on behind what the gate states, or begins with it. */
  #stated(state: LogState, stretch: Stretch, place: LogPlace): boolean {
    const next = stretch.sequence?.next ?? null;
    if (next !== null && next > state.seq) {
      this.#found.states += 1;
      return this.#event(state, stretch, place);
    }
    // All that was done before is told before: it is missing, and what follows is judged by what is stated.
    if (next !== null) {
      this.#gap(place.file, place.line, `number ${next} is missing`);
      stretch.turn = this.#turnOf(stretch.header);
    }
    try {
      stretch.turn.play(state, place);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return this.#broken(place.file, place.line, `the gate states what cannot be: ${message}`);
    }
    this.#found.claims.push({ file: place.file, seq: state.seq, at: state.at });
    this.#found.versions.add(state.version);
    stretch.sequence = new Sequence(stretch.turn, state.seq + 1);
    return true;
  }

  #event(event: LogEvent, stretch: Stretch, place: LogPlace): boolean {
    const { file, line } = place;
    if (event.line !== "publish" && stretch.live === null)
      return this.#broken(file, line, "no snapshot was told before; expected a publish line");
    stretch.sequence ??= this.#fromMiddle(event, stretch, place);
    const order = event.order ?? (event.line === "tally" ? event.after : undefined);
    if (stretch.header.store === "memory" && (order !== undefined || isElsewhere(event)))
      return this.#broken(file, line, "tells of a shared store; the log's header says that there is none");
    if (order !== undefined) this.#at = { ...placeOf(order), ms: event.at };
    if (event.line === "publish") {
      stretch.live = { version: event.version, config: event.config };
      this.#found.versions.add(event.version);
    }
    if (event.line === "decision") this.#spanTo(event.at);
    try {
      const fault = stretch.sequence.take({ event, place });
      return fault === null ? true : this.#broken(file, line, fault);
    } catch (error) {
      return this.#broken(file, line, error instanceof Error ? error.message : String(error));
    }
  }

  /** Begins where the first file that is there begins, with the snapshot that was live then and buckets that are full. */
  #fromMiddle(event: LogEvent, { turn, live }: Stretch, place: LogPlace): Sequence<LogPlace> {
    if (live !== null) {
      this.#found.versions.add(live.version);
      turn.play({ line: "publish", seq: event.seq - 1, at: 0, ...live }, place);
    }
    return new Sequence(turn, event.seq, true);
  }

  #spanTo(at: number): void {
    const { from, to } = this.#found.span ?? { from: at, to: at };
    this.#found.span = { from: Math.min(from, at), to: Math.max(to, at) };
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

  #gap(file: string, line: number | null, message: string): void {
    const { gaps } = this.#found;
    if (gaps.length < GAPS_MAX) gaps.push({ file, line, message });
  }

  /** What follows in this log cannot be judged. */
  #broken(file: string, line: number | null, message: string): false {
    this.#gap(file, line, message);
    this.#stretch = null;
    return false;
  }

  /** A log is over: nothing may be missing from it. */
  #leave(file: string): void {
    const stretch = this.#stretch;
    if (stretch === null) return;
    const { sequence } = stretch;
    // What a gate is about to do has its number, and is told once it is done.
    const isUnderWay =
      this.#options.isOpen &&
      !stretch.isClosed &&
      (sequence?.waiting_since_ms ?? 0) > Date.now() - WRITTEN_MS;
    if (sequence?.isWaiting && !isUnderWay) this.#gap(file, null, `number ${sequence.next} is missing`);
    if (!stretch.isClosed && !this.#options.isOpen)
      this.#gap(file, null, "there is no closing line: the log was cut off, or is still being written");
    this.#stretch = null;
  }
}

/** Whether a line tells of a shared store otherwise than by its own place there. */
function isElsewhere(event: LogEvent): boolean {
  if (event.line === "publish") return event.founded === true;
  if (event.line === "end") return event.ended === "unreached" || event.freebie_returned !== undefined;
  if (event.line !== "decision") return false;
  const { unreached, settled, freebie_read, freebie_counted } = event;
  return [unreached, settled?.order, freebie_read, freebie_counted].some((one) => one !== undefined);
}
