/**
 * How a round's view stands on the disk: five Parquet files. The number goes up with whatever changes in them; a view of
 * another number is made again from the round's stored inputs.
 */
export const VIEW_FORMAT = 3;

/** Member ids kept of a group; all are counted. */
export const MEMBERS_KEPT = 50;

/** Which side found a group, by the number that stands for it. */
export const SOURCES = ["engine", "reference"] as const;

/**
 * What a column holds: a whole number that fits 32 bits (`whole`), a double (`number`; times and waits are exact up to
 * 2^53), a text, one of few texts (`tier`), or a small number that stands for a word of the contract or for yes and no
 * (`code`).
 */
export type ColumnKind = "whole" | "number" | "text" | "tier" | "code";

/**
 * Columns of each table, in order. A tenant is its place among all names that occur, in the order of their bytes: to
 * order by it is to order by name.
 */
export const VIEW_COLUMNS = {
  /** Every name that occurs; of one that is not served (§3.6) all else is null. */
  tenants: {
    tenant: "whole",
    name: "text",
    tier: "tier",
    tier_rank: "whole",
    guaranteed: "code",
    capacity: "number",
    opening_tokens: "number",
    closing_tokens: "number",
    reserve_tokens: "number",
    reserve_breached: "code",
    used: "number",
    accepted: "whole",
    queued: "whole",
    rejected: "whole",
    groups: "whole",
    breaches: "whole",
  },
  /** In the order of the report. */
  decisions: {
    position: "whole",
    req_id: "text",
    tenant: "whole",
    tier_rank: "whole",
    arrival_ms: "number",
    cost: "number",
    mode: "code",
    file_position: "whole",
    dispatch_position: "whole",
    verdict: "code",
    reason: "code",
    wait_ms: "number",
    reserve_breached: "code",
  },
  /** Those of a tenant stand together, so that few are read to find them. */
  groups: {
    source: "code",
    position: "whole",
    tenant: "whole",
    tier: "tier",
    time_ms: "number",
    signed_balance: "number",
    signed_after: "number",
    required: "number",
    wait_ms: "number",
    step: "code",
    verdict: "code",
    reason: "code",
    reserve_breached: "code",
    members: "whole",
    /** A JSON array. */
    req_ids: "text",
  },
  /** What differs comes first, the worst before the rest (`worst` counts from 0); then the others as they were found. */
  places: {
    position: "whole",
    check_id: "text",
    clause: "text",
    section: "code",
    subject: "text",
    path: "text",
    result: "code",
    reported: "text",
    expected: "text",
    noise: "text",
    /** How far two numbers are apart, as a share of the larger; 3 where a value is no number. */
    distance: "number",
  },
} as const satisfies Record<string, Record<string, ColumnKind>>;

export type ViewTable = keyof typeof VIEW_COLUMNS;
export const VIEW_TABLES = Object.keys(VIEW_COLUMNS) as readonly ViewTable[];

/** The tables, and `orders`: the decisions' positions by other orders than their own (see view-orders.ts). */
export const VIEW_FILES = [...VIEW_TABLES, "orders"] as const;

/** The files of a view: paths, or digests. */
export type ViewFiles = Readonly<Record<(typeof VIEW_FILES)[number], string>>;

/** The files of a view in a folder. */
export const viewFilesIn = (folder: string): ViewFiles => ({
  tenants: `${folder}/tenants.parquet`,
  decisions: `${folder}/decisions.parquet`,
  groups: `${folder}/groups.parquet`,
  places: `${folder}/places.parquet`,
  orders: `${folder}/orders.parquet`,
});
