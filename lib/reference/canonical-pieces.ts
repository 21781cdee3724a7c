import { canonicalText } from "./canonical-json.ts";
import type { Judged } from "./decided.ts";
import type { Summary } from "./figures.ts";

/** No piece is longer. */
export const PIECE_BYTES = 1 << 20;
/** More than any decision takes: two names of 256 bytes, each escaped, and what stands around them. */
const LONGEST_ROW_BYTES = 1 << 12;
/** Texts around the names of a decision that are kept made up. */
const MOST_PHRASES = 1 << 16;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

const encoder = new TextEncoder();

/** Text that is put together as bytes, piece by piece. */
class Pieces {
  private readonly room = new Uint8Array(PIECE_BYTES);
  private used = 0;

  get isFull(): boolean {
    return this.used + LONGEST_ROW_BYTES > PIECE_BYTES;
  }

  /** The piece so far; it is valid until the next byte is put. */
  cut(): Uint8Array {
    const piece = this.room.subarray(0, this.used);
    this.used = 0;
    return piece;
  }

  put(text: Uint8Array): void {
    this.room.set(text, this.used);
    this.used += text.length;
  }

  byte(value: number): void {
    this.room[this.used++] = value;
  }

  /** The bytes of a name (§1.4) within quotes, as RFC 8785 escapes them: a name holds no control character. */
  name(bytes: Uint8Array, start: number, end: number): void {
    const { room } = this;
    let to = this.used;
    for (let at = start; at < end; at++) {
      const byte = bytes[at]!;
      if (byte === QUOTE || byte === BACKSLASH) room[to++] = BACKSLASH;
      room[to++] = byte;
    }
    this.used = to;
  }
}

/** What stands around the id and the wait of a decision. */
interface Phrases {
  before: Uint8Array;
  behind: Uint8Array;
}

/** The decisions' texts, like `decisionText`, but from packed rows: what does not change is made once. */
function* decisionPieces(decided: Judged, pieces: Pieces): Generator<Uint8Array> {
  const { table, order, unserved, groups, verdicts, bucketOf } = decided;
  const known = new Map<number, Phrases>();
  const waits = new Map<number, Uint8Array>();
  const phrases = (tenant: number, step: number, make: () => Phrases): Phrases => {
    const key = tenant * 8 + step;
    let found = known.get(key);
    if (found === undefined) {
      if (known.size >= MOST_PHRASES) known.clear();
      found = make();
      known.set(key, found);
    }
    return found;
  };
  const phrase = (tenant: number, reason: string | null, breached: boolean, verdict: string): Phrases => ({
    before: encoder.encode(`{"reason":${JSON.stringify(reason)},"req_id":"`),
    behind: encoder.encode(
      `","reserve_breached":${breached},"tenant":${JSON.stringify(table.tenants[tenant])},"verdict":"${verdict}","wait_ms":`,
    ),
  });
  const waitText = (wait_ms: number): Uint8Array => {
    let text = waits.get(wait_ms);
    if (text === undefined) {
      if (waits.size >= MOST_PHRASES) waits.clear();
      text = encoder.encode(`${Number.isNaN(wait_ms) ? null : wait_ms}}`);
      waits.set(wait_ms, text);
    }
    return text;
  };
  const put = (row: number, { before, behind }: Phrases, wait_ms: number) => {
    pieces.put(before);
    pieces.name(table.idBytes, table.idStart(row), table.idEnd(row));
    pieces.put(behind);
    pieces.put(waitText(wait_ms));
  };
  for (let place = 0; place < order.length; place++) {
    if (pieces.isFull) yield pieces.cut();
    if (place > 0) pieces.byte(COMMA);
    const row = order[place]!;
    const tenant = table.tenant[row]!;
    const group = groups.groupOf(place);
    const found = phrases(tenant, verdicts.step[group]!, () => {
      const { reason, reserve_breached, verdict } = verdicts.at(group);
      return phrase(tenant, reason, reserve_breached, verdict);
    });
    put(row, found, verdicts.wait_ms[group]!);
  }
  for (let at = 0; at < unserved.length; at++) {
    if (pieces.isFull) yield pieces.cut();
    if (order.length + at > 0) pieces.byte(COMMA);
    const row = unserved[at]!;
    const tenant = table.tenant[row]!;
    const found = phrases(tenant, 0, () => phrase(tenant, bucketOf[tenant] as string, false, "rejected"));
    put(row, found, Number.NaN);
  }
}

function* orderPieces({ table, order }: Judged, pieces: Pieces): Generator<Uint8Array> {
  for (let place = 0; place < order.length; place++) {
    if (pieces.isFull) yield pieces.cut();
    if (place > 0) pieces.byte(COMMA);
    pieces.byte(QUOTE);
    pieces.name(table.idBytes, table.idStart(order[place]!), table.idEnd(order[place]!));
    pieces.byte(QUOTE);
  }
}

/** §4: the canonical text that the checksum covers, in pieces; each is valid until the next is asked for. */
export function* canonicalPieces(decided: Judged, figures: Summary): Generator<Uint8Array> {
  const pieces = new Pieces();
  yield encoder.encode(`{"counts":${canonicalText({ ...figures.counts })},"decisions":[`);
  yield* decisionPieces(decided, pieces);
  yield pieces.cut();
  yield encoder.encode('],"dispatch_order":[');
  yield* orderPieces(decided, pieces);
  yield pieces.cut();
  yield encoder.encode('],"per_tenant":{');
  let lead = "";
  for (const tenant of Object.keys(figures.per_tenant).sort()) {
    if (pieces.isFull) yield pieces.cut();
    pieces.put(
      encoder.encode(`${lead}${JSON.stringify(tenant)}:${canonicalText({ ...figures.per_tenant[tenant]! })}`),
    );
    lead = ",";
  }
  yield pieces.cut();
  yield encoder.encode(`},"totals":${canonicalText({ ...figures.totals })}}`);
}
