import type { Place } from "./check.ts";

/** What a bucket's amounts went through, for telling how far binary64 can have strayed from them. */
export interface AmountFacts {
  /** At least the largest amount that was computed with, tokens. */
  scale: number;
  /** At least the number of operations that each rounded once. */
  operations: number;
}

/** The arithmetic of §3.3 for one group, in doubles nearest to the exact values. */
export interface WaitFacts extends AmountFacts {
  required: number;
  signed_balance: number;
  /** Tokens a second. */
  rate_per_sec: number;
}

/** What is known of a round besides the report; null where nothing is known of that name. */
export interface NoiseFacts {
  totals: AmountFacts;
  tenant(tenant: string): AmountFacts | null;
  wait(req_id: string): WaitFacts | null;
}

const EPSILON = 2 ** -52;
const AMOUNTS: ReadonlySet<string | undefined> = new Set([
  "capacity",
  "opening_tokens",
  "closing_tokens",
  "reserve_tokens",
  "used",
  "over_capacity",
]);

/** How far binary64 may stray: every operation rounds by at most half a unit in the last place of the scale. */
const strayOf = ({ scale, operations }: AmountFacts): number => operations * EPSILON * scale;

function amountNoise(reported: number, expected: number, facts: AmountFacts | null): string | null {
  if (facts === null) return null;
  const stray = strayOf(facts);
  const distance = Math.abs(reported - expected);
  return distance <= stray
    ? `It is ${distance} off, which ${facts.operations} roundings of binary64 at amounts up to ${facts.scale} explain (at most ${stray}).`
    : null;
}

/** The orders in which programs write §3.3, each rounded by binary64 at every step. */
const WAYS: [text: string, value: (missing: number, rate: number) => number][] = [
  ["/ RATE × 1000", (missing, rate) => (missing / rate) * 1000],
  ["× 1000 / RATE", (missing, rate) => (missing * 1000) / rate],
  ["/ (RATE / 1000)", (missing, rate) => missing / (rate / 1000)],
];
/** How many neighbours of a balance are tried, each way, for one that makes the reported wait. */
const NEIGHBOURS = 64;

/** The doubles about a value, the nearest first: itself, one unit in the last place below, one above, and so on. */
function* neighbours(value: number): Generator<number> {
  const unit = EPSILON * 2 ** Math.floor(Math.log2(Math.abs(value) || 1));
  yield value;
  for (let step = 1; step <= NEIGHBOURS; step++) {
    yield value - step * unit;
    yield value + step * unit;
  }
}

/** A calculation in binary64 that makes the reported wait of a balance within the stray; null where there is none. */
function calculation(reported: number, facts: WaitFacts): string | null {
  const { required, signed_balance, rate_per_sec } = facts;
  for (const balance of neighbours(signed_balance)) {
    if (Math.abs(balance - signed_balance) > strayOf(facts)) return null;
    for (const [text, value] of WAYS) {
      const found = value(required - balance, rate_per_sec);
      if (Math.ceil(found) === reported)
        return `(${required} − ${balance}) ${text.replace("RATE", String(rate_per_sec))} is ${found}, rounded up ${reported}`;
    }
  }
  return null;
}

function waitNoise(reported: number, expected: number, facts: WaitFacts | null): string | null {
  if (facts === null || !Number.isInteger(reported)) return null;
  const { required, signed_balance, rate_per_sec } = facts;
  const exact = ((required - signed_balance) / rate_per_sec) * 1000;
  const stray = (strayOf(facts) / rate_per_sec) * 1000;
  // Where binary64 strays by half a millisecond and more it would explain anything, and so nothing; so without a rate.
  if (stray >= 0.5 || reported < Math.ceil(exact - stray) || reported > Math.ceil(exact + stray)) return null;
  const made = calculation(reported, facts);
  const exactly = `exactly, with a balance of ${signed_balance}, it is ${expected}`;
  return made === null
    ? `The wait before rounding up is ${exact} ms, so near a whole number that the roundings of binary64 (at most ${stray} ms) explain ${reported}.`
    : `In binary64 ${made}; ${exactly}.`;
}

/**
 * Why a mismatch is what binary floating point makes of the exact value (§2), in a sentence with the figures; null where it
 * does not explain it, or nothing says so. It classes a mismatch and excuses none: the result stays what it is (§5.3).
 */
export function binaryNoise(
  { check, subject, result, reported, expected }: Place,
  facts: NoiseFacts,
): string | null {
  if (result !== "mismatch" || typeof reported !== "number" || typeof expected !== "number") return null;
  if (check === "decisions.wait_ms") return waitNoise(reported, expected, facts.wait(subject));
  const [section, field] = check.split(".");
  if (!AMOUNTS.has(field)) return null;
  if (section === "totals") return amountNoise(reported, expected, facts.totals);
  return section === "per_tenant" ? amountNoise(reported, expected, facts.tenant(subject)) : null;
}

/** Whether a place is a wait that noise could explain: then its group's arithmetic is worth finding. */
export const mayBeWaitNoise = ({ check, result, reported, expected }: Place): boolean =>
  check === "decisions.wait_ms" &&
  result === "mismatch" &&
  typeof reported === "number" &&
  typeof expected === "number" &&
  expected > 0;
