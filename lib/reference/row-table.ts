const FIRST_ROOM = 1 << 10;
const BYTES_AN_ID = 16;
/** Ends of ids are kept in 32 bits. */
const MOST_ID_BYTES = 2 ** 32 - 1;

/** A short text of ASCII is put together byte by byte: a decoder costs more than that. */
const SHORT = 24;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** A valid request (§1.3) where it was found: its names are stretches of `bytes`. Cost in millionths, exact. */
export interface FoundRow {
  bytes: Uint8Array;
  id_start: number;
  id_end: number;
  tenant_start: number;
  tenant_end: number;
  arrival_ms: number;
  cost_micro: number;
  soft: boolean;
}

/** Throws where ids take more room than there can be. */
export function demandIdRoom(bytes: number): void {
  if (bytes > MOST_ID_BYTES) throw new RangeError("the ids of the stream have more than 4 GiB");
}

type Column = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

function larger<T extends Column>(column: T, length: number): T {
  const made = new (column.constructor as new (length: number) => T)(length);
  made.set(column);
  return made;
}

/** Names by their bytes, each with a number, in the order in which they come. */
class NameBook {
  readonly names: string[];
  private readonly bytes: Uint8Array[] = [];
  private readonly byPrint = new Map<number, number[]>();

  constructor(names: string[]) {
    this.names = names;
  }

  numberOf(source: Uint8Array, start: number, end: number): number {
    let print = end - start;
    for (let at = start; at < end; at++) print = (Math.imul(print, 33) + source[at]!) | 0;
    const alike = this.byPrint.get(print);
    if (alike !== undefined)
      for (const number of alike) if (isSame(this.bytes[number]!, source, start, end)) return number;
    const number = this.names.length;
    const copy = source.slice(start, end);
    this.bytes.push(copy);
    this.names.push(utf8.decode(copy));
    if (alike === undefined) this.byPrint.set(print, [number]);
    else alike.push(number);
    return number;
  }
}

function isSame(name: Uint8Array, source: Uint8Array, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== source[start + at]) return false;
  return true;
}

/** What is still known of a table's rows once they are decided, as plain data: their ids and tenants. */
export interface PackedTable {
  count: number;
  names: string[];
  ids: Uint8Array<ArrayBuffer>;
  id_end: Uint32Array<ArrayBuffer>;
  tenant: Uint32Array<ArrayBuffer>;
}

/** A whole table as plain data. Its columns may have room behind their last row. */
export interface TableColumns extends PackedTable {
  arrival_ms: Float64Array<ArrayBuffer>;
  cost_micro: Float64Array<ArrayBuffer>;
  soft: Uint8Array<ArrayBuffer>;
  line: Uint32Array<ArrayBuffer>;
}

/** The memory of a table's columns, which a thread can give away. */
export function memoryOfTable(columns: TableColumns): ArrayBuffer[] {
  const { ids, id_end, tenant, arrival_ms, cost_micro, soft, line } = columns;
  return [ids, id_end, tenant, arrival_ms, cost_micro, soft, line].map(({ buffer }) => buffer);
}

/** The valid requests of a stream, in the order of their lines. Packed: an object a row would not fit ten million times. */
export class RowTable {
  count = 0;
  private readonly book: NameBook;
  private ids: Uint8Array<ArrayBuffer>;
  private id_end: Uint32Array<ArrayBuffer>;
  tenant: Uint32Array<ArrayBuffer>;
  arrival_ms: Float64Array<ArrayBuffer>;
  /** Whole, at most 1e15: exact in a double. */
  cost_micro: Float64Array<ArrayBuffer>;
  soft: Uint8Array<ArrayBuffer>;
  /** Physical line, from 1. */
  line: Uint32Array<ArrayBuffer>;

  /** An empty table; one of rows that were read elsewhere; or that were decided, of which ids and tenants alone are known. */
  constructor(packed?: PackedTable & Partial<TableColumns>) {
    this.count = packed?.count ?? 0;
    this.book = new NameBook(packed?.names ?? []);
    this.ids = packed?.ids ?? new Uint8Array(FIRST_ROOM * BYTES_AN_ID);
    this.id_end = packed?.id_end ?? new Uint32Array(FIRST_ROOM);
    this.tenant = packed?.tenant ?? new Uint32Array(FIRST_ROOM);
    this.arrival_ms = packed?.arrival_ms ?? new Float64Array(FIRST_ROOM);
    this.cost_micro = packed?.cost_micro ?? new Float64Array(FIRST_ROOM);
    this.soft = packed?.soft ?? new Uint8Array(FIRST_ROOM);
    this.line = packed?.line ?? new Uint32Array(FIRST_ROOM);
  }

