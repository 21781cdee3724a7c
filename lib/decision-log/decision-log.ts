import { randomUUID } from "node:crypto";
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
  RefusalEntry,
  TallyEntry,
} from "../gate/decision-sink.ts";
import type { Statement } from "../gate/stated.ts";
import { decisionLine, endLine, publishLine, refusedLine, tallyLine } from "./entry-line.ts";
import type { LogFile } from "./log-file.ts";
import { LogFolder } from "./log-folder.ts";
import { LogKey } from "./log-key.ts";
import type { DecisionLogSettings, DecisionLogState } from "./log-settings.ts";
import { stateLines } from "./state-lines.ts";

/** The next file begins here, with what the gate knows. */
interface Turn {
  readonly state: Statement | null;
}

/** After how many decisions the gate says how things stand. */
const TALLY_DECISIONS = 10_000;
const FLUSH_MS = 50;
const CHUNK_BYTES = 256 * 1024;

/**
 * Writes down what a gate decides (G11): one line a decision, in files that are rotated by size and bounded in number.
 * Each but the first begins with what the gate knows then, copied between two decisions and written while it decides on,
 * so that an audit can begin there once the files before are gone. Lines are handed over at once and written soon after,
 * in order. A line that cannot be written is lost, counted, and seen by the audit as a gap; the gate decides on.
 */
export class DecisionLog implements DecisionSink {
  readonly #settings: DecisionLogSettings;
  readonly #folder: LogFolder;
  readonly #key: LogKey;
  readonly #log = randomUUID();
  readonly #began_ms: number;
  #waiting: (string | Turn)[] = [];
  #waiting_bytes = 0;
  /** Of the lines that were told since the file began. */
  #told_bytes = 0;
  /** Of what the newest file states at its head. */
  #head_bytes = 0;
  #turning: NodeJS.Immediate | null = null;
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
    this.#folder = new LogFolder(settings.folder, settings.files);
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

  refuse(entry: RefusalEntry): void {
    this.#take(refusedLine(entry));
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
    this.#told_bytes += text.length;
    // Between two decisions, where nothing is half done; and no file is more head than body.
    if (this.#told_bytes >= Math.max(this.#settings.file_bytes, this.#head_bytes))
      this.#turning ??= setImmediate(() => this.#turn());
    if (this.#waiting_bytes >= CHUNK_BYTES) this.#start();
    else this.#timer ??= setTimeout(() => this.#start(), FLUSH_MS);
  }

  /** What is told from now on goes to the next file. */
  #turn(): void {
    this.#turning = null;
    this.#told_bytes = 0;
    this.#waiting.push({ state: this.#settings.state() });
    this.#start();
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
      const waiting = this.#waiting;
      this.#waiting = [];
      this.#waiting_bytes = 0;
      let lines: string[] = [];
      for (const one of waiting) {
        if (typeof one === "string") lines.push(one);
        else {
          await this.#writeLines(lines);
          await this.#next(one);
          lines = [];
        }
      }
      await this.#writeLines(lines);
    }
  }

  async #writeLines(lines: string[]): Promise<void> {
    if (lines.length === 0) return;
    try {
      this.#file ??= await this.#open(null);
      await this.#file.append(lines.join(""));
      this.#lines += lines.length;
      this.#remember(lines);
    } catch (error) {
      this.#remember(lines);
      await this.#fail(lines.length, error);
    }
  }

  /** Closes the file, and begins the next one with what the gate knows; where it does not say, with the next line. */
  async #next({ state }: Turn): Promise<void> {
    try {
      await this.#close();
      if (state !== null) this.#file = await this.#open(state);
    } catch (error) {
      await this.#fail(0, error);
    }
  }

  async #fail(lines: number, error: unknown): Promise<void> {
    this.#lose(lines, error instanceof Error ? error.message : String(error));
    await this.#file?.abandon();
    this.#file = null;
  }

  /** Keeps the newest snapshot that was told, for the head of the next file. */
  #remember(lines: string[]): void {
    const text = lines.findLast((line) => line.startsWith('{"line":"publish"'));
    if (text === undefined) return;
    const { version, config } = JSON.parse(text);
    this.#live = { line: "live", version, config };
  }

  async #open(state: Statement | null): Promise<LogFile> {
    const { store, freebies, clock } = this.#settings;
    const number = this.#files;
    const file = await this.#folder.create(this.#log, this.#began_ms, number);
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
      ...(state === null ? {} : { state: true }),
    };
    const live = this.#live === null ? [] : [this.#live];
    const rest = state === null ? live : stateLines(state, this.#key);
    const append = (line: LogLine) => file.append(`${JSON.stringify(line)}\n`);
    try {
      await append(header);
      for (const line of rest) {
        if (line.line === "live") this.#live = line;
        await append(line);
      }
      this.#head_bytes = file.bytes;
      await this.#folder.sweep();
    } catch (error) {
      await file.abandon();
      throw error;
    }
    return file;
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
    if (this.#turning !== null) clearImmediate(this.#turning);
    await this.flush();
    await this.#close();
  }

  /** What was told so far is written when this is over. */
  async flush(): Promise<void> {
    this.#start();
    await this.#writing;
  }
}
