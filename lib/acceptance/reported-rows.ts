import type { RequestColumns } from "../../contract/request.ts";
import type { Rows } from "../../contract/rows.ts";
import { NO_REQUEST, type RequestIndex } from "./request-index.ts";

/** A reported decision whose fields have the kinds of §4. */
interface Row {
  req_id: string;
  tenant: string;
  verdict: string;
  reason: string | null;
  wait_ms: number | null;
  reserve_breached: boolean;
}

const isText = (value: unknown): value is string => typeof value === "string";

function isRow(value: unknown): value is Row {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { req_id, tenant, verdict, reason, wait_ms, reserve_breached } = value as Record<string, unknown>;
  return (
    isText(req_id) &&
    isText(tenant) &&
    isText(verdict) &&
    (reason === null || isText(reason)) &&
    (wait_ms === null || typeof wait_ms === "number") &&
    typeof reserve_breached === "boolean"
  );
}

/** Texts that come again and again, each with a number. */
class Texts {
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(text: string): number {
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.texts.push(text);
      this.numbers.set(text, number);
    }
    return number;
  }
}

/** Different verdicts and reasons of one report; there are ten that mean something. */
const WORDS_MOST = 2 ** 16;
/** In a reason's place: null. */
const NO_REASON = 0;

/**
 * The decisions that a report states, packed: some 25 bytes each. Ids are not kept but asked for again, since only what
 * is wrong is told by its id.
 */
export class ReportedRows {
  readonly count: number;
  /** The request of each row, by place; NO_REQUEST where the stream has none of its id. */
  readonly requestOf: Int32Array;
  /** Place of each request's row, −1 where it has none; the last one where it has several. */
  readonly placeOf: Int32Array;
  /** Whether a request is decided more than once. */
  isRepeated = false;
  private readonly source: Rows<unknown>;
  private readonly tenants = new Texts();
  private readonly words = new Texts();
  private readonly tenant: Uint32Array;
  private readonly verdict: Uint16Array;
  private readonly reason: Uint16Array;
  /** NaN where it is null. */
  private readonly wait: Float64Array;
  private readonly breached: Uint8Array;

  private constructor(source: Rows<unknown>, requests: number) {
    this.source = source;
    this.count = source.length;
    this.requestOf = new Int32Array(source.length);
    this.placeOf = new Int32Array(requests).fill(-1);
    this.tenant = new Uint32Array(source.length);
    this.verdict = new Uint16Array(source.length);
    this.reason = new Uint16Array(source.length);
    this.wait = new Float64Array(source.length);
    this.breached = new Uint8Array(source.length);
    this.words.numberOf("null");
  }

  /** Null where a row has not the shape of §4, or the report has more different verdicts and reasons than any has. */
  static of(source: Rows<unknown>, index: RequestIndex, columns: RequestColumns): ReportedRows | null {
    const rows = new ReportedRows(source, columns.count);
    let place = 0;
    for (const row of source) if (!isRow(row) || !rows.take(row, place++, index)) return null;
    return rows;
  }

  at(place: number): ReportedRow {
    return new ReportedRow(this, place);
  }

  idAt(place: number): string {
    return (this.source.at(place) as Row).req_id;
  }
  tenantAt(place: number): string {
    return this.tenants.texts[this.tenant[place]!]!;
  }
  verdictAt(place: number): string {
    return this.words.texts[this.verdict[place]!]!;
  }
  reasonAt(place: number): string | null {
    const number = this.reason[place]!;
    return number === NO_REASON ? null : this.words.texts[number - 1]!;
  }
  waitAt(place: number): number | null {
    const wait_ms = this.wait[place]!;
    return Number.isNaN(wait_ms) ? null : wait_ms;
  }
  isBreachedAt(place: number): boolean {
    return this.breached[place] === 1;
  }

  private take(row: Row, place: number, index: RequestIndex): boolean {
    const request = index.find(row.req_id);
    this.requestOf[place] = request;
    if (request !== NO_REQUEST) {
      this.isRepeated ||= this.placeOf[request] !== -1;
      this.placeOf[request] = place;
    }
    this.tenant[place] = this.tenants.numberOf(row.tenant);
    this.verdict[place] = this.words.numberOf(row.verdict);
    this.reason[place] = row.reason === null ? NO_REASON : this.words.numberOf(row.reason) + 1;
    this.wait[place] = row.wait_ms ?? Number.NaN;
    this.breached[place] = row.reserve_breached ? 1 : 0;
    return this.words.texts.length < WORDS_MOST;
  }
}

/** One of them, whose fields are read when they are asked for. */
export class ReportedRow implements Row {
  readonly place: number;
  private readonly rows: ReportedRows;

  constructor(rows: ReportedRows, place: number) {
    this.rows = rows;
    this.place = place;
  }

  get req_id(): string {
    return this.rows.idAt(this.place);
  }
  get tenant(): string {
    return this.rows.tenantAt(this.place);
  }
  get verdict(): string {
    return this.rows.verdictAt(this.place);
  }
  get reason(): string | null {
    return this.rows.reasonAt(this.place);
  }
  get wait_ms(): number | null {
    return this.rows.waitAt(this.place);
  }
  get reserve_breached(): boolean {
    return this.rows.isBreachedAt(this.place);
  }
}