  columns(): TableColumns {
    const { arrival_ms, cost_micro, soft, line } = this;
    return { ...this.pack(), arrival_ms, cost_micro, soft, line };
  }

  pack(): PackedTable {
    const { count, ids, id_end, tenant } = this;
    return { count, names: this.book.names, ids, id_end, tenant };
  }

  /** Each tenant that a row names, by its number in `tenant`. */
  get tenants(): readonly string[] {
    return this.book.names;
  }

  add(row: FoundRow, line: number): void {
    const at = this.count;
    if (at === this.tenant.length) this.grow();
    const start = this.idStart(at);
    const end = start + row.id_end - row.id_start;
    if (end > this.ids.length) this.growIds(end);
    const { bytes, id_start, id_end } = row;
    for (let from = id_start, to = start; from < id_end; from++, to++) this.ids[to] = bytes[from]!;
    this.id_end[at] = end;
    this.tenant[at] = this.book.numberOf(bytes, row.tenant_start, row.tenant_end);
    this.arrival_ms[at] = row.arrival_ms;
    this.cost_micro[at] = row.cost_micro;
    this.soft[at] = row.soft ? 1 : 0;
    this.line[at] = line;
    this.count = at + 1;
  }

  idText(row: number): string {
    const [start, end] = [this.idStart(row), this.id_end[row]!];
    if (end - start > SHORT) return utf8.decode(this.ids.subarray(start, end));
    let text = "";
    for (let at = start; at < end; at++) {
      const byte = this.ids[at]!;
      if (byte > 0x7f) return utf8.decode(this.ids.subarray(start, end));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  /** The bytes of all ids; one row's are from `idStart` to `idEnd`. */
  get idBytes(): Uint8Array {
    return this.ids;
  }
  idStart(row: number): number {
    return row === 0 ? 0 : this.id_end[row - 1]!;
  }
  idEnd(row: number): number {
    return this.id_end[row]!;
  }

  tenantName(row: number): string {
    return this.book.names[this.tenant[row]!]!;
  }

  /** Nobody asks for lines any more: what is bad was told. */
  letGoLines(): void {
    this.line.buffer.transfer(0);
  }

  /** Nobody asks for arrivals any more: groups have their times. */
  letGoArrivals(): void {
    this.arrival_ms.buffer.transfer(0);
  }

  /** Order of two rows by the UTF-8 bytes of their ids (§3.5); 0 only where both are the same. */
  compareIds(a: number, b: number): number {
    const { ids } = this;
    const aStart = this.idStart(a);
    const bStart = this.idStart(b);
    const aLength = this.idEnd(a) - aStart;
    const bLength = this.idEnd(b) - bStart;
    const shared = Math.min(aLength, bLength);
    for (let at = 0; at < shared; at++) {
      const difference = ids[aStart + at]! - ids[bStart + at]!;
      if (difference !== 0) return difference;
    }
    return aLength - bLength;
  }

  /** The same without some rows, given in order; tenants that only those name are not there. */
  without(rows: readonly number[]): RowTable {
    const rest = new RowTable();
    const names = this.tenants.map((name) => new TextEncoder().encode(name));
    let next = 0;
    for (let row = 0; row < this.count; row++) {
      if (rows[next] === row) {
        next += 1;
        continue;
      }
      const id = this.ids.subarray(this.idStart(row), this.idEnd(row));
      const tenant = names[this.tenant[row]!]!;
      const bytes = new Uint8Array(id.length + tenant.length);
      bytes.set(id);
      bytes.set(tenant, id.length);
      rest.add(
        {
          bytes,
          id_start: 0,
          id_end: id.length,
          tenant_start: id.length,
          tenant_end: bytes.length,
          arrival_ms: this.arrival_ms[row]!,
          cost_micro: this.cost_micro[row]!,
          soft: this.soft[row] === 1,
        },
        this.line[row]!,
      );
    }
    return rest;
  }

  private grow(): void {
    const room = this.tenant.length * 2;
    this.id_end = larger(this.id_end, room);
    this.tenant = larger(this.tenant, room);
    this.arrival_ms = larger(this.arrival_ms, room);
    this.cost_micro = larger(this.cost_micro, room);
    this.soft = larger(this.soft, room);
    this.line = larger(this.line, room);
  }

  private growIds(needed: number): void {
    demandIdRoom(needed);
    this.ids = larger(this.ids, Math.min(MOST_ID_BYTES, Math.max(needed, this.ids.length * 2)));
  }
}
