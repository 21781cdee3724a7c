import { MadeRows, type Rows } from "../../contract/rows.ts";
import type { TextColumn } from "../../contract/text-column.ts";
import { ReportFault } from "./byte-window.ts";
import { giveBack, PackedTexts } from "./packed-texts.ts";

/** Items of a list that are kept as they were parsed, since they are not of the usual form. */
const ODD_MOST = 100_000;

/** What a list that is packed is made of, item by item. */
export interface Packer {
  add(item: unknown): void;
  rows(): Rows<unknown>;
  /** The ids of the list, item by item. */
  ids(): TextColumn;
}

/** Keeps the items that no packer can pack; there must not be many. */
class OddItems {
  private readonly items = new Map<number, unknown>();

  keep(place: number, item: unknown): void {
    if (this.items.size === ODD_MOST)
      throw new ReportFault(`has more than ${ODD_MOST} rows of another form than §4 knows`);
    this.items.set(place, item);
  }

  /** Rows that are made, or else kept. */
  among(length: number, make: (place: number) => unknown): Rows<unknown> {
    const { items } = this;
    if (items.size === 0) return new MadeRows(length, make);
    return new MadeRows(length, (place) => (items.has(place) ? items.get(place) : make(place)));
  }
}

const isPlainText = (value: unknown): value is string => typeof value === "string" && value.isWellFormed();

/** A list of ids. */
export class PackedIds implements Packer {
  private readonly texts: PackedTexts;
  private readonly odd = new OddItems();

  /** @param alike ids that these may be */
  constructor(alike: TextColumn | null = null) {
    this.texts = new PackedTexts(alike);
  }

  add(item: unknown): void {
    const isPlain = isPlainText(item);
    if (!isPlain) this.odd.keep(this.texts.count, item);
    this.texts.add(isPlain ? item : "");
  }

  rows(): Rows<unknown> {
    const column = this.ids();
    return this.odd.among(column.length, (place) => column.at(place));
  }

  ids(): TextColumn {
    return this.texts.column();
  }
}

type NumberColumn = Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

/** Numbers that grow as they come. Those that do not fit a byte any more get four. */
class Numbers {
  private column: NumberColumn;

  constructor(column: NumberColumn) {
    this.column = column;
  }

  set(place: number, value: number): void {
    if (value > 0xff && this.column instanceof Uint8Array) this.column = new Uint32Array(this.column);
    if (place >= this.column.length) {
      const larger = new (this.column.constructor as new (length: number) => NumberColumn)(
        Math.ceil((place + 1) * 1.5),
      );
      larger.set(this.column);
      giveBack(this.column);
      this.column = larger;
    }
    this.column[place] = value;
  }

  at(place: number): number {
    return this.column[place]!;
  }
}

/** Values that come again and again, each with a number. */
class Repeated<Value extends string | null> {
  private readonly values: Value[] = [];
  private readonly numbers = new Map<Value, number>();

  numberOf(value: Value): number {
    let number = this.numbers.get(value);
    if (number === undefined) {
      number = this.values.length;
      this.values.push(value);
      this.numbers.set(value, number);
    }
    return number;
  }

  at(number: number): Value {
    return this.values[number]!;
  }
}

/** A decision with exactly the fields of §4, each of its kind; which values they have is not looked at. */
interface UsualRow {
  req_id: string;
  tenant: string;
  verdict: string;
  reason: string | null;
  wait_ms: number | null;
  reserve_breached: boolean;
}

const FIELDS = 6;

function isUsual(item: unknown): item is UsualRow {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return false;
  if (Object.keys(item).length !== FIELDS) return false;
  const { req_id, tenant, verdict, reason, wait_ms, reserve_breached } = item as Record<string, unknown>;
  return (
    isPlainText(req_id) &&
    typeof tenant === "string" &&
    typeof verdict === "string" &&
    (reason === null || typeof reason === "string") &&
    (wait_ms === null || typeof wait_ms === "number") &&
    typeof reserve_breached === "boolean"
  );
}

/** A list of decisions: some thirty bytes and its id for each, where an object would take two hundred. */
export class PackedDecisions implements Packer {
  private readonly texts: PackedTexts;
  private readonly odd = new OddItems();
  private readonly tenants = new Repeated<string>();
  private readonly verdicts = new Repeated<string>();
  private readonly reasons = new Repeated<string | null>();
  private readonly tenant = new Numbers(new Uint32Array(1024));
  private readonly verdict = new Numbers(new Uint8Array(1024));
  private readonly reason = new Numbers(new Uint8Array(1024));
  /** NaN where it is null: no number of JSON is. */
  private readonly wait = new Numbers(new Float64Array(1024));
  private readonly breached = new Numbers(new Uint8Array(1024));

  /** @param alike ids that those of the decisions may be */
  constructor(alike: TextColumn | null = null) {
    this.texts = new PackedTexts(alike);
  }

  add(item: unknown): void {
    const place = this.texts.count;
    if (!isUsual(item)) {
      this.odd.keep(place, item);
      this.texts.add("");
      return;
    }
    this.texts.add(item.req_id);
    this.tenant.set(place, this.tenants.numberOf(item.tenant));
    this.verdict.set(place, this.verdicts.numberOf(item.verdict));
    this.reason.set(place, this.reasons.numberOf(item.reason));
    this.wait.set(place, item.wait_ms ?? Number.NaN);
    this.breached.set(place, item.reserve_breached ? 1 : 0);
  }

  rows(): Rows<unknown> {
    const ids = this.ids();
    return this.odd.among(ids.length, (place): UsualRow => {
      const wait_ms = this.wait.at(place);
      return {
        req_id: ids.at(place),
        tenant: this.tenants.at(this.tenant.at(place)),
        verdict: this.verdicts.at(this.verdict.at(place)),
        reason: this.reasons.at(this.reason.at(place)),
        wait_ms: Number.isNaN(wait_ms) ? null : wait_ms,
        reserve_breached: this.breached.at(place) === 1,
      };
    });
  }

  ids(): TextColumn {
    return this.texts.column();
  }
}
