import type { DuckDBDataChunk } from "@duckdb/node-api";
import duckdb, { type Vector } from "@duckdb/node-bindings";

/** Rows of one chunk: what DuckDB works on at once. */
export const CHUNK_ROWS = 2048;

/** Which rows of a chunk have a value, one bit each, as DuckDB keeps it. */
class Validity {
  private readonly bits = new Uint32Array(CHUNK_ROWS / 32).fill(2 ** 32 - 1);
  private isWhole = true;

  setNull(row: number): void {
    this.isWhole = false;
    this.bits[row >>> 5]! &= ~(1 << (row & 31));
  }

  /** Hands it over; then every row has a value again. */
  flush(vector: Vector): void {
    if (this.isWhole) return;
    duckdb.vector_ensure_validity_writable(vector);
    duckdb.copy_data_to_vector_validity(vector, 0, this.bits.buffer, 0, this.bits.byteLength);
    this.bits.fill(2 ** 32 - 1);
    this.isWhole = true;
  }
}

/** A column of numbers that is being filled. */
export class NumberCells {
  /** By row; what is not set is whatever stood there before. */
  readonly items: Float64Array<ArrayBuffer> | Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;
  private readonly validity = new Validity();

  constructor(items: NumberCells["items"]) {
    this.items = items;
  }

  setNull(row: number): void {
    this.validity.setNull(row);
  }

  flush(vector: Vector, rows: number): void {
    duckdb.copy_data_to_vector(vector, 0, this.items.buffer, 0, rows * this.items.BYTES_PER_ELEMENT);
    this.validity.flush(vector);
  }
}

/** A column of one of few texts, which DuckDB keeps as numbers. */
export class WordCells extends NumberCells {
  private readonly codes: ReadonlyMap<string, number>;

  constructor(codes: ReadonlyMap<string, number>) {
    super(new Uint8Array(CHUNK_ROWS));
    this.codes = codes;
  }

  set(row: number, word: string | null): void {
    if (word === null) return this.setNull(row);
    const code = this.codes.get(word);
    if (code === undefined) throw new Error(`the view was not told of the tier ${JSON.stringify(word)}`);
    this.items[row] = code;
  }
}

/** Bytes of DuckDB's record of a text (`duckdb_string_t`): its length, then itself or its beginning and its address. */
const RECORD_BYTES = 16;
/** Bytes of a text that stands in its record whole. */
const INLINE_BYTES = 12;
/** Of a longer one, what stands there of its beginning. */
const PREFIX_BYTES = 4;
/** Where either begins in a record. */
const PREFIX_AT = 4;
/** Of a chunk, for texts as long as most ids are; more is made when it is needed. */
const FIRST_HEAP_BYTES = CHUNK_ROWS * 64;
/** Bytes of UTF-8 of one unit of UTF-16, at most. */
const MOST_BYTES_A_UNIT = 3;

