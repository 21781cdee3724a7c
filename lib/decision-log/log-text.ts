import { createHash, randomUUID } from "node:crypto";
import {
  DECISION_LOG_FORMAT,
  type LogClose,
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
import { LogKey } from "./log-key.ts";
import { stateLines } from "./state-lines.ts";

/** A decision log that is kept in memory: for gates that are tried, not run. */
export class LogText implements DecisionSink {
  readonly #key: LogKey;
  readonly #header: LogHeader;
  readonly #files: LogLine[][];

  constructor(
    freebies: LogHeader["freebies"] = "memory",
    store: LogHeader["store"] = "memory",
    key = new LogKey(),
  ) {
    this.#key = key;
    const log = randomUUID();
    this.#header = {
      ...{ line: "header", format: DECISION_LOG_FORMAT, log, file: 0, at: 0 },
      ...{ key: this.#key.name, store, freebies },
    };
    this.#files = [[this.#header]];
  }

  #push(line: LogLine): void {
    this.#files.at(-1)!.push(line);
  }

  /** Begins another file, with what the gate states of itself. */
  turn(state: Statement): void {
    const header: LogHeader = { ...this.#header, file: this.#files.length, state: true };
    this.#files.push([header, ...stateLines(state, this.#key)]);
  }

  append(entry: DecisionEntry): void {
    this.#push(decisionLine(entry, this.#key));
  }

  end(entry: EndEntry): void {
    this.#push(endLine(entry, this.#key));
  }

  publish(entry: PublishEntry): void {
    this.#push(publishLine(entry));
  }

  refuse(entry: RefusalEntry): void {
    this.#push(refusedLine(entry));
  }

  tally(entry: TallyEntry): void {
    this.#push(tallyLine(entry));
  }

  /** What a gate alone says of itself. */
  says(tally: Omit<LogTally, "line">): void {
    this.#push({ line: "tally", ...tally });
  }

  /** The lines so far; the closing ones are not among them. */
  get lines(): readonly LogLine[] {
    return this.#files.flat();
  }

  /** The same, file by file. */
  get files(): readonly (readonly LogLine[])[] {
    return this.#files;
  }
}

/** Lines as a closed file of a log, whatever they say. */
export function closedText(lines: readonly object[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  const close: LogClose = { line: "close", at: 0, lines: lines.length, lost: 0, sha256 };
  return `${text}${JSON.stringify(close)}\n`;
}
