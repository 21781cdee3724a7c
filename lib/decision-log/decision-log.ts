import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  DECISION_LOG_FORMAT,
  type LogHeader,
  type LogLine,
  type LogTally,
} from "../../contract/decision-log.ts";
import type {
  DecisionEntry,
  DecisionSink,
  EndEntry,
  PublishEntry,
  TallyEntry,
} from "../gate/decision-sink.ts";
import { decisionLine, endLine, publishLine, tallyLine } from "./entry-line.ts";
import { LogFile } from "./log-file.ts";
import { LogKey } from "./log-key.ts";

/** Where a log is written, and how much of it is kept. */
export interface DecisionLogSettings {
  /** A folder that holds nothing but decision logs; it is made where it is missing. */
  readonly folder: string;
  /** A file that is as large is closed, and the next one begun. */
  readonly file_bytes: number;
  /** Most files of all logs in the folder; the oldest go first. */
  readonly files: number;
  /** Most bytes that wait to be written; lines beyond are lost, and counted. */
  readonly waiting_bytes: number;
  /** Key of the hashes; absent: a random one. */
  readonly key?: string;
  /** See the header line. */
  readonly store: LogHeader["store"];
  readonly freebies: LogHeader["freebies"];
  /** What the gate says of itself now, told now and then and at the end; null: it tells that by itself. */
  readonly tally: () => Omit<LogTally, "line"> | null;
  /** Wall clock, milliseconds. */
  readonly clock: () => number;
}

export const DECISION_LOG_DEFAULTS = {
  file_bytes: 64 * 1024 * 1024,
  files: 16,
  waiting_bytes: 16 * 1024 * 1024,
} as const;

/** How a log fares. `problem`: why lines were lost last; null: none was. */
export interface DecisionLogState {
  readonly folder: string;
  readonly lines: number;
  readonly lost: number;
  readonly problem: string | null;
}

/** Names sort by time, then by the file's number. */
export const LOG_FILE_NAME = /^decisions-\d{13}-[0-9a-f]{8}-\d{6}\.jsonl$/;
/** After how many decisions the gate says how things stand. */
const TALLY_DECISIONS = 10_000;
const FLUSH_MS = 50;
const CHUNK_BYTES = 256 * 1024;

/**
 * Writes down what a gate decides (G11): one line a decision, in files that are rotated by size and bounded in number.
 * Lines are handed over at once and written soon after, in order. A line that cannot be written is lost, counted, and
 * seen by the audit as a gap; the gate decides on.
 */
export class DecisionLog implements DecisionSink {
  readonly #settings: DecisionLogSettings;
  readonly #key: LogKey;
  readonly #log = randomUUID();
  readonly #began_ms: number;
  #waiting: string[] = [];
  #waiting_bytes = 0;
  #live: LogLine | null = null;
  #file: LogFile | null = null;
  #files = 0;
  #decisions = 0;
  /** Expired admissions when it was last told how things stand. */
  #expired = 0;
  #lines = 0;
  #lost = 0;
  #problem: string | null = null;
  #writing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(settings: DecisionLogSettings) {
    this.#settings = settings;
    this.#key = new LogKey(settings.key);
    this.#began_ms = settings.clock();
  }

  get state(): DecisionLogState {
    return { folder: this.#settings.folder, lines: this.#lines, lost: this.#lost, problem: this.#problem };
  }

  append(entry: DecisionEntry): void {
    this.#take(decisionLine(entry, this.#key));
    this.#decisions += 1;
    if (this.#decisions % TALLY_DECISIONS === 0) this.#takeTally();
  }

  end(entry: EndEntry): void {
    this.#take(endLine(entry, this.#key));
  }

  publish(entry: PublishEntry): void {
    this.#take(publishLine(entry));
  }

  tally(entry: TallyEntry): void {
    this.#take(tallyLine(entry));
  }

  #take(line: LogLine): void {
    const text = `${JSON.stringify(line)}\n`;
    if (this.#waiting_bytes + text.length > this.#settings.waiting_bytes) {
      this.#lose(1, "more lines wait to be written than are allowed to");
      return;
    }
    this.#waiting.push(text);
    this.#waiting_bytes += text.length;
    if (this.#waiting_bytes >= CHUNK_BYTES) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), FLUSH_MS);
  }

  /**
   * Time has passed without a request. Tells how things stand where an admission expired by it: were the clock to go
   * back afterwards, nobody could see from later lines that it had.
   */
  timePassed(): void {
    const tally = this.#settings.tally();
    if (tally !== null && tally.ledger.expired !== this.#expired) this.#tell(tally);
  }

  #takeTally(): void {
    const tally = this.#settings.tally();
    if (tally !== null) this.#tell(tally);
  }

  #tell(tally: Omit<LogTally, "line">): void {
    this.#expired = tally.ledger.expired;
    this.#take({ line: "tally", ...tally });
  }

  #lose(lines: number, problem: string): void {
    this.#lost += lines;
    this.#problem = problem;
  }

  #start(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
    });
  }

  /** Writes what waits, until nothing does. */
  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting;
      this.#waiting = [];
      this.#waiting_bytes = 0;
      await this.#writeLines(lines);
    }
  }

  async #writeLines(lines: string[]): Promise<void> {
    try {
      this.#file ??= await this.#open();
      await this.#file.append(lines.join(""));
      this.#lines += lines.length;
      this.#remember(lines);
      if (this.#file.bytes >= this.#settings.file_bytes) await this.#close();
    } catch (error) {
      this.#remember(lines);
      this.#lose(lines.length, error instanceof Error ? error.message : String(error));
      await this.#file?.abandon();
      this.#file = null;
    }
  }

  /** Keeps the newest snapshot that was told, for the head of the next file. */
  #remember(lines: string[]): void {
    const text = lines.findLast((line) => line.startsWith('{"line":"publish"'));
    if (text === undefined) return;
    const { version, config } = JSON.parse(text);
    this.#live = { line: "live", version, config };
  }

  async #open(): Promise<LogFile> {
    const { folder, store, freebies, clock } = this.#settings;
    await mkdir(folder, { recursive: true });
    const number = this.#files;
    const name = `decisions-${String(this.#began_ms).padStart(13, "0")}-${this.#log.slice(0, 8)}-${String(number).padStart(6, "0")}.jsonl`;
    const file = await LogFile.create(join(folder, name));
    this.#files += 1;
    const header: LogHeader = {
      line: "header",
      format: DECISION_LOG_FORMAT,
      log: this.#log,
      file: number,
      at: clock(),
      key: this.#key.name,
      store,
      freebies,
    };
    const head: LogLine[] = this.#live === null ? [header] : [header, this.#live];
    await file.append(head.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await this.#sweep();
    return file;
  }

  /** Removes the oldest files beyond the bound. */
  async #sweep(): Promise<void> {
    const { folder, files } = this.#settings;
    const names = (await readdir(folder)).filter((name) => LOG_FILE_NAME.test(name)).sort();
    for (const name of names.slice(0, Math.max(0, names.length - files))) await rm(join(folder, name));
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close(this.#settings.clock(), this.#lost);
  }

  /** Writes what waits, then what the gate says of itself, and closes the file. Nothing may be told afterwards. */
  async stop(): Promise<void> {
    await this.flush();
    this.#takeTally();
    await this.flush();
    await this.#close();
  }

  /** What was told so far is written when this is over. */
  async flush(): Promise<void> {
    this.#start();
    await this.#writing;
  }
}
