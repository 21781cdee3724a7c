import { z } from "zod";
import { type DecimalText, decimalText, microOf, NumberText } from "./decimal.ts";

interface DecimalRange {
  /** Smallest value, in millionths. */
  min: bigint;
  /** Whether `min` itself is excluded. */
  open?: boolean;
  /** Largest value, in millionths. */
  max?: bigint;
}

const MICRO = 1_000_000n;
const LIMIT = 1_000_000_000_000n * MICRO;

/** The text of a number as a reader of JSON hands it over; null where the value is no number. */
function numberText(value: unknown): string | null {
  if (value instanceof NumberText) return value.text;
  // Plain numbers come from code, not from files: they are judged by the text ECMAScript prints for them.
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return null;
}

/** A decimal of §1.4 within a range; the output is its plain text, exact to the last digit. */
export function decimalSchema({ min, open = false, max = LIMIT }: DecimalRange) {
  const expected = `a decimal ${open ? ">" : "≥"} ${decimalText(min)}, at most ${decimalText(max)}, with at most 6 digits after the point`;
  const bound = open ? { exclusiveMinimum: Number(min) / 1e6 } : { minimum: Number(min) / 1e6 };
  return z
    .unknown()
    .meta({ type: "number", ...bound, maximum: Number(max) / 1e6 })
    .transform((value, context): DecimalText => {
      const text = numberText(value);
      const micro = text === null ? null : microOf(text);
      if (typeof micro === "bigint" && micro <= max && (open ? micro > min : micro >= min))
        return decimalText(micro);
      const reason =
        value === undefined
          ? "is missing"
          : text === null
            ? "is not a number"
            : typeof micro === "string"
              ? `is ${micro === "too many digits after the point" ? "too fine: it has more than 6 digits after the point" : micro}`
              : "is out of range";
      context.addIssue({ code: "custom", message: `${reason}; expected ${expected}` });
      return z.NEVER;
    });
}

/** An integer of §1.4 (`5.0` is one) within a range; the output is a JavaScript number. */
export function integerSchema(min: number, max: number) {
  return z
    .unknown()
    .meta({ type: "integer", minimum: min, maximum: max })
    .transform((value, context): number => {
      const text = numberText(value);
      const micro = text === null ? null : microOf(text);
      const low = BigInt(min) * MICRO;
      const high = BigInt(max) * MICRO;
      if (typeof micro === "bigint" && micro % MICRO === 0n && micro >= low && micro <= high)
        return Number(micro / MICRO);
      const reason =
        value === undefined ? "is missing" : text === null ? "is not a number" : "is no integer in range";
      context.addIssue({ code: "custom", message: `${reason}; expected an integer ${min} … ${max}` });
      return z.NEVER;
    });
}
