import { CHECK_RESULTS } from "../../contract/health.ts";
import { PLACE_SECTIONS } from "../../contract/round-view.ts";
import { REASONS, VERDICTS } from "../../contract/verdicts.ts";
import { anyCase } from "./any-case.ts";
import type { Window } from "./view-page.ts";
import { type Condition, marks, type Selection } from "./view-selection.ts";

export interface DecisionQuery extends Window {
  verdict?: string | undefined;
  tenant?: string | undefined;
  reason?: string | undefined;
  /** Part of a req_id; letters of ASCII in either case. */
  search?: string | undefined;
  /** A whole req_id. */
  req_id?: string | undefined;
  breached?: boolean | undefined;
  sort: "dispatch" | "file" | "arrival" | "wait";
  dir: "asc" | "desc";
}
export interface TenantQuery extends Window {
  search?: string | undefined;
  /** Only these. */
  names?: readonly string[] | undefined;
  sort: "worst" | "name" | "used" | "utilisation" | "rejected" | "breaches";
}
export interface PlaceQuery extends Window {
  section?: string | undefined;
  /** `open`: whatever is not green. */
  result: "open" | "all" | "match" | "mismatch" | "indeterminate";
  subject?: string | undefined;
}

/** A query without its window. */
export type Filter<Query> = Omit<Query, keyof Window>;

/** The column that an order of decisions goes by. */
export const DECISION_KEY = {
  dispatch: "position",
  file: "file_position",
  arrival: "arrival_ms",
  wait: "wait_ms",
} as const;
const TENANT_ORDER = {
  worst: "breaches DESC, rejected DESC, used / capacity DESC NULLS LAST, tenant",
  name: "tenant",
  used: "used DESC, tenant",
  utilisation: "used / capacity DESC NULLS LAST, tenant",
  rejected: "rejected DESC, tenant",
  breaches: "breaches DESC, tenant",
} as const;

/** What differs, by the codes of its results. */
const OPEN: Condition = [
  "result IN (?, ?)",
  CHECK_RESULTS.indexOf("mismatch"),
  CHECK_RESULTS.indexOf("indeterminate"),
];

export function tenantsWhere(file: string, { search, names, sort }: Filter<TenantQuery>): Selection {
  const conditions: Condition[] = [["tier IS NOT NULL"]];
  if (search) conditions.push(anyCase("name", search));
  if (names) conditions.push([`name IN (${marks(names) || "NULL"})`, ...names]);
  return { file, conditions, order: TENANT_ORDER[sort] };
}

/** @param tenant the number of the tenant that is asked for */
export function decisionsWhere(file: string, query: Filter<DecisionQuery>, tenant: number | null): Selection {
  const conditions: Condition[] = [];
  if (query.verdict) conditions.push(["verdict = ?", VERDICTS.indexOf(query.verdict as never)]);
  if (tenant !== null) conditions.push(["tenant = ?", tenant]);
  if (query.reason) conditions.push(["reason = ?", REASONS.indexOf(query.reason as never)]);
  if (query.req_id !== undefined) conditions.push(["req_id = ?", query.req_id]);
  if (query.search) conditions.push(anyCase("req_id", query.search));
  if (query.breached !== undefined) conditions.push(["reserve_breached = ?", query.breached ? 1 : 0]);
  // What has no wait comes last either way.
  const dir = query.dir === "desc" ? "DESC" : "ASC";
  const key = DECISION_KEY[query.sort];
  const order = key === "position" ? `position ${dir}` : `${key} ${dir} NULLS LAST, position ${dir}`;
  return { file, conditions, order };
}

export function placesWhere(file: string, { section, result, subject }: Filter<PlaceQuery>): Selection {
  const conditions: Condition[] = [];
  if (section) conditions.push(["section = ?", PLACE_SECTIONS.indexOf(section as never)]);
  if (result === "open") conditions.push(OPEN);
  else if (result !== "all") conditions.push(["result = ?", CHECK_RESULTS.indexOf(result)]);
  if (subject) conditions.push(["subject = ?", subject]);
  return { file, conditions, order: result === "open" ? "worst" : "position" };
}
