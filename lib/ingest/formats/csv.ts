import { parse } from "csv-parse/sync";
import type { FormatSpec } from "../../../contract/mapping.ts";
import { guessColumns } from "./column-guess.ts";
import { ColumnsRecord, columnIndex } from "./columns-record.ts";
import { type Format, fault, type LineReader, type LineReading, MORE, NOTHING } from "./format.ts";

const DELIMITERS = [",", "\t", ";", "|"] as const;
type Delimiter = (typeof DELIMITERS)[number];
/** Names of columns, as opposed to values: no quote, and nothing that begins as a number, a time or an address does. */
const NAME = /^(?:\d{1,3}(?=[\p{L}_])|[\p{L}_@$#(%])[\p{L}\p{N}_ .:@$#()/%+*&?'[\]-]{0,80}$/u;

/** The columns of a record whose quotes all stand around whole columns; null for any other. Most are so, and read in no time. */
function plainColumns(text: string, delimiter: Delimiter): string[] | null {
  const columns: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const isQuoted = text[at] === '"';
    const end = text.indexOf(isQuoted ? '"' : delimiter, isQuoted ? at + 1 : at);
    const column = text.slice(isQuoted ? at + 1 : at, end < 0 ? text.length : end);
    const next = end < 0 ? text.length : end + (isQuoted ? 1 : 0);
    if (isQuoted ? end < 0 || (next < text.length && text[next] !== delimiter) : column.includes('"'))
      return null;
    columns.push(column);
    at = next + 1;
  }
  return columns;
}

/** The columns of one record (RFC 4180); null where a quote in it is still open. A text says what is wrong. */
function columnsOf(text: string, delimiter: Delimiter): string[] | string | null {
  if (!text.includes('"')) return text.split(delimiter);
  const quotes = text.split('"').length - 1;
  if (quotes % 2 === 1) return null;
  const plain = plainColumns(text, delimiter);
  if (plain !== null) return plain;
  try {
    const records = parse(text, { delimiter, relax_column_count: true });
    return records.length === 1 ? records[0]! : "is no record of RFC 4180: a quote stands inside a column";
  } catch (error) {
    return `is no record of RFC 4180: ${(error as Error).message.replace(/ at line.*| on line.*/s, "").replace(/^Invalid/, "invalid")}`;
  }
}

/** Names by which every column can be said: one without a name by its number, one of a name that came before with a number. */
function tellApart(header: readonly string[]): string[] {
  const taken = new Set(header);
  const seen = new Set<string>();
  return header.map((written, at) => {
    let name = written === "" ? `column ${at + 1}` : written;
    for (let nth = 2; seen.has(name) || (name !== written && taken.has(name)); nth += 1)
      name = `${written === "" ? "column" : written} (${nth})`;
    seen.add(name);
    return name;
  });
}

class CsvReader implements LineReader {
  private readonly delimiter: Delimiter;
  private names: string[] | null;
  private index = new Map<string, number>();

  constructor({ delimiter = ",", columns }: FormatSpec) {
    this.delimiter = delimiter;
    this.names = columns ?? null;
    if (columns !== undefined) this.index = columnIndex(columns);
  }

  read(line: string): LineReading {
    const columns = columnsOf(line, this.delimiter);
    if (columns === null) return MORE;
    if (typeof columns === "string") return fault(columns);
    if (this.names === null) {
      this.names = tellApart(columns);
      this.index = columnIndex(this.names);
      return NOTHING;
    }
    if (columns.length !== this.names.length)
      return fault(`has ${columns.length} columns; expected ${this.names.length}`);
    return { kind: "record", record: new ColumnsRecord(this.index, columns) };
  }

  /** A record is open while its quotes are odd in number. */
  mayClose(line: string): boolean {
    let isOdd = false;
    for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) isOdd = !isOdd;
    return isOdd;
  }

  fields(): string[] {
    return [...this.index.keys()];
  }
}

/** Whether a first line and those below it are a table with this delimiter: names above, as many values in most lines. */
function isTable(lines: readonly string[], delimiter: Delimiter): boolean {
  const header = columnsOf(lines[0] ?? "", delimiter);
  if (!Array.isArray(header) || header.length < 2) return false;
  const named = header.filter((name) => name !== "");
  if (2 * named.length <= header.length || !named.every((name) => NAME.test(name))) return false;
  const rows = lines.slice(1).filter((line) => line !== "");
  // Lines that begin or end within quotes tell nothing by themselves.
  const columns = rows.map((row) => columnsOf(row, delimiter)).filter((row) => Array.isArray(row));
  const fit = columns.filter((row) => row.length === header.length);
  return fit.length > 0 && 2 * fit.length >= columns.length;
}

/** Tables of text: commas, tabs, semicolons or bars between the columns, quotes as in RFC 4180. */
export const csv: Format = {
  id: "csv",
  title: "CSV or TSV with a header",
  notes: ["What its columns mean is for you to say."],
  recognise: (lines) => {
    const delimiter = DELIMITERS.find((candidate) => isTable(lines, candidate));
    return delimiter === undefined ? null : { id: "csv", delimiter };
  },
  open: (spec) => new CsvReader(spec),
  defaults: guessColumns,
};
