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
  TallyEntry,
} from "../gate/decision-sink.ts";
import { decisionLine, endLine, publishLine, tallyLine } from "./entry-line.ts";
import { LogKey } from "./log-key.ts";

/** A decision log of one file that is kept in memory: for gates that are tried, not run. */
export class LogText implements DecisionSink {
  readonly #key: LogKey;
  readonly #lines: LogLine[];

  constructor(
    freebies: LogHeader["freebies"] = "memory",
    store: LogHeader["store"] = "memory",
    key = new LogKey(),
  ) {
    this.#key = key;
    const log = randomUUID();
    this.#lines = [
      {
        ...{ line: "header", format: DECISION_LOG_FORMAT, log, file: 0, at: 0 },
        ...{ key: this.#key.name, store, freebies },
      },
    ];
  }

  append(entry: DecisionEntry): void {
    this.#lines.push(decisionLine(entry, this.#key));
  }

  end(entry: EndEntry): void {
    this.#lines.push(endLine(entry, this.#key));
  }

  publish(entry: PublishEntry): void {
    this.#lines.push(publishLine(entry));
  }

  tally(entry: TallyEntry): void {
    this.#lines.push(tallyLine(entry));
  }

  /** What a gate alone says of itself. */
  says(tally: Omit<LogTally, "line">): void {
    this.#lines.push({ line: "tally", ...tally });
  }

  /** The lines so far; the closing one is not among them. */
  get lines(): readonly LogLine[] {
    return this.#lines;
  }
}

/** Lines as a closed file of a log, whatever they say. */
export function closedText(lines: readonly object[]): string {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const sha256 = createHash("sha256").update(text).digest("hex");
  const close: LogClose = { line: "close", at: 0, lines: lines.length, lost: 0, sha256 };
  return `${text}${JSON.stringify(close)}\n`;
}
