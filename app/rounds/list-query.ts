import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { ROUND_OUTCOMES } from "../../contract/round-view.ts";
import type { RoundQuery } from "../../lib/rounds/service.ts";

export type SearchParams = Record<string, string | string[] | undefined>;

/** Rounds on one page of the list. */
const PAGE_SIZE = 50;

const STATUSES = ["", ...ROUND_OUTCOMES, "unfinished", "refused", "failed", "cancelled", "removed"] as const;
const PERIODS_MS = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 };

const one = (value: unknown) => (Array.isArray(value) ? value[0] : value);
const text = z.preprocess(one, z.string().max(300)).catch("");
const schema = z.object({
  q: text,
  status: z.preprocess(one, z.enum(STATUSES)).catch(""),
  tenant: text,
  stream: text,
  period: z.preprocess(one, z.enum(["", "hour", "day", "week", "month"])).catch(""),
  from: z.preprocess(one, z.iso.date()).catch(""),
  to: z.preprocess(one, z.iso.date()).catch(""),
  zone: text,
  sort: z.preprocess(one, z.enum(["created", "name", "requests"])).catch("created"),
  dir: z.preprocess(one, z.enum(["asc", "desc"])).catch("desc"),
  show: z.preprocess(one, z.enum(["all", "false-green"])).catch("all"),
  page: z.preprocess(one, z.coerce.number().int().min(1).max(1_000_000)).catch(1),
  removed: z.preprocess(one, z.coerce.number().int().min(1)).optional().catch(undefined),
});

/** What the list is asked for, as its page shows it. */
export type ListParams = z.output<typeof schema>;

/** The list's parameters from its URL; what makes no sense is as if it were not there. */
export const listParams = (params: SearchParams): ListParams => schema.parse(params);

/** When a day begins in a zone, which has 23, 24 or 25 hours; undefined where there is no such day or zone. */
function dayStart(date: string, zone: string, days = 0): number | undefined {
  if (date === "") return undefined;
  try {
    return Temporal.PlainDate.from(date)
      .add({ days })
      .toZonedDateTime(zone === "" ? "UTC" : zone).epochMilliseconds;
  } catch {
    return undefined;
  }
}

function statusFilter(status: ListParams["status"]) {
  if (status === "") return {};
  if (status === "removed") return { removed: true };
  return { statuses: status === "unfinished" ? ["waiting", "running"] : [status] };
}

function periodFilter({ period, from, to, zone }: ListParams, now_ms: number) {
  const from_ms = period === "" ? dayStart(from, zone) : now_ms - PERIODS_MS[period];
  const to_ms = period === "" ? dayStart(to, zone, 1) : undefined;
  return { ...(from_ms === undefined ? {} : { from_ms }), ...(to_ms === undefined ? {} : { to_ms }) };
}

/** Which rounds the parameters ask for; days are those of the zone that the URL names, their last included. */
export function listQuery(params: ListParams, now_ms: number): RoundQuery {
  const { q, tenant, stream, show, sort, dir, page } = params;
  return {
    ...statusFilter(params.status),
    ...periodFilter(params, now_ms),
    search: q,
    tenant,
    stream,
    ...(show === "false-green" ? { false_green: true } : {}),
    sort,
    dir,
    limit: PAGE_SIZE,
    offset: (page - 1) * PAGE_SIZE,
  };
}