/** What a text takes in a JSON array besides itself: quotes, a comma, and the bracket at the end. */
const LIST_BYTES_A_TEXT = 4;
/** Up to so many bytes are copied one by one: a view of them costs more. */
const LOOPED_BYTES = 48;
const [BLANK, QUOTE, BACKSLASH, OPEN, CLOSE, COMMA] = [...Buffer.from(' "\\[],')] as [
  number,
  number,
  number,
  number,
  number,
  number,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A column of texts that is being filled. Records are made here and handed over a chunk at a time, as are the long texts,
 * one behind the other: a call a text would cost more than all the rest of a table.
 */
export class TextCells {
  private readonly records = new Uint8Array(CHUNK_ROWS * RECORD_BYTES);
  private readonly words = new Uint32Array(this.records.buffer);
  private readonly validity = new Validity();
  private heap = new Uint8Array(FIRST_HEAP_BYTES);
  /** Where the texts end that stay there. */
  private used = 0;
  /** Where the text ends that is being put together behind them. */
  private end = 0;

  set(row: number, text: string | null): void {
    if (text === null) {
      this.words.fill(0, row * 4, row * 4 + 4);
      this.validity.setNull(row);
      return;
    }
    this.demandRoom(text.length * MOST_BYTES_A_UNIT);
    this.end = this.used + encoder.encodeInto(text, this.heap.subarray(this.used)).written;
    this.place(row);
  }

  /** Sets a text by its bytes of UTF-8: those of `source` from `start` to `end`. */
  setBytes(row: number, source: Uint8Array, start: number, end: number): void {
    this.demandRoom(end - start);
    this.end = this.used;
    this.end = this.append(source, start, end);
    this.place(row);
  }

  /** Begins a JSON array of texts; `closeList` sets it. */
  openList(): void {
    this.demandRoom(1);
    this.end = this.used;
    this.heap[this.end++] = OPEN;
  }

  /** The next text of the array, by its bytes of UTF-8; as `JSON.stringify` writes it. */
  addToList(source: Uint8Array, start: number, end: number): void {
    this.demandRoom(this.end - this.used + end - start + LIST_BYTES_A_TEXT);
    if (this.heap[this.end - 1] !== OPEN || this.end !== this.used + 1) this.heap[this.end++] = COMMA;
    const { heap } = this;
    let to = this.end;
    heap[to++] = QUOTE;
    for (let at = start; at < end; at++, to++) {
      const byte = source[at]!;
      if (byte < BLANK || byte === QUOTE || byte === BACKSLASH) return this.addEscaped(source, start, end);
      heap[to] = byte;
    }
    heap[to++] = QUOTE;
    this.end = to;
  }

  closeList(row: number): void {
    this.demandRoom(this.end - this.used + 1);
    this.heap[this.end++] = CLOSE;
    this.place(row);
  }

  flush(vector: Vector, rows: number): void {
    if (this.used > 0) {
      // All long texts as one, in the first row's place: it tells where DuckDB keeps them.
      duckdb.vector_assign_string_element_len(vector, 0, this.heap.subarray(0, this.used));
      const record = duckdb.vector_get_data(vector, RECORD_BYTES);
      const view = new DataView(record.buffer, record.byteOffset, RECORD_BYTES);
      if (view.getUint32(0, true) !== this.used)
        throw new Error(
          `${this.used} bytes of texts were handed over, ${view.getUint32(0, true)} were taken`,
        );
      this.pointInto(view.getUint32(8, true), view.getUint32(12, true), rows);
    }
    duckdb.copy_data_to_vector(vector, 0, this.records.buffer, 0, rows * RECORD_BYTES);
    this.validity.flush(vector);
    // A row that is not set the next time must not point anywhere.
    this.records.fill(0);
    this.used = 0;
  }

  /** Makes room for so many bytes behind the texts that stay. */
  private demandRoom(bytes: number): void {
    if (this.used + bytes <= this.heap.length) return;
    const larger = new Uint8Array(Math.max(this.heap.length * 2, this.used + bytes));
    larger.set(this.heap);
    this.heap = larger;
  }

  /** The same of a text that JSON spells otherwise. */
  private addEscaped(source: Uint8Array, start: number, end: number): void {
    const json = encoder.encode(JSON.stringify(decoder.decode(source.subarray(start, end))));
    this.demandRoom(this.end - this.used + json.length + LIST_BYTES_A_TEXT);
    this.end = this.append(json, 0, json.length);
  }

  /** Puts bytes behind what is there; where they end. */
  private append(source: Uint8Array, start: number, end: number): number {
    const { heap, end: to } = this;
    if (end - start > LOOPED_BYTES) heap.set(source.subarray(start, end), to);
    else for (let at = start, into = to; at < end; at++, into++) heap[into] = source[at]!;
    return to + end - start;
  }

  /** The text that was put together becomes a row's. */
  private place(row: number): void {
    const { heap, records, words, used } = this;
    const length = this.end - used;
    const record = row * RECORD_BYTES + PREFIX_AT;
    words[row * 4] = length;
    if (length <= INLINE_BYTES) {
      for (let at = 0; at < length; at++) records[record + at] = heap[used + at]!;
      for (let at = length; at < INLINE_BYTES; at++) records[record + at] = 0;
      return;
    }
    for (let at = 0; at < PREFIX_BYTES; at++) records[record + at] = heap[used + at]!;
    words[row * 4 + 2] = used;
    this.used = this.end;
  }

  /** Places of long texts become addresses, counted from the one of the first: its lower and its higher half. */
  private pointInto(low: number, high: number, rows: number): void {
    for (let at = 0; at < rows * 4; at += 4) {
      if (this.words[at]! <= INLINE_BYTES) continue;
      const address = low + this.words[at + 2]!;
      this.words[at + 2] = address;
      this.words[at + 3] = address >= 2 ** 32 ? high + 1 : high;
    }
  }
}

/** A column that is being filled, of whichever kind. */
export type ColumnCells = NumberCells | WordCells | TextCells;

/** Hands the first rows of all columns to DuckDB, in the order of the columns. */
export function flushCells(cells: readonly ColumnCells[], chunk: DuckDBDataChunk, rows: number): void {
  chunk.rowCount = rows;
  cells.forEach((column, at) => {
    column.flush(duckdb.data_chunk_get_vector(chunk.chunk, at), rows);
  });
}
