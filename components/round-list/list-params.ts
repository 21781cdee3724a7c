/** What the list is asked for, as its URL says it. */
export interface ListParams {
  q: string;
  status: string;
  tenant: string;
  stream: string;
  period: string;
  /** Days of `zone`, as in 2026-10-25; empty for none. */
  from: string;
  to: string;
  zone: string;
  sort: "created" | "name" | "requests";
  dir: "asc" | "desc";
  show: "all" | "false-green";
  page: number;
}

const FILTERS = ["q", "status", "tenant", "stream", "period", "from", "to"] as const;

/** Whether some rounds are left out. */
export const isFiltered = (params: ListParams): boolean =>
  params.show === "false-green" || FILTERS.some((name) => params[name] !== "");

/** What takes every filter away, for the URL. */
export const NO_FILTERS: Readonly<Record<string, string>> = Object.fromEntries(
  [...FILTERS, "zone", "show", "page"].map((name) => [name, ""]),
);
