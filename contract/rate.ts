import { z } from "zod";
import { microOf } from "./decimal.ts";

/** Milliseconds of each unit a rate may name (§1.2). */
export const RATE_UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const RATE = /^((?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][0-9]+)?)\/([1-9][0-9]{0,6})?(ms|s|m|h|d)$/;
const COUNT_MAX = 1_000_000;

/** The parts of a rate's text: millionths of a token every so many milliseconds; null where it is none (§1.2). */
export function rateParts(text: string): { micro: bigint; per_ms: bigint } | null {
  const match = RATE.exec(text);
  if (match === null) return null;
  const micro = microOf(match[1]!);
  const count = match[2] === undefined ? 1 : Number(match[2]);
  if (typeof micro === "string" || count > COUNT_MAX) return null;
  return { micro, per_ms: BigInt(count * RATE_UNIT_MS[match[3] as keyof typeof RATE_UNIT_MS]) };
}

/** `N/unit` or `N/COUNTunit` (§1.2), kept as text. */
export const rateSchema = z
  .string()
  .meta({ pattern: RATE.source })
  .refine((text) => rateParts(text) !== null, {
    message: 'is no rate; expected "N/unit" or "N/COUNTunit", such as "100/m" or "1/250ms"',
  });
