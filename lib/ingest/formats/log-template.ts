import { ColumnsRecord, columnIndex, REQUEST_FIELDS } from "./columns-record.ts";
import { fault, type LineReader, type LineReading } from "./format.ts";

/** A text between two variables of a template, or a variable. */
interface Piece {
  kind: "text" | "variable";
  text: string;
}

/** How odd characters of a value are written: as nginx and Apache do by themselves, as in JSON, or as they are. */
export type Escapes = "default" | "json" | "none";

const DIRECTIVE = /^\s*log_format\s+[^\s']+\s*(?:escape=(default|json|none)\s*)?/;
const QUOTED = /^\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/;

/** The text that a `log_format` directive, or only its quoted parts, spells; other text stands for itself. */
export function templateText(written: string): string {
  let rest = written.replace(DIRECTIVE, "");
  const parts: string[] = [];
  for (let match = QUOTED.exec(rest); match !== null; match = QUOTED.exec(rest)) {
    parts.push((match[1] ?? match[2]!).replace(/\\(['"\\])/g, "$1"));
    rest = rest.slice(match[0].length);
  }
  return parts.length > 0 && /^\s*;?\s*$/.test(rest) ? parts.join("") : written;
}

/** The escapes that a `log_format` directive says. */
export const escapesIn = (written: string): Escapes =>
  (DIRECTIVE.exec(written)?.[1] as Escapes | undefined) ?? "default";

function piecesOf(template: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of template.matchAll(/\$(?:\{([A-Za-z0-9_]+)\}|([A-Za-z0-9_]+))/g)) {
    if (match.index > at) pieces.push({ kind: "text", text: template.slice(at, match.index) });
    pieces.push({ kind: "variable", text: (match[1] ?? match[2])! });
    at = match.index + match[0].length;
  }
  if (at < template.length) pieces.push({ kind: "text", text: template.slice(at) });
  return pieces;
}

/** Why a template cannot be read, or null. */
export function templateFault(written: string): string | null {
  const pieces = piecesOf(templateText(written));
  if (!pieces.some(({ kind }) => kind === "variable"))
    return "has no variable; expected some, such as $remote_addr";
  const touching = pieces.findIndex(
    (piece, at) => piece.kind === "variable" && pieces[at + 1]?.kind === "variable",
  );
  return touching < 0
    ? null
    : `has $${pieces[touching]!.text} and $${pieces[touching + 1]!.text} with nothing between them, so that they cannot be told apart`;
}

/** Where the text behind a variable begins; a quote with a backslash before it does not end one that has escapes. */
function endOfVariable(line: string, from: number, text: string, escapes: Escapes): number {
  for (let end = line.indexOf(text, from); end >= 0; end = line.indexOf(text, end + 1)) {
    if (text[0] !== '"' || escapes === "none") return end;
    let start = end;
    while (start > from && line[start - 1] === "\\") start -= 1;
    if ((end - start) % 2 === 0) return end;
  }
  return -1;
}

/** Where a text begins that a line ends with, at `from` or behind; -1 where it does not. */
const endBefore = (line: string, from: number, text: string): number =>
  line.endsWith(text) && line.length - text.length >= from ? line.length - text.length : -1;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const ESCAPES = /(?:\\x[0-9A-Fa-f]{2})+|\\(["\\bnrtv])/g;
/** What Apache writes by a letter. */
const LETTERS = new Map([
  ["b", "\b"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

/** A value as it is between the quotes of a text of JSON; where it is none there, as it is written. */
function unescapedJson(value: string): string {
  try {
    return JSON.parse(`"${value}"`) as string;
  } catch {
    return value;
  }
}

/**
 * nginx and Apache write odd bytes as `\x16`, quotes as `\"`, Apache a line feed as `\n`; bytes that are no UTF-8 stay as
 * they are written.
 */
function unescaped(value: string, escapes: Escapes): string {
  if (escapes === "none" || !value.includes("\\")) return value;
  if (escapes === "json") return unescapedJson(value);
  return value.replace(ESCAPES, (whole, plain: string | undefined) => {
    if (plain !== undefined) return LETTERS.get(plain) ?? plain;
    const bytes = Uint8Array.from(whole.match(/[0-9A-Fa-f]{2}/g)!, (pair) => Number.parseInt(pair, 16));
    try {
      return utf8.decode(bytes);
    } catch {
      return whole;
    }
  });
}

/** Reads lines of a template: texts and variables by turns, each variable up to the first place of the text behind it. */
export class TemplateReader implements LineReader {
  private readonly pieces: Piece[];
  private readonly names: string[];
  private readonly index: Map<string, number>;
  private readonly hasRest: boolean;
  private readonly escapes: Escapes;

  /** @param hasRest whether a line may go on behind the template, after a space; the rest is the field `rest` */
  constructor(template: string, { hasRest = false, escapes = "default" as Escapes } = {}) {
    this.pieces = piecesOf(template);
    this.hasRest = hasRest;
    this.escapes = escapes;
    this.names = this.pieces.filter(({ kind }) => kind === "variable").map(({ text }) => text);
    if (hasRest) this.names.push("rest");
    this.index = columnIndex(this.names);
  }

  read(line: string): LineReading {
    const values: string[] = [];
    let at = 0;
    for (let nth = 0; nth < this.pieces.length; nth += 1) {
      const piece = this.pieces[nth]!;
      if (piece.kind === "text") {
        if (!line.startsWith(piece.text, at)) return this.unfit(piece.text, at);
        at += piece.text.length;
        continue;
      }
      const next = this.pieces[nth + 1]?.text ?? (this.hasRest ? " " : null);
      // Nothing follows the last text: where values are written as they are, one before it may hold the same.
      const isLast = this.escapes === "none" && nth + 2 === this.pieces.length && !this.hasRest;
      const found =
        next === null
          ? line.length
          : isLast
            ? endBefore(line, at, next)
            : endOfVariable(line, at, next, this.escapes);
      if (found < 0 && nth + 1 < this.pieces.length) return this.unfit(next!, at);
      const end = found < 0 ? line.length : found;
      values.push(unescaped(line.slice(at, end), this.escapes));
      at = end;
    }
    if (this.hasRest) values.push(line.slice(at + 1));
    if (this.hasRest ? at < line.length && line[at] !== " " : at < line.length)
      return fault(`goes on where the format ends, at character ${at + 1}`);
    return { kind: "record", record: new ColumnsRecord(this.index, values) };
  }

  fields(): string[] {
    const inRequest = this.index.has("request") ? REQUEST_FIELDS : [];
    return [...new Set([...this.names, ...inRequest])];
  }

  private unfit(text: string, at: number): LineReading {
    return fault(`does not fit the format: expected ${JSON.stringify(text)} from character ${at + 1} on`);
  }
}
