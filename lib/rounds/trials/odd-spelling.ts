import { decimalText } from "../../../contract/decimal.ts";

/** What `oddJson` writes: a bigint is a decimal in millionths (§1.4), a number an integer. */
export type Spellable = bigint | number | string | boolean | Spellable[] | { [key: string]: Spellable };

/** A generator of its own (mulberry32), so that one number of a property decides the whole spelling of a file. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Writes the same values in one of the many ways that §1.3 and §1.4 allow: `5.0`, `50e-1`, escapes, white space, keys
 * in any order, CRLF. Seed 0 spells plainly, so that a failing round shrinks to a readable one. For tests only.
 */
export class OddSpelling {
  private readonly roll: () => number;
  private readonly isPlain: boolean;

  constructor(seed: number) {
    this.roll = dice(seed);
    this.isPlain = seed === 0;
  }

  /** True once in so many times; never where the spelling is plain. */
  once(times: number): boolean {
    return !this.isPlain && this.roll() * times < 1;
  }

  /** A whole number below `end`; 0 where the spelling is plain. */
  below(end: number): number {
    return this.isPlain ? 0 : Math.floor(this.roll() * end);
  }

  json(value: Spellable): string {
    if (typeof value === "bigint") return this.decimal(value);
    if (typeof value === "number") return this.decimal(BigInt(value) * 1_000_000n);
    if (typeof value === "string") return this.text(value);
    if (typeof value === "boolean") return String(value);
    if (Array.isArray(value)) return `[${value.map((item) => this.padded(this.json(item))).join(",")}]`;
    return this.object(Object.entries(value));
  }

  /** §1.4: a decimal is judged by the exact value of its text. `isSigned`: exponents may have a sign. */
  decimal(micro: bigint, isSigned = true): string {
    const plain = decimalText(micro);
    if (!this.once(6)) return plain;
    const isWhole = !plain.includes(".");
    const ways = [
      `${isWhole ? `${plain}.0` : plain}${"0".repeat(this.below(8))}`,
      `${plain}e0`,
      `${plain}E00`,
      ...(isSigned ? [`${micro}e-6`, `${plain}e+0`] : []),
      ...(isSigned && isWhole && micro > 0n ? [`${plain}0E-1`] : []),
      ...(isSigned && micro === 0n ? ["-0", "-0.0", "0e999"] : []),
    ];
    return ways[this.below(ways.length)]!;
  }

  /** Line ends and empty lines that are no line at all (§1.3). */
  lineEnd(): string {
    const end = this.once(5) ? "\r\n" : "\n";
    return this.once(12) ? `${end} \t${end}` : end;
  }

  private object(members: [string, Spellable][]): string {
    if (this.once(5)) members.sort(() => this.roll() - 0.5);
    const texts = members.map(([key, value]) => {
      const name = this.once(20) ? this.escaped(key) : JSON.stringify(key);
      return this.padded(`${this.padded(name)}:${this.padded(this.json(value))}`);
    });
    return `{${texts.join(",")}}`;
  }

  private text(value: string): string {
    return this.once(6) ? this.escaped(value) : JSON.stringify(value);
  }

  private escaped(value: string): string {
    const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at));
    return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")}"`;
  }

  private padded(text: string): string {
    return this.once(12) ? ` ${text}\t` : text;
  }
}
