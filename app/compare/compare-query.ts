import { z } from "zod";
import { CHANGE_KINDS } from "../../contract/comparison.ts";
import { VERDICTS } from "../../contract/verdicts.ts";
import type { SearchParams } from "../rounds/list-query.ts";

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);
const text = z.preprocess(first, z.string().max(1100)).catch("");
const oneOf = (values: readonly [string, ...string[]]) => z.preprocess(first, z.enum(values)).catch("");
const whole = (fallback: number, max: number) =>
  z.preprocess(first, z.coerce.number().int().min(0).max(max)).catch(fallback);

/** Rows that one request may ask for. */
const MOST_ROWS = 500;
const MOST_OFFSET = 1_000_000_000;

/** Which rounds are compared and what of it is shown, from a URL; what makes no sense is as if it were not there. */
export function compareQuery(params: SearchParams) {
  return z
    .object({
      a: text,
      b: text,
      kind: oneOf(CHANGE_KINDS),
      tenant: text,
      search: text,
      from: oneOf(VERDICTS),
      to: oneOf(VERDICTS),
      req: text,
      limit: whole(100, MOST_ROWS),
      offset: whole(0, MOST_OFFSET),
    })
    .parse(params);
}
