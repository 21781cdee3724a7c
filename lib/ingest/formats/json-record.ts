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

/** The text of a number. */
type NumberReader = (value: number) => string;

/** A single value as text; a list of single values as HTTP joins a repeated header; null for what is none. */
function textOf(value: unknown, ofNumber: NumberReader = String): string | null {
  if (typeof value === "string") return told(value);
  if (typeof value === "number") return ofNumber(value);
  if (value instanceof NumberText) return value.text;
  if (typeof value === "boolean") return String(value);
  if (!Array.isArray(value) || value.length === 0) return null;
  const parts = value.map((item) => (Array.isArray(item) ? null : textOf(item, ofNumber)));
  return parts.includes(null) ? null : parts.join(", ");
}

const NUMBER = /[:,[]\s*(-?\d[\d.eE+-]*)/g;

/** Two numbers of a line have one double and different texts. */
class Ambiguous extends Error {}

/**
 * How the numbers of a line are written, by their doubles: wherever in the line a number has the double that was asked
 * for, in strings too, it has this text. A few numbers are asked of each line; to keep the text of all takes far longer.
 */
const numbersOf =
  (line: string): NumberReader =>
  (value) => {
    let found: string | null = null;
    NUMBER.lastIndex = 0;
    for (let match = NUMBER.exec(line); match !== null; match = NUMBER.exec(line)) {
      const text = match[1]!;
      if (Number(text) !== value || text === found) continue;
      if (found !== null) throw new Ambiguous();
      found = text;
    }
    return found!;
  };

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
  private object: Json;
  private readonly aliases: Aliases;
  /** The line, where its numbers' texts are to be looked up in it. */
  private line: string | null;

  constructor({ object, line }: ReadObject, aliases: Aliases) {
    this.object = object;
    this.line = line;
    this.aliases = aliases;
  }

  has(field: string): boolean {
    return valueAt(this.object, field) !== undefined;
  }

  value(field: string): string | null {
    for (const name of this.aliases.get(field) ?? [field]) {
      const text = this.textAt(name);
      if (text !== null) return text;
    }
    return null;
  }

  private textAt(name: string): string | null {
    if (this.line === null) return textOf(valueAt(this.object, name));
    try {
      return textOf(valueAt(this.object, name), numbersOf(this.line));
    } catch (error) {
      if (!(error instanceof Ambiguous)) throw error;
      this.object = new JsonWalk(this.line).read() as Json;
      this.line = null;
      return this.textAt(name);
    }
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

/** Whether a line may be nested deeper than it can be walked through. */
const mayBeDeep = (line: string): boolean =>
  line.length > 2 * DEPTH_MAX && (line.match(/[[{]/g)?.length ?? 0) >= DEPTH_MAX;

/** An object; with its line where some of its numbers are doubles that do not tell how they are written. */
interface ReadObject {
  object: Json;
  line: string | null;
}

/**
 * Reads a line that holds one object of JSON, exactly: no key twice, numbers by their text. Where the line has no sign
 * of a repeated key, the quick parser's answer is the exact one, but for numbers.
 */
export function readObject(line: string): ({ ok: true } & ReadObject) | { ok: false; reason: string } {
  try {
    const quick: unknown = JSON.parse(line);
    if (!isObject(quick)) return { ok: false, reason: "is no object of JSON; expected one a line" };
    const needsCare = NEEDS_CARE.test(line);
    if (keepsAllKeys(line, quick) && !(needsCare && mayBeDeep(line)))
      return { ok: true, object: quick, line: needsCare ? line : null };
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
  return { ok: true, object: value as Json, line: null };
}

/** A line of JSON as a reading. */
export function readJsonLine(
  line: string,
  aliases: Aliases,
): Exclude<LineReading, { kind: "record" }> | { kind: "record"; record: JsonRecord } {
  const read = readObject(line);
  return read.ok
    ? { kind: "record", record: new JsonRecord(read, aliases) }
    : { kind: "fault", reason: read.reason };
}
