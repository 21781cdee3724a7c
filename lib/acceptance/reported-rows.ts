import type { RequestColumns } from "../../contract/request.ts";
import type { Rows } from "../../contract/rows.ts";
import { REASONS, VERDICTS } from "../../contract/verdicts.ts";
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

  constructor(texts: Iterable<string>) {
    for (const text of texts) this.numberOf(text);
  }

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

const WORDS = [...VERDICTS, ...REASONS] as const;
/** Numbers of the words of §4; any other word that a report has comes behind them. */
export const wordNumber = (word: (typeof WORDS)[number]): number => WORDS.indexOf(word);
export const ACCEPTED = wordNumber("accepted");
export const QUEUED = wordNumber("queued");
export const REJECTED = wordNumber("rejected");
/** Different verdicts and reasons of one report; there are ten that mean something. */
const WORDS_MOST = 2 ** 16 - 1;
/** In a reason's place: null. */
export const NO_REASON = WORDS_MOST;

/**
 * The decisions that a report states, as columns by place: some 25 bytes each. Ids are not kept but asked for again,
 * since only what is wrong is told by its id.
 */
export class ReportedRows {
  readonly count: number;
  /** The request of each row; NO_REQUEST where the stream has none of its id. */
  readonly requestOf: Int32Array;
  /** Place of each request's row, −1 where it has none; the last one where it has several. */
  readonly placeOf: Int32Array;
  /** Whether a request is decided more than once. */
  isRepeated = false;
  /** Numbers of the named tenants among `tenantNames`, which begin with those of the stream. */
  readonly tenant: Uint32Array;
  /** Numbers of words. */
  readonly verdict: Uint16Array;
  /** Numbers of words; NO_REASON where it is null. */
  readonly reason: Uint16Array;
  /** NaN where it is null. */
  readonly wait: Float64Array;
  /** 1 where it is marked. */
  readonly breached: Uint8Array;
  private readonly source: Rows<unknown>;
  private readonly tenants: Texts;
  private readonly words = new Texts(WORDS);

  private constructor(source: Rows<unknown>, columns: RequestColumns) {
    this.source = source;
    this.count = source.length;
    this.requestOf = new Int32Array(source.length);
    this.placeOf = new Int32Array(columns.count).fill(-1);
    this.tenant = new Uint32Array(source.length);
    this.verdict = new Uint16Array(source.length);
    this.reason = new Uint16Array(source.length);
    this.wait = new Float64Array(source.length);
    this.breached = new Uint8Array(source.length);
    this.tenants = new Texts(columns.tenantNames);
  }

  /**
   * Null where a row has not the shape of §4, or the report has more different verdicts and reasons than any has.
   * @param likely the request that each place has in an honest report
   */
  static of(
    source: Rows<unknown>,
    index: RequestIndex,
    columns: RequestColumns,
    likely: Int32Array,
  ): ReportedRows | null {
    const rows = new ReportedRows(source, columns);
    for (let place = 0; place < rows.count; place++) {
      const row = source.at(place);
      if (!isRow(row) || !rows.take(row, place, index.find(row.req_id, likely[place]), columns)) return null;
    }
    return rows;
  }

  get tenantNames(): readonly string[] {
    return this.tenants.texts;
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
    return number === NO_REASON ? null : this.words.texts[number]!;
  }
  waitAt(place: number): number | null {
    const wait_ms = this.wait[place]!;
    return Number.isNaN(wait_ms) ? null : wait_ms;
  }

  private take(row: Row, place: number, request: number, { tenant, tenantNames }: RequestColumns): boolean {
    this.requestOf[place] = request;
    let likelyTenant = 0;
    if (request !== NO_REQUEST) {
      this.isRepeated ||= this.placeOf[request] !== -1;
      this.placeOf[request] = place;
      likelyTenant = tenant[request]!;
    }
    // To compare with the one that it should be costs less than to look it up.
    this.tenant[place] =
      tenantNames[likelyTenant] === row.tenant ? likelyTenant : this.tenants.numberOf(row.tenant);
    this.verdict[place] = this.words.numberOf(row.verdict);
    this.reason[place] = row.reason === null ? NO_REASON : this.words.numberOf(row.reason);
    this.wait[place] = row.wait_ms ?? Number.NaN;
    this.breached[place] = row.reserve_breached ? 1 : 0;
    return this.words.texts.length < WORDS_MOST;
  }
}
