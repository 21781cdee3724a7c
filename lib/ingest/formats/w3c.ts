import { ColumnsRecord, columnIndex } from "./columns-record.ts";
import { DirectiveDay } from "./directive-day.ts";
import { type Format, fault, type LineReader, type LineReading, NOTHING } from "./format.ts";

/** Date and time of a line as one stamp: the format keeps them in two columns. */
const STAMP = "date-time";
const FIELDS = /^#Fields:\s*(.*\S)\s*$/;
const DATE = /^#Date:\s*(\d{4}-\d\d-\d\d)(?:[ T]+(\d\d:\d\d:\d\d))?/;

const QUOTED = /"((?:[^"]|"")*)"(?: |$)|([^ ]*)(?: |$)/y;

/** Columns between single spaces, some of them in quotes, which hold spaces and, twice, quotes. */
function quotedColumns(line: string): string[] {
  const columns: string[] = [];
  QUOTED.lastIndex = 0;
  while (QUOTED.lastIndex < line.length) {
    const [, quoted, plain] = QUOTED.exec(line)!;
    columns.push(quoted?.replaceAll('""', '"') ?? plain!);
  }
  return columns;
}

/** The columns of a line: between tabs or spaces. IIS writes no space into one and quotes as they are, others quote texts. */
function columnsOf(line: string, count: number): string[] {
  if (line.includes("\t")) return line.split("\t");
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  const bare = line.slice(0, end);
  const columns = bare.split(" ");
  if (!bare.includes('"')) return columns;
  const quoted = quotedColumns(bare);
  return quoted.length === count ? quoted : columns;
}

/** The extended log of the W3C: `#Fields` says what the columns are, and may say so anew in the middle. */
class W3cReader implements LineReader {
  private index: Map<string, number> | null = null;
  private count = 0;
  private day: DirectiveDay | null = null;
  private readonly names = new Set<string>();

  read(line: string): LineReading {
    if (line.startsWith("#")) return this.direct(line);
    if (this.index === null) return fault("stands before any #Fields that would say what its columns are");
    const values = columnsOf(line, this.count);
    if (values.length !== this.count)
      return fault(`has ${values.length} columns; #Fields names ${this.count}`);
    values.push(this.stamp(values));
    return { kind: "record", record: new ColumnsRecord(this.index, values) };
  }

  fields(): string[] {
    return [STAMP, ...this.names];
  }

  private direct(line: string): LineReading {
    const date = DATE.exec(line);
    if (date !== null) this.day = new DirectiveDay(date[1]!, date[2]);
    const names = FIELDS.exec(line)?.[1]?.split(/\s+/);
    if (names === undefined) return NOTHING;
    this.count = names.length;
    this.index = columnIndex([...names, STAMP]);
    for (const name of names) this.names.add(name);
    return NOTHING;
  }

  private stamp(values: readonly string[]): string {
    const column = (name: string) => values[this.index!.get(name) ?? -1];
    const time = column("time");
    if (time === undefined) return "";
    const date = column("date") ?? this.day?.of(time) ?? "";
    return date === "" ? "" : `${date}T${time}`;
  }
}

const fieldsOf = (lines: readonly string[]): string => lines.find((line) => FIELDS.test(line)) ?? "";
const isCloudFront = (lines: readonly string[]): boolean => /\bx-edge-location\b/.test(fieldsOf(lines));

function w3cFormat(id: "w3c" | "cloudfront", title: string, notes: string[]): Format {
  return {
    id,
    title,
    notes,
    recognise: (lines) =>
      fieldsOf(lines) !== "" && isCloudFront(lines) === (id === "cloudfront") ? { id } : null,
    open: () => new W3cReader(),
    defaults: (fields) => ({
      tenant: fields.includes("c-ip") ? { by: "address", field: "c-ip" } : null,
      arrival: fields.includes("time") ? { field: STAMP, unit: "iso", zone: "UTC" } : null,
    }),
  };
}

/** IIS and others that write the extended log. */
export const w3c = w3cFormat("w3c", "W3C extended (IIS)", [
  "IIS stamps a request when it has been answered, in UTC, to the second.",
  "Where lines tell no date, #Date does; where their times begin again, the next day has begun.",
]);

/** AWS CloudFront's standard log. */
export const cloudfront = w3cFormat("cloudfront", "AWS CloudFront", [
  "CloudFront stamps a request when it has been answered, in UTC, to the second.",
]);
