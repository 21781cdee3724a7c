import type { TextColumn } from "../../contract/text-column.ts";
import { ByteWindow, ReportFault } from "./byte-window.ts";
import { PackedDecisions, PackedIds, type Packer } from "./packed-rows.ts";

/** A report (§4) of any size, its rows packed; or why it is none, in words that follow "the report". */
export type ReportResult = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

/** Largest part that is no list of rows, and largest single row, in bytes. */
const PART_MOST_BYTES = 256 * 1024 * 1024;
/** Bytes of rows that are parsed at once. */
const BATCH_BYTES = 64 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Makes the packer of a list, told the ids of the list that was read before it. */
type MakePacker = (alike: TextColumn | null) => Packer;
const PACKERS: ReadonlyMap<string, MakePacker> = new Map<string, MakePacker>([
  ["decisions", (alike) => new PackedDecisions(alike)],
  ["dispatch_order", (alike) => new PackedIds(alike)],
]);

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses a stretch of bytes that should be JSON. Whatever JSON is, is `JSON.parse`'s to say. */
function parse(bytes: Uint8Array, lead = "", tail = ""): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new ReportFault("is no UTF-8");
  }
  try {
    return JSON.parse(`${lead}${text}${tail}`) as unknown;
  } catch (error) {
    throw new ReportFault(`is no JSON: ${(error as Error).message}`);
  }
}

const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);

/** Follows JSON from byte to byte as far as strings and brackets go: how deep it is, and whether in a string. */
class Nesting {
  depth = 0;
  private inString = false;
  private isEscaped = false;

  /** Whether a byte stands outside of all strings and brackets that were opened since the start. */
  isOutside(byte: number): boolean {
    if (this.inString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) this.inString = false;
      return false;
    }
    if (byte === QUOTE) this.inString = true;
    else if (byte === OPEN || byte === OPEN_LIST) this.depth += 1;
    else if (this.depth > 0 && (byte === CLOSE || byte === CLOSE_LIST)) this.depth -= 1;
    else return this.depth === 0;
    return false;
  }
}

/**
 * Cuts a report into what `JSON.parse` can take: the parts of the object, and its lists of rows some rows at a time. What
 * it looks at itself is only what stands between those; every byte of the text is in one of them or is looked at.
 */
class ReportReader {
  private readonly window: ByteWindow;
  private readonly batchBytes: number;
  private ids: TextColumn | null = null;

  constructor(chunks: AsyncIterable<Uint8Array>, batchBytes: number) {
    this.window = new ByteWindow(chunks);
    this.batchBytes = batchBytes;
  }

  async read(): Promise<Record<string, unknown>> {
    const { window } = this;
    await this.skipByteOrderMark();
    if ((await window.peek()) !== OPEN) throw new ReportFault("is no JSON object");
    const fields: Record<string, unknown> = {};
    for (let mark = OPEN; mark !== CLOSE; ) {
      window.at += 1;
      // Only the first bracket may be closed at once: behind a comma comes a field.
      if (mark === OPEN && (await window.peek()) === CLOSE) break;
      const key = await this.key();
      const value = await this.value(key);
      // Assigned, `__proto__` would be no field.
      Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
      mark = await window.peek();
      if (mark !== COMMA && mark !== CLOSE) throw this.unexpected("a comma or the end of the object");
    }
    window.at += 1;
    if ((await window.peek()) !== -1) throw this.unexpected("its end");
    return fields;
  }

  private async skipByteOrderMark(): Promise<void> {
    const { window } = this;
    while (window.bytes.length < BYTE_ORDER_MARK.length && (await window.more()));
    if (BYTE_ORDER_MARK.every((byte, at) => window.bytes[at] === byte)) window.at = BYTE_ORDER_MARK.length;
  }

  private unexpected(expected: string): ReportFault {
    return new ReportFault(
      `is no JSON: expected ${expected} at byte ${this.window.offsetOf(this.window.at) + 1}`,
    );
  }

  private async key(): Promise<string> {
    const { window } = this;
    if ((await window.peek()) !== QUOTE) throw this.unexpected("a field's name");
    const key = parse(await this.stretch([COLON])) as string;
    if ((await window.peek()) !== COLON) throw this.unexpected("a colon");
    window.at += 1;
    return key;
  }

  private async value(key: string): Promise<unknown> {
    const make = PACKERS.get(key);
    if ((await this.window.peek()) !== OPEN_LIST || make === undefined)
      return parse(await this.stretch([COMMA, CLOSE]));
    const packer = make(this.ids);
    await this.list(packer);
    this.ids = packer.ids();
    return packer.rows();
  }

  /** The bytes up to one of these marks outside of strings and brackets; the mark stays. */
  private async stretch(ends: readonly number[]): Promise<Uint8Array> {
    const { window } = this;
    const nesting = new Nesting();
    for (let length = 0; ; ) {
      for (; window.at + length < window.bytes.length; length++) {
        const byte = window.bytes[window.at + length]!;
        if (!nesting.isOutside(byte) || !ends.includes(byte)) continue;
        const found = window.bytes.subarray(window.at, window.at + length);
        window.at += length;
        return found;
      }
      if (length > PART_MOST_BYTES) throw new ReportFault("has a part that is too large to be read");
      if (!(await window.more())) throw new ReportFault("is no JSON: it ends in the middle");
    }
  }

  /** A list of rows, whose opening bracket comes next: cut at commas between rows, some at a time. */
  private async list(packer: Packer): Promise<void> {
    const { window } = this;
    window.at += 1;
    const nesting = new Nesting();
    let isFirst = true;
    const take = (length: number) => {
      const bytes = window.bytes.subarray(window.at, window.at + length);
      // Without this a comma too many would be lost at a cut.
      if (isBlank(bytes)) throw this.unexpected("a row");
      for (const row of parse(bytes, "[", "]") as unknown[]) packer.add(row);
      window.at += length + 1;
      isFirst = false;
    };
    for (let length = 0; ; ) {
      for (; window.at + length < window.bytes.length; length++) {
        const byte = window.bytes[window.at + length]!;
        if (!nesting.isOutside(byte)) continue;
        if (byte === COMMA && length >= this.batchBytes) {
          take(length);
          length = -1;
        } else if (byte === CLOSE_LIST) {
          const rest = window.bytes.subarray(window.at, window.at + length);
          if (isFirst && isBlank(rest)) window.at += length + 1;
          else take(length);
          return;
        }
      }
      if (length > PART_MOST_BYTES) throw new ReportFault("has a row that is too large to be read");
      if (!(await window.more())) throw new ReportFault("is no JSON: it ends in the middle");
    }
  }
}

/**
 * Reads a report (§4) of any size from its bytes, in chunks of any size. What it holds is what `JSON.parse` would make of
 * it, where a key that is there twice has its last value; only that decisions and dispatch order are packed `Rows`. Errors
 * of the stream itself are the caller's.
 * @param batchBytes of rows that are parsed at once, at least
 */
export async function readReportStream(
  chunks: AsyncIterable<Uint8Array>,
  batchBytes = BATCH_BYTES,
): Promise<ReportResult> {
  try {
    return { ok: true, value: await new ReportReader(chunks, batchBytes).read() };
  } catch (error) {
    if (!(error instanceof ReportFault) && !(error instanceof RangeError)) throw error;
    return { ok: false, message: error.message };
  }
}
