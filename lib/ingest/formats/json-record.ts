import { NumberText } from "../../../contract/decimal.ts";
import { DEPTH_MAX, JsonWalk } from "../json-walk.ts";
import { type LineReading, type LogRecord, told } from "./format.ts";

type Json = Readonly<Record<string, unknown>>;

/**
 * A number that a double may not hold to the last digit, or that is written as no double is printed: with an exponent,
 * with zeros at its end or many at its beginning, as -0. In an object one stands behind a colon, a comma or a bracket.
 */
const NEEDS_CARE = /[:,[]\s*(?:-0(?![.\d])|-?(?:[\d.]{16}|[\d.]+[eE]|\d+\.\d*0(?!\d)|0\.000000))/;
/** Fields that are listed of a record, and how deep they are looked for. */
const FIELDS_SHOWN = 200;
const DEPTH_SHOWN = 4;

/** A single value as text; a list of single values as HTTP joins a repeated header; null for what is none. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return told(value);
  if (value instanceof NumberText) return value.text;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (!Array.isArray(value) || value.length === 0) return null;
  const parts = value.map((item) => (Array.isArray(item) ? null : textOf(item)));
  return parts.includes(null) ? null : parts.join(", ");
}

/** The value at a path; a key may hold dots itself: the whole of what is left is tried first. */
function valueAt(object: unknown, path: string): unknown {
  if (typeof object !== "object" || object === null || Array.isArray(object)) return undefined;
  if (Object.hasOwn(object, path)) return (object as Json)[path];
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const key = path.slice(0, dot);
    if (!Object.hasOwn(object, key)) continue;
    const found = valueAt((object as Json)[key], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Other names of fields: the first of them that a record has is its value. */
export type Aliases = ReadonlyMap<string, readonly string[]>;

/** An object of a line as a record: fields by their path (`request.host`), numbers with all their digits. */
export class JsonRecord implements LogRecord {
  private readonly object: Json;
  private readonly aliases: Aliases;

  constructor(object: Json, aliases: Aliases) {
    this.object = object;
    this.aliases = aliases;
  }

  has(field: string): boolean {
    return valueAt(this.object, field) !== undefined;
  }

  value(field: string): string | null {
    for (const name of this.aliases.get(field) ?? [field]) {
      const text = textOf(valueAt(this.object, name));
      if (text !== null) return text;
    }
    return null;
  }

  /** Paths of its single values, in order. */
  fields(): string[] {
    const names: string[] = [];
    const walk = (value: unknown, path: string, depth: number): void => {
      if (names.length >= FIELDS_SHOWN) return;
      if (isObject(value) && !(value instanceof NumberText) && depth < DEPTH_SHOWN)
        for (const [key, inner] of Object.entries(value))
          walk(inner, path === "" ? key : `${path}.${key}`, depth + 1);
      else if (textOf(value) !== null) names.push(path);
    };
    walk(this.object, "", 0);
    return names;
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Members of all objects in a value. */
function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = Array.isArray(value) ? 0 : Object.keys(value).length;
  for (const inner of Object.values(value)) count += membersOf(inner);
  return count;
}

/**
 * Whether no key can stand twice in one object: every key written is a quote before a colon, so that as many of those
 * as there are members leave none for a key that was lost.
 */
function keepsAllKeys(line: string, object: Json): boolean {
  return membersOf(object) === (line.match(/"\s*:/g)?.length ?? 0);
}

/**
 * Reads a line that holds one object of JSON, exactly: no key twice, numbers by their text. Where the line is short of
 * what a double could not hold and of any sign of a repeated key, the quick parser's answer is the exact one.
 */
export function readObject(line: string): { ok: true; object: Json } | { ok: false; reason: string } {
  try {
    const quick: unknown = JSON.parse(line);
    if (!isObject(quick)) return { ok: false, reason: "is no object of JSON; expected one a line" };
    if (!NEEDS_CARE.test(line) && keepsAllKeys(line, quick)) return { ok: true, object: quick };
  } catch (error) {
    const reason = error instanceof SyntaxError ? "is no JSON" : "is nested too deeply";
    return { ok: false, reason: `${reason}; expected one object a line` };
  }
  const walk = new JsonWalk(line);
  const value = walk.read();
  if (walk.isTooDeep)
    return { ok: false, reason: `is nested too deeply; expected at most ${DEPTH_MAX} levels` };
  const repeated = walk.repeated[0];
  if (repeated !== undefined) return { ok: false, reason: `has the key ${repeated.path.slice(0, 80)} twice` };
  return { ok: true, object: value as Json };
}

/** A line of JSON as a reading. */
export function readJsonLine(
  line: string,
  aliases: Aliases,
): Exclude<LineReading, { kind: "record" }> | { kind: "record"; record: JsonRecord } {
  const read = readObject(line);
  return read.ok
    ? { kind: "record", record: new JsonRecord(read.object, aliases) }
    : { kind: "fault", reason: read.reason };
}
