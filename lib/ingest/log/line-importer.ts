import type { Mapping } from "../../../contract/mapping.ts";
import { formatOf } from "../formats/catalog.ts";
import { type LineReader, MORE } from "../formats/format.ts";
import { type LineBlock, LOG_LINE_MAX_BYTES, linesIn } from "./bounded-lines.ts";
import { controlProblem } from "./control-character.ts";
import type { LineSink } from "./imported-line.ts";
import { OrderedLines } from "./ordered-lines.ts";
import { type RequestMapper, requestMapper } from "./request-mapper.ts";
import { unwrap } from "./unwrap.ts";

const BOM = "\uFEFF";
const EMPTY = /^[ \t\r]*$/;
/** Characters shown of a line that is a problem. */
const CLIP = 200;
/** A record that spans lines ends within these, or its first line is at fault. */
const RECORD_LINES = 1000;
const RECORD_CHARACTERS = 256 * 1024;

/** A line as a list of problems shows it. */
export const clip = (text: string): string => (text.length > CLIP ? `${text.slice(0, CLIP)}…` : text);
const lossy = new TextDecoder("utf-8");

/** Lines that may come before the rest of a wrapped line does. */
const PART_LINES = 10_000;

/** A line of a log that belongs to a record not yet whole. */
interface Held {
  line: number;
  text: string;
}

/**
 * Turns the physical lines of a log into requests, problems, and lines that hold neither, each line exactly once and in
 * order. Where chunks ended makes no difference.
 * @param mapping one that `readMapping` accepted, of a format that has one
 */
export class LineImporter {
  private readonly sink: LineSink;
  private readonly reader: LineReader;
  private readonly map: RequestMapper;
  private readonly wrapping;
  private readonly lines = new OrderedLines();
  /** Lines of a record that is not closed (a quoted line feed). */
  private open: Held[] = [];
  /** Characters of them, line feeds included. */
  private characters = 0;
  /** The beginning of a wrapped line of which parts are to come, by stream. */
  private readonly parts = new Map<string, Held>();

  constructor(mapping: Mapping, sink: LineSink) {
    const format = formatOf(mapping.format.id);
    if (format === undefined) throw new Error(`${mapping.format.id} is no format with a mapping`);
    this.sink = sink;
    this.reader = format.open(mapping.format);
    this.map = requestMapper(mapping);
    this.wrapping = mapping.format.unwrap ?? "none";
  }

  /** Takes the next block of physical lines. */
  block(block: LineBlock): void {
    if (block.kind === "overlong") return this.overlong(lossy.decode(block.start));
    for (const line of linesIn(block.bytes)) this.physical(line);
  }

  /** The log ends: what is still open is a problem of the line that opened it. */
  end(): void {
    for (const { line, text } of this.parts.values())
      this.problem(line, "", "is a part of a line whose rest never comes", text);
    this.parts.clear();
    while (this.open.length > 0) this.giveUp("opens a quote that is not closed before the end");
  }

  /** Physical lines so far. */
  get count(): number {
    return this.lines.count;
  }

  private overlong(start: string): void {
    this.problem(this.lines.open(), "", `is longer than ${LOG_LINE_MAX_BYTES} bytes`, start);
  }

  private physical(line: string | Uint8Array): void {
    if (typeof line !== "string") {
      const number = this.lines.open();
      return this.problem(number, "", "is no UTF-8", lossy.decode(line));
    }
    // No text has more bytes than three times its UTF-16 units.
    if (line.length * 3 > LOG_LINE_MAX_BYTES && Buffer.byteLength(line) > LOG_LINE_MAX_BYTES)
      return this.overlong(line);
    const number = this.lines.open();
    const end = line.endsWith("\r") ? line.length - 1 : line.length;
    const text = line.slice(number === 1 && line.startsWith(BOM) ? 1 : 0, end);
    if (EMPTY.test(text) && this.open.length === 0) return this.other(number);
    const control = controlProblem(text);
    if (control !== null) return this.problem(number, "", control, text);
    this.wrapped(number, text);
  }

  private wrapped(line: number, text: string): void {
    for (const [stream, part] of this.parts)
      if (line - part.line > PART_LINES) {
        this.parts.delete(stream);
        this.problem(
          part.line,
          "",
          `is a part of a line whose rest does not come within ${PART_LINES} lines`,
          part.text,
        );
      }
    const bare = unwrap(text, this.wrapping);
    if (!bare.ok) return this.problem(line, "", bare.reason, text);
    const begun = this.parts.get(bare.stream);
    const whole = begun === undefined ? bare.text : begun.text + bare.text;
    const start = begun?.line ?? line;
    if (whole.length > LOG_LINE_MAX_BYTES) {
      this.parts.delete(bare.stream);
      if (start !== line) this.other(line);
      return this.problem(start, "", `is longer than ${LOG_LINE_MAX_BYTES} bytes with its parts`, whole);
    }
    if (start !== line) this.other(line);
    if (bare.isPart) {
      this.parts.set(bare.stream, { line: start, text: whole });
      return;
    }
    this.parts.delete(bare.stream);
    if (EMPTY.test(whole) && this.open.length === 0) return this.other(start);
    this.logical(start, whole);
  }

  private logical(line: number, text: string): void {
    this.open.push({ line, text });
    this.characters = (this.open.length === 1 ? 0 : this.characters + 1) + text.length;
    const first = this.open[0]!;
    // What is open is joined and read again only where it may end: else long records would take the square of their length.
    const mayEnd = this.open.length === 1 || this.reader.mayClose?.(text) !== false;
    const whole = mayEnd ? this.open.map((held) => held.text).join("\n") : "";
    const reading = mayEnd ? this.reader.read(whole) : MORE;
    if (reading.kind === "more") {
      if (this.open.length >= RECORD_LINES || this.characters > RECORD_CHARACTERS)
        this.giveUp(`opens a quote that is not closed within ${RECORD_LINES} lines`);
      return;
    }
    const rest = this.open.slice(1);
    this.open = [];
    if (reading.kind === "none") this.other(first.line);
    else if (reading.kind === "fault") {
      // What a stray quote joined is taken apart again: each line stands for itself.
      this.problem(first.line, "", reading.reason, first.text);
      for (const { line, text } of rest) this.logical(line, text);
      return;
    } else {
      const mapped = this.map(reading.record, first.line);
      if (mapped.ok)
        this.lines.settle(first.line, () => this.sink.request(first.line, mapped.request, whole));
      else this.problem(first.line, mapped.field, mapped.reason, whole);
    }
    for (const held of rest) this.other(held.line);
  }

  /** The first of the open lines is at fault; those behind it are read again, as what they are by themselves. */
  private giveUp(reason: string): void {
    const [first, ...rest] = this.open;
    this.open = [];
    this.problem(first!.line, "", reason, first!.text);
    for (const { line, text } of rest) this.logical(line, text);
  }

  private problem(line: number, field: string, reason: string, text: string): void {
    this.lines.settle(line, () => this.sink.problem({ line, field, reason, text: clip(text) }));
  }

  private other(line: number): void {
    this.lines.settle(line, () => this.sink.other(line));
  }
}
