import type { FoundRow } from "./row-table.ts";

/**
 * Reads a line of the canonical stream (§1.3) straight from its bytes where nothing in it needs judgement: the five
 * fields once each, names of printable ASCII without escapes, numbers as plain digits, at most one space around marks.
 * Every other line is left to the parser of lines.
 */

const FEED = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const STAR = 0x2a;
const COMMA = 0x2c;
const DOT = 0x2e;
const NOUGHT = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const LAST_PRINTABLE = 0x7e;

/** A text, and its bytes as numbers of four each; the last begins four bytes before the end. */
interface Phrase {
  bytes: Uint8Array;
  fours: { offset: number; value: number }[];
}

function phrase(text: string): Phrase {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(bytes.buffer);
  const fours: Phrase["fours"] = [];
  for (let at = 0; at < bytes.length; at += 4) {
    const offset = Math.min(at, bytes.length - 4);
    fours.push({ offset, value: view.getInt32(offset) });
  }
  return { bytes, fours };
}

const KEYS = ["req_id", "tenant", "arrival_ms", "cost", "mode"].map((key) => phrase(`${key}"`));
const MODES = ["soft", "hard"].map((mode) => phrase(`"${mode}"`));
const ALL_KEYS = 0b11111;
const LONGEST_NAME = 256;
const LATEST_MS = 31_622_400_000;
const DEAREST_MICRO = 1e15;
const MOST_DECIMALS = 6;

/** By byte: 1 where it stands for itself in a name. */
const IS_PLAIN = new Uint8Array(256).fill(1, SPACE, LAST_PRINTABLE + 1);
IS_PLAIN[QUOTE] = 0;
IS_PLAIN[BACKSLASH] = 0;

export class QuickLine implements FoundRow {
  bytes: Uint8Array = new Uint8Array(0);
  id_start = 0;
  id_end = 0;
  tenant_start = 0;
  tenant_end = 0;
  arrival_ms = 0;
  cost_micro = 0;
  soft = false;
  private view: DataView = new DataView(new ArrayBuffer(0));
  private at = 0;

  /** Where the line that starts at `start` ends, or −1 where it is left to the parser of lines. */
  read(bytes: Uint8Array, start: number): number {
    if (bytes !== this.bytes) {
      this.bytes = bytes;
      this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    this.at = start;
    if (!this.take(OPEN)) return -1;
    let keys = 0;
    for (let field = 0; field < KEYS.length; field++) {
      if (field > 0 && !this.takeSpaced(COMMA)) return -1;
      // A key twice leaves another out, and an unknown one (−1) is none of them: either shows in the end.
      const key = this.key();
      keys |= 1 << key;
      if (!this.takeSpaced(COLON) || !this.value(key)) return -1;
    }
    if (keys !== ALL_KEYS || !this.takeSpaced(CLOSE)) return -1;
    if (bytes[this.at] === RETURN) this.at += 1;
    return this.at === bytes.length || bytes[this.at] === FEED ? this.at : -1;
  }

  private take(byte: number): boolean {
    if (this.bytes[this.at] !== byte) return false;
    this.at += 1;
    return true;
  }

  private takeSpaced(byte: number): boolean {
    if (this.bytes[this.at] === SPACE) this.at += 1;
    if (!this.take(byte)) return false;
    if (this.bytes[this.at] === SPACE) this.at += 1;
    return true;
  }

  /** Four bytes are compared at once: the keys are half of what a line holds. */
  private takeAll({ bytes, fours }: Phrase): boolean {
    const { view, at } = this;
    // No plain line ends with a phrase.
    if (at + bytes.length >= view.byteLength) return false;
    for (let index = 0; index < fours.length; index++) {
      const { offset, value } = fours[index]!;
      if (view.getInt32(at + offset) !== value) return false;
    }
    this.at = at + bytes.length;
    return true;
  }

  /** The number of the key that stands here; their first letters differ. */
  private key(): number {
    if (!this.take(QUOTE)) return -1;
    const first = this.bytes[this.at];
    for (let key = 0; key < KEYS.length; key++)
      if (KEYS[key]!.bytes[0] === first) return this.takeAll(KEYS[key]!) ? key : -1;
    return -1;
  }

  private value(key: number): boolean {
    if (key === 0) {
      this.id_start = this.at + 1;
      if (!this.name()) return false;
      this.id_end = this.at - 1;
      return true;
    }
    if (key === 1) {
      this.tenant_start = this.at + 1;
      if (!this.name()) return false;
      this.tenant_end = this.at - 1;
      return this.tenant_end - this.tenant_start > 1 || this.bytes[this.tenant_start] !== STAR;
    }
    if (key === 2) {
      this.arrival_ms = this.digits();
      return this.arrival_ms >= 0 && this.arrival_ms <= LATEST_MS;
    }
    if (key === 3) {
      this.cost_micro = this.decimal();
      return this.cost_micro > 0 && this.cost_micro <= DEAREST_MICRO;
    }
    this.soft = this.takeAll(MODES[0]!);
    return this.soft || this.takeAll(MODES[1]!);
  }

  private name(): boolean {
    const { bytes } = this;
    if (!this.take(QUOTE)) return false;
    const start = this.at;
    let at = start;
    while (at < bytes.length && IS_PLAIN[bytes[at]!] === 1) at += 1;
    this.at = at + 1;
    return bytes[at] === QUOTE && at > start && at - start <= LONGEST_NAME;
  }

  /** A whole number without a needless nought, exact where it is in any range; −1 where there is none. */
  private digits(): number {
    const { bytes } = this;
    const start = this.at;
    let at = start;
    let value = 0;
    for (let byte = bytes[at]!; byte >= NOUGHT && byte <= NINE; byte = bytes[++at]!)
      value = value * 10 + (byte - NOUGHT);
    this.at = at;
    return at === start || (bytes[start] === NOUGHT && at - start > 1) ? -1 : value;
  }

  /** A number with at most six decimals, in millionths: whole steps, so that nothing is rounded. Below 0 where there is none. */
  private decimal(): number {
    const { bytes } = this;
    // No whole number is −1, which stays below 0 whatever decimals follow.
    let value = this.digits();
    let decimals = 0;
    if (this.take(DOT)) {
      let at = this.at;
      for (let byte = bytes[at]!; byte >= NOUGHT && byte <= NINE; byte = bytes[++at]!) {
        if (decimals === MOST_DECIMALS) return -1;
        value = value * 10 + (byte - NOUGHT);
        decimals += 1;
      }
      if (decimals === 0) return -1;
      this.at = at;
    }
    for (; decimals < MOST_DECIMALS; decimals++) value *= 10;
    return value;
  }
}
