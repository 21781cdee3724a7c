import { NAME_MAX_BYTES } from "../../contract/name.ts";
import { ARRIVAL_MAX_MS, COST_MAX } from "../../contract/request.ts";
import type { RequestBytes } from "./column-builder.ts";

const LINE_FEED = 10;
const RETURN = 13;
const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const POINT = 46;
const ZERO = 48;
const COLON = 58;
const BACKSLASH = 92;
const STAR = 42;
const TILDE = 126;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const OPENING = bytesOf('{"req_id"');
const TENANT = bytesOf('"tenant"');
const ARRIVAL = bytesOf('"arrival_ms"');
const COST = bytesOf('"cost"');
const MODE = bytesOf('"mode"');
const SOFT = bytesOf('"soft"');
const HARD = bytesOf('"hard"');
const CLOSING = 125;

const COST_MAX_MICRO = Number(COST_MAX) * 1e6;
/** Digits of the largest numbers that may be plain: more are judged by the exact way. */
const ARRIVAL_DIGITS = 11;
const COST_DIGITS = 10;
const FRACTION_DIGITS = 6;
const NOT_PLAIN = -1;

const isDigit = (byte: number): boolean => byte >= ZERO && byte < ZERO + 10;

/**
 * Reads a line of the plainest form from its bytes, without making a text of it: the five fields in the order of §1.3,
 * at most one space where JSON allows some, names of printable ASCII without escapes, numbers without exponents.
 * Whatever else a line is, it is judged by the exact way.
 */
export class PlainBytes implements RequestBytes {
  idStart = 0;
  idEnd = 0;
  tenantStart = 0;
  tenantEnd = 0;
  arrivalMs = 0;
  costMicro = 0;
  isSoft = false;
  private block: Uint8Array = new Uint8Array(0);
  private at = 0;

  /** The end of the line at `start`, without its line feed, where it is a valid request; −1 where it must be judged. */
  read(block: Uint8Array, start: number): number {
    this.block = block;
    this.at = start;
    if (!this.literal(OPENING) || !this.mark(COLON)) return NOT_PLAIN;
    if (!this.name()) return NOT_PLAIN;
    this.idStart = this.nameStart;
    this.idEnd = this.at - 1;
    if (!this.mark(COMMA) || !this.literal(TENANT) || !this.mark(COLON) || !this.name()) return NOT_PLAIN;
    this.tenantStart = this.nameStart;
    this.tenantEnd = this.at - 1;
    if (this.tenantEnd - this.tenantStart === 1 && block[this.tenantStart] === STAR) return NOT_PLAIN;
    if (!this.mark(COMMA) || !this.literal(ARRIVAL) || !this.mark(COLON) || !this.arrival()) return NOT_PLAIN;
    if (!this.mark(COMMA) || !this.literal(COST) || !this.mark(COLON) || !this.cost()) return NOT_PLAIN;
    if (!this.mark(COMMA) || !this.literal(MODE) || !this.mark(COLON)) return NOT_PLAIN;
    this.isSoft = this.literal(SOFT);
    if (!this.isSoft && !this.literal(HARD)) return NOT_PLAIN;
    if (!this.mark(CLOSING)) return NOT_PLAIN;
    // `mark` took a space that stands behind the object: one is allowed, and the line may end with CR.
    const end = block[this.at] === RETURN ? this.at + 1 : this.at;
    return end === block.length || block[end] === LINE_FEED ? end : NOT_PLAIN;
  }

  private nameStart = 0;

  private literal(text: Uint8Array): boolean {
    const { block, at } = this;
    for (let index = 0; index < text.length; index++) if (block[at + index] !== text[index]) return false;
    this.at = at + text.length;
    return true;
  }

  /** A mark with at most one space before and one after it. */
  private mark(byte: number): boolean {
    const { block } = this;
    let { at } = this;
    if (block[at] === SPACE) at += 1;
    if (block[at] !== byte) return false;
    at += 1;
    this.at = block[at] === SPACE ? at + 1 : at;
    return true;
  }

  /** A name in quotes, 1 to 256 bytes long; `at` is behind the closing quote. */
  private name(): boolean {
    const { block } = this;
    let { at } = this;
    if (block[at] !== QUOTE) return false;
    const start = at + 1;
    for (at = start; at < block.length; at++) {
      const byte = block[at]!;
      if (byte === QUOTE) break;
      if (byte < SPACE || byte > TILDE || byte === BACKSLASH) return false;
    }
    if (at === start || at - start > NAME_MAX_BYTES || at === block.length) return false;
    this.nameStart = start;
    this.at = at + 1;
    return true;
  }

  /** A whole number without leading zeros, of at most so many digits; −1 where there is none. */
  private whole(digits: number): number {
    const { block } = this;
    const start = this.at;
    let at = start;
    let value = 0;
    while (at < start + digits && isDigit(block[at]!)) value = value * 10 + block[at++]! - ZERO;
    if (at === start || (block[start] === ZERO && at > start + 1)) return -1;
    this.at = at;
    return value;
  }

  private arrival(): boolean {
    this.arrivalMs = this.whole(ARRIVAL_DIGITS);
    return this.arrivalMs >= 0 && this.arrivalMs <= ARRIVAL_MAX_MS;
  }

  private cost(): boolean {
    const whole = this.whole(COST_DIGITS);
    if (whole < 0) return false;
    let micro = whole * 1e6;
    if (this.block[this.at] === POINT) {
      const start = this.at + 1;
      let at = start;
      let unit = 100_000;
      for (; at < start + FRACTION_DIGITS && isDigit(this.block[at]!); at++) {
        micro += (this.block[at]! - ZERO) * unit;
        unit /= 10;
      }
      if (at === start) return false;
      this.at = at;
    }
    this.costMicro = micro;
    return micro > 0 && micro <= COST_MAX_MICRO;
  }
}
