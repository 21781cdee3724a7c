import type { FormatId } from "../../../contract/log-formats.ts";
import type { ArrivalMapping, FormatSpec, TenantMapping } from "../../../contract/mapping.ts";

/**
 * One record of a log. A value is text as the log has it: numbers keep their digits. Null: the record has no such
 * field, or it is empty, or "-".
 */
export interface LogRecord {
  value(field: string): string | null;
}

/** What one line came to: a record, nothing (a header, a directive), a fault, or more of its record is to come. */
export type LineReading =
  | { kind: "record"; record: LogRecord }
  | { kind: "none" }
  | { kind: "more" }
  | { kind: "fault"; reason: string };

export const NOTHING: LineReading = { kind: "none" };
export const MORE: LineReading = { kind: "more" };
export const fault = (reason: string): LineReading => ({ kind: "fault", reason });

/**
 * Reads the lines of a log one after the other; keeps what a header or a directive above said. A reader that answers
 * "more" is given the next line joined to the ones before it by line feeds, until it answers otherwise.
 */
export interface LineReader {
  read(line: string): LineReading;
  /** Whether a line may be the last of a record that is open; absent where no record spans lines. */
  mayClose?(line: string): boolean;
  /** Names of the columns known so far, those that people look for first. */
  fields(): string[];
}

/** Where a format keeps what a mapping needs, as far as the format says so itself. */
export interface FormatDefaults {
  tenant: TenantMapping | null;
  arrival: ArrivalMapping | null;
}

/** A format of logs: how it is recognised and read. */
export interface Format {
  id: FormatId;
  title: string;
  /** What people should know, in sentences: above all whether stamps are of a request's begin or end. */
  notes: string[];
  /** The parameters of the format where the lines may be of it, else null. Lines are unwrapped. */
  recognise(lines: readonly string[]): FormatSpec | null;
  open(spec: FormatSpec): LineReader;
  /** `fields` are the names that the reader found in the first lines; `example` gives a value of theirs. */
  defaults(fields: readonly string[], example: (field: string) => string | null): FormatDefaults;
}

/** A value as a record tells it: an empty one and "-" are none. */
export const told = (value: string | undefined): string | null =>
  value === undefined || value === "" || value === "-" ? null : value;
