import type { Arithmetic } from "../engine/arithmetic.ts";
import type { NumberKind } from "../engine/number-kind.ts";
import type { RuleFault } from "./fault.ts";

const MICRO_PER_TOKEN = 1e6;
const MS_PER_SEC = 1000;

/** Tokens and tokens per second in doubles, ⌈ ⌉ without care: 6.0 − 3.8 at 4 a second waits 551 ms. */
const floats: Arithmetic<number> = {
  zero: 0,
  amount: (micro) => micro / MICRO_PER_TOKEN,
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  min: Math.min,
  max: Math.max,
  atLeast: (a, b) => a >= b,
  earn: (rate, elapsed_ms) => rate * (elapsed_ms / MS_PER_SEC),
  wait_ms(amount, rate) {
    const wait = Math.ceil((amount / rate) * MS_PER_SEC);
    return Number.isSafeInteger(wait) ? wait : Number.NaN;
  },
  tokens: (amount) => amount,
  fraction: (amount) => ({ numerator: BigInt(Math.round(amount * MICRO_PER_TOKEN)), denominator: 1n }),
};

const floatNumbers: NumberKind = {
  arithmetic: floats,
  holds: () => true,
  unit: () => 1,
  rate: (p, q) => ((Number(p) / Number(q)) * MS_PER_SEC) / MICRO_PER_TOKEN,
  convert: (micro) => Number(micro) / MICRO_PER_TOKEN,
};

export const floatArithmetic: RuleFault = {
  kind: "rule",
  id: "float-arithmetic",
  clause: "§2",
  title: "Binary floats",
  summary: "Amounts are IEEE doubles all the way, and a wait is rounded up without care.",
  replaces: "numbers",
  rules: () => ({ numbers: floatNumbers }),
};
