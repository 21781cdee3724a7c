/**
 * A parser of one line of JSON, made for the canonical stream (§1.3): it keeps the texts of numbers, notices a key
 * twice or unknown, and knows where the object ends. It reads each character once, whatever the line holds.
 */

export type JsonValue =
  | { kind: "string"; text: string }
  | { kind: "number"; text: string }
  | { kind: "literal"; text: "true" | "false" | "null" };

/** Why a line is no object of the fields asked for: `field` names the key where one is known. */
export class JsonFault extends Error {
  readonly field: string;
  constructor(message: string, field = "") {
    super(message);
    this.field = field;
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const OPEN_LIST = 0x5b;
const FIRST_PRINTABLE = 0x20;
/** No code unit: the line has ended. */
const END = -1;

/** White space of JSON but for the line feed: a line has none. */
const isSpace = (unit: number): boolean => unit === 0x20 || unit === 0x09 || unit === 0x0d;

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const HEX4 = /[0-9a-fA-F]{4}/y;
const LITERALS = ["true", "false", "null"] as const;

class LineParser {
  private at = 0;
  private readonly line: string;
  private readonly fields: readonly string[];

  constructor(line: string, fields: readonly string[]) {
    this.line = line;
    this.fields = fields;
  }

  /** The values of the one object on the line, each at the place of its field. */
  object(): (JsonValue | undefined)[] {
    const values: (JsonValue | undefined)[] = [];
    this.skipSpace();
    if (this.unit() !== OPEN) throw new JsonFault("is no object; expected one request");
    this.at += 1;
    this.skipSpace();
    if (this.unit() === CLOSE) this.at += 1;
    else this.members(values);
    this.skipSpace();
    if (this.at < this.line.length) throw new JsonFault("has something after the object");
    return values;
  }

  private members(values: (JsonValue | undefined)[]): void {
    for (;;) {
      this.skipSpace();
      const key = this.string();
      const place = this.fields.indexOf(key);
      // What an unknown field holds need not be read, however deep it goes: the line is bad either way.
      if (place < 0) throw new JsonFault("is an unknown field", key);
      if (values[place] !== undefined) throw new JsonFault("is there twice", key);
      this.skipSpace();
      this.expect(COLON);
      this.skipSpace();
      values[place] = this.value(key);
      this.skipSpace();
      if (this.unit() === CLOSE) break;
      this.expect(COMMA);
    }
    this.at += 1;
  }

  private value(key: string): JsonValue {
    const first = this.unit();
    if (first === QUOTE) return { kind: "string", text: this.string() };
    if (first === OPEN || first === OPEN_LIST) throw new JsonFault("is nested; expected a scalar", key);
    const number = this.match(NUMBER);
    if (number !== null) return { kind: "number", text: number };
    const literal = LITERALS.find((text) => this.line.startsWith(text, this.at));
    if (literal === undefined) throw new JsonFault("is no JSON value", key);
    this.at += literal.length;
    return { kind: "literal", text: literal };
  }

  private string(): string {
    this.expect(QUOTE);
    let text = "";
    for (;;) {
      text += this.plainRun();
      const mark = this.unit();
      if (mark === END) throw new JsonFault("is no JSON: a string does not end");
      this.at += 1;
      if (mark === QUOTE) return text;
      if (mark !== BACKSLASH) throw new JsonFault("is no JSON: a control character in a string");
      text += this.escape();
    }
  }

  /** The characters that stand for themselves, up to a quote, a backslash, a control character or the line's end. */
  private plainRun(): string {
    const start = this.at;
    let unit = this.unit();
    while (unit !== QUOTE && unit !== BACKSLASH && unit >= FIRST_PRINTABLE) {
      this.at += 1;
      unit = this.unit();
    }
    return this.line.slice(start, this.at);
  }

  private escape(): string {
    const mark = this.line.charAt(this.at);
    this.at += 1;
    if (mark !== "u") {
      const plain = ESCAPES.get(mark);
      if (plain === undefined) throw new JsonFault("is no JSON: an unknown escape");
      return plain;
    }
    const hex = this.match(HEX4);
    if (hex === null) throw new JsonFault("is no JSON: a broken \\u escape");
    return String.fromCharCode(Number.parseInt(hex, 16));
  }

  private match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.line)) return null;
    const start = this.at;
    this.at = pattern.lastIndex;
    return this.line.slice(start, this.at);
  }

  private expect(unit: number): void {
    if (this.unit() !== unit)
      throw new JsonFault(`is no JSON: expected ${String.fromCharCode(unit)} at character ${this.at + 1}`);
    this.at += 1;
  }

  private skipSpace(): void {
    while (isSpace(this.unit())) this.at += 1;
  }

  /** The UTF-16 code unit that comes next; `END` at the line's end. */
  private unit(): number {
    return this.at < this.line.length ? this.line.charCodeAt(this.at) : END;
  }
}

/**
 * The values of the object that a line holds, in the order of `fields`; undefined where a field is missing. Throws a
 * JsonFault for anything that is not one object of scalars under these fields.
 */
export function parseObjectLine(line: string, fields: readonly string[]): (JsonValue | undefined)[] {
  return new LineParser(line, fields).object();
}
