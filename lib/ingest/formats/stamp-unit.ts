import type { ArrivalMapping } from "../../../contract/mapping.ts";

/** The unit of a count of some milliseconds after 2001 by its digits: for formats that are set up to write one of these. */
const UNIT_BY_DIGITS = new Map([
  [10, "s"],
  [13, "ms"],
  [16, "us"],
  [19, "ns"],
] as const);

/** The form of a stamp that leaves no doubt: ISO 8601 or the common log format; null for a number. */
export function writtenForm(example: string): "iso" | "clf" | null {
  if (/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d/.test(example)) return "iso";
  return /^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d/.test(example) ? "clf" : null;
}

/** Whether a stamp tells its own offset from UTC (a number of seconds does). */
export function hasZone(example: string): boolean {
  return writtenForm(example) === null || /(?:Z|z|UTC| ?[+-]\d\d(?::?\d\d)?)$/.test(example.slice(11));
}

/**
 * The arrival in a field of a format whose makers say which stamps it may write; `zone` is the one they name for stamps
 * without. Null where the field is absent, or a number whose unit its digits do not tell.
 */
export function arrivalIn(field: string, example: string | null, zone?: string): ArrivalMapping | null {
  if (example === null) return null;
  const form = writtenForm(example);
  if (form !== null)
    return { field, unit: form, ...(hasZone(example) || zone === undefined ? {} : { zone }) };
  const digits = /^(\d+)(?:\.\d+)?$/.exec(example)?.[1]?.length;
  const unit = UNIT_BY_DIGITS.get(digits as 10 | 13 | 16 | 19);
  return unit === undefined ? null : { field, unit };
}
