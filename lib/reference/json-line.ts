/**
 * A parser of one line of JSON, made for the canonical stream (§1.3): it keeps the texts of numbers, notices a key
 * twice, and knows where the object ends.
 */

export type JsonValue =
  | { kind: "string"; text: string }
  | { kind: "number"; text: string }
  | { kind: "literal"; text: "true" | "false" | "null" }
  | { kind: "nested" };

/** Why a line is no object of scalars: `field` names the key where one is known. */
export class JsonFault extends Error {
  readonly field: string;
  constructor(message: string, field = "") {
    super(message);
    this.field = field;
  }
}

const SPACE = new Set([" ", "\t", "\n", "\r"]);
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
/** A run of characters that stand for themselves in a string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids exactly these.
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const HEX4 = /[0-9a-fA-F]{4}/y;
const LITERALS = ["true", "false", "null"] as const;

class LineParser {
  private at = 0;
  private readonly line: string;

  constructor(line: string) {
    this.line = line;
  }

  /** The members of the one object on the line. */
  object(): Map<string, JsonValue> {
    const members = new Map<string, JsonValue>();
    this.skipSpace();
    if (this.line[this.at] !== "{") throw new JsonFault("is no object; expected one request");
    this.at += 1;
    this.skipSpace();
    if (this.line[this.at] === "}") this.at += 1;
    else this.members(members);
    this.skipSpace();
    if (this.at < this.line.length) throw new JsonFault("has something after the object");
    return members;
  }

  private members(members: Map<string, JsonValue>): void {
    for (;;) {
      this.skipSpace();
      const key = this.string();
      if (members.has(key)) throw new JsonFault("is there twice", key);
      this.skipSpace();
      this.expect(":");
      this.skipSpace();
      members.set(key, this.value(key));
      this.skipSpace();
      if (this.line[this.at] === "}") break;
      this.expect(",");
    }
    this.at += 1;
  }

  private value(key: string): JsonValue {
    const first = this.line[this.at];
    if (first === '"') return { kind: "string", text: this.string() };
    // No field of a request is nested: what is in there need not be read, the line is bad either way.
    if (first === "{" || first === "[") throw new JsonFault("is nested; expected a scalar", key);
    const literal = LITERALS.find((text) => this.line.startsWith(text, this.at));
    if (literal !== undefined) {
      this.at += literal.length;
      return { kind: "literal", text: literal };
    }
    const text = this.match(NUMBER);
    if (text === null) throw new JsonFault("is no JSON value", key);
    return { kind: "number", text };
  }

  private string(): string {
    this.expect('"');
    let text = "";
    for (;;) {
      text += this.match(PLAIN) ?? "";
      const mark = this.line[this.at];
      if (mark === undefined) throw new JsonFault("is no JSON: a string does not end");
      this.at += 1;
      if (mark === '"') return text;
      if (mark !== "\\") throw new JsonFault("is no JSON: a control character in a string");
      text += this.escape();
    }
  }

  private escape(): string {
    const mark = this.line[this.at] ?? "";
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
    const text = pattern.exec(this.line)?.[0] ?? null;
    if (text !== null) this.at += text.length;
    return text;
  }

  private expect(mark: string): void {
    if (this.line[this.at] !== mark)
      throw new JsonFault(`is no JSON: expected ${mark} at character ${this.at + 1}`);
    this.at += 1;
  }

  private skipSpace(): void {
    while (SPACE.has(this.line[this.at] ?? "")) this.at += 1;
  }
}

/** The members of the object that a line holds, or a JsonFault. */
export function parseObjectLine(line: string): Map<string, JsonValue> {
  return new LineParser(line).object();
}
