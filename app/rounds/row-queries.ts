import { z } from "zod";
import { PLACE_SECTIONS } from "../../contract/round-view.ts";
import { REASONS, VERDICTS } from "../../contract/verdicts.ts";
import type { SearchParams } from "./list-query.ts";

const first = (value: unknown) => (Array.isArray(value) ? value[0] : value);
const text = z.preprocess(first, z.string().max(1100)).catch("");
const choice = <const T extends readonly [string, ...string[]]>(values: T, fallback: T[number]) =>
  z.preprocess(first, z.enum(values)).catch(fallback as never);
const optional = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.preprocess(first, z.enum(values)).optional().catch(undefined);
const whole = (fallback: number, max: number) =>
  z.preprocess(first, z.coerce.number().int().min(0).max(max)).catch(fallback);

/** Rows that one request may ask for. */
const MOST_ROWS = 500;
const BUCKETS_A_PAGE = 24;
const MOST_OFFSET = 1_000_000_000;

/** What of the dispatch is asked for, from a URL; what makes no sense is as if it were not there. */
export function dispatchQuery(params: SearchParams) {
  return z
    .object({
      verdict: optional(VERDICTS),
      reason: optional(REASONS),
      tenant: text,
      search: text,
      req: text,
      open: text,
      sort: choice(["dispatch", "file", "arrival", "wait"], "dispatch"),
      dir: choice(["asc", "desc"], "asc"),
      limit: whole(100, MOST_ROWS),
      offset: whole(0, MOST_OFFSET),
    })
    .parse(params);
}

/** What of the diff is asked for. */
export function diffQuery(params: SearchParams) {
  return z
    .object({
      section: optional(PLACE_SECTIONS),
      result: choice(["open", "all"], "open"),
      subject: text,
      place: text,
      open: text,
      limit: whole(100, MOST_ROWS),
      offset: whole(0, MOST_OFFSET),
    })
    .parse(params);
}

/** Tenants that stay on top: each a parameter of its own, since a name may hold any sign. */
const MOST_PINS = 24;
const pins = z
  .union([
    z
      .string()
      .max(1100)
      .transform((one) => [one]),
    z.array(z.string().max(1100)),
  ])
  .transform((all) => [...new Set(all)].filter((name) => name !== "").slice(0, MOST_PINS))
  .catch([]);

/** Which buckets are asked for, and which tenant is open. */
export function bucketQuery(params: SearchParams) {
  const { q, sort, pin, tenant, page } = z
    .object({
      q: text,
      sort: choice(["worst", "name", "used", "utilisation", "rejected", "breaches"], "worst"),
      pin: pins,
      tenant: text,
      page: whole(1, 1_000_000),
    })
    .parse(params);
  return {
    search: q,
    sort,
    pins: pin,
    tenant,
    limit: BUCKETS_A_PAGE,
    offset: (Math.max(page, 1) - 1) * BUCKETS_A_PAGE,
  };
}

/** The search parameters of a request's URL. */
export const paramsOf = (request: Request): SearchParams =>
  Object.fromEntries(new URL(request.url).searchParams);
