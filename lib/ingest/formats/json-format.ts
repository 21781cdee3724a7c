import type { FormatId } from "../../../contract/log-formats.ts";
import type { Format, FormatDefaults, LineReader, LineReading } from "./format.ts";
import { type Aliases, type JsonRecord, readJsonLine } from "./json-record.ts";

/** Lines that are read to see what fields a log has. */
const FIELD_LINES = 100;

/** Reads objects of JSON, one a line. `other` reads lines that do not begin with a brace. */
export class JsonReader implements LineReader {
  private readonly aliases: Aliases;
  private readonly isOther: (record: JsonRecord) => boolean;
  private readonly names = new Set<string>();
  private looked = 0;

  constructor(aliases: Aliases, isOther: (record: JsonRecord) => boolean = () => false) {
    this.aliases = aliases;
    this.isOther = isOther;
  }

  read(line: string): LineReading {
    const reading = readJsonLine(line, this.aliases);
    if (reading.kind === "record" && this.isOther(reading.record)) return { kind: "none" };
    if (reading.kind === "record" && this.looked < FIELD_LINES) this.look(reading.record);
    return reading;
  }

  fields(): string[] {
    return [...this.names];
  }

  private look(record: JsonRecord): void {
    this.looked += 1;
    for (const alias of this.aliases.keys()) if (record.value(alias) !== null) this.names.add(alias);
    for (const name of record.fields()) this.names.add(name);
  }
}

/** The objects among some lines. */
export function objectsOf(lines: readonly string[], aliases: Aliases): JsonRecord[] {
  return lines.flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const reading = readJsonLine(line, aliases);
    return reading.kind === "record" ? [reading.record] : [];
  });
}

/** A format of JSON Lines that is known by fields that its records have. */
export function jsonFormat(known: {
  id: FormatId;
  title: string;
  notes: string[];
  /** Each list holds fields of which a record has one. */
  marks: readonly (readonly string[])[];
  aliases: Readonly<Record<string, readonly string[]>>;
  /** Whether a record is of another log that is written between, and so holds no request. */
  isOther?: (record: JsonRecord) => boolean;
  defaults: (example: (field: string) => string | null) => FormatDefaults;
}): Format {
  const aliases: Aliases = new Map(Object.entries(known.aliases));
  return {
    id: known.id,
    title: known.title,
    notes: known.notes,
    recognise: (lines) => {
      const objects = objectsOf(lines, aliases);
      const marked = objects.filter((object) =>
        known.marks.every((mark) => mark.some((name) => object.has(name))),
      );
      return marked.length > 0 && 2 * marked.length >= objects.length ? { id: known.id } : null;
    },
    open: () => new JsonReader(aliases, known.isOther),
    defaults: (_, example) => known.defaults(example),
  };
}
