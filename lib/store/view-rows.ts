import type { GroupRow } from "../../contract/group.ts";
import { CHECK_RESULTS } from "../../contract/health.ts";
import { MODES } from "../../contract/request.ts";
import {
  type DecisionRow,
  type GroupView,
  PLACE_SECTIONS,
  type PlaceRow,
  type TenantRow,
} from "../../contract/round-view.ts";
import { REASONS, VERDICTS } from "../../contract/verdicts.ts";
import type { RawRow } from "./query-engine.ts";
import type { NumberCells } from "./view-cells.ts";
import { MEMBERS_KEPT, SOURCES, type ViewTable } from "./view-format.ts";
import type { Cells, RowSource, ViewWriter } from "./view-writer.ts";

/** A group with which side found it. */
export type SourcedGroup = GroupRow & { source: (typeof SOURCES)[number] };

/** The number that stands for a word. A word that the format does not know is an error: it would be read as another. */
export function codeOf<Word extends string>(words: readonly Word[], word: Word): number {
  const code = words.indexOf(word);
  if (code < 0) throw new Error(`the view's format has no word ${JSON.stringify(word)}`);
  return code;
}

function setNumber(cells: NumberCells, row: number, value: number | null): void {
  if (value === null) cells.setNull(row);
  else cells.items[row] = value;
}

/** Rows of objects as a source of a table, each written by `write`. */
function rowSource<Table extends ViewTable, Row>(
  rows: Iterable<Row>,
  write: (cells: Cells<Table>, at: number, row: Row) => void,
): RowSource<Table> {
  const walk = rows[Symbol.iterator]();
  return (cells, room) => {
    for (let at = 0; at < room; at++) {
      const next = walk.next();
      if (next.done) return at;
      write(cells, at, next.value);
    }
    return room;
  };
}

const TENANT_NUMBERS = [
  "tier_rank",
  "capacity",
  "opening_tokens",
  "closing_tokens",
  "reserve_tokens",
  "used",
  "accepted",
  "queued",
  "rejected",
  "groups",
  "breaches",
] as const;

/** Every name that the writer was told, with the row of those that have a bucket. */
export function tenantSource(writer: ViewWriter, rows: Iterable<TenantRow>): RowSource<"tenants"> {
  const byName = new Map<string, TenantRow>();
  for (const row of rows) {
    writer.numberOf(row.tenant);
    byName.set(row.tenant, row);
  }
  return rowSource<"tenants", [name: string, number: number]>(writer.tenants, (cells, at, [name, number]) => {
    const row = byName.get(name) ?? null;
    cells.tenant.items[at] = number;
    cells.name.set(at, name);
    cells.tier.set(at, row?.tier ?? null);
    for (const field of TENANT_NUMBERS) setNumber(cells[field], at, row?.[field] ?? null);
    setNumber(cells.guaranteed, at, row === null ? null : Number(row.guaranteed));
    setNumber(cells.reserve_breached, at, row === null ? null : Number(row.reserve_breached));
  });
}

export function decisionSource(writer: ViewWriter, rows: Iterable<DecisionRow>): RowSource<"decisions"> {
  return rowSource<"decisions", DecisionRow>(rows, (cells, at, row) => {
    cells.position.items[at] = row.position;
    cells.req_id.set(at, row.req_id);
    cells.tenant.items[at] = writer.numberOf(row.tenant);
    setNumber(cells.tier_rank, at, row.tier_rank);
    cells.arrival_ms.items[at] = row.arrival_ms;
    cells.cost.items[at] = row.cost;
    cells.mode.items[at] = codeOf(MODES, row.mode);
    cells.file_position.items[at] = row.file_position;
    setNumber(cells.dispatch_position, at, row.dispatch_position);
    cells.verdict.items[at] = codeOf(VERDICTS, row.verdict);
    setNumber(cells.reason, at, row.reason === null ? null : codeOf(REASONS, row.reason));
    setNumber(cells.wait_ms, at, row.wait_ms);
    cells.reserve_breached.items[at] = Number(row.reserve_breached);
  });
}

/** The members of a group that are kept, as JSON. */
const keptMembers = (req_ids: readonly string[]): string =>
  JSON.stringify(req_ids.length > MEMBERS_KEPT ? req_ids.slice(0, MEMBERS_KEPT) : req_ids);

/** Writes a group into a row of cells. */
export function writeGroup(
  writer: ViewWriter,
  cells: Cells<"groups">,
  at: number,
  source: SourcedGroup["source"],
  row: GroupRow,
): void {
  cells.source.items[at] = codeOf(SOURCES, source);
  cells.position.items[at] = row.position;
  cells.tenant.items[at] = writer.numberOf(row.tenant);
  cells.tier.set(at, row.tier);
  cells.time_ms.items[at] = row.time_ms;
  cells.signed_balance.items[at] = row.signed_balance;
  cells.signed_after.items[at] = row.signed_after;
  cells.required.items[at] = row.required;
  setNumber(cells.wait_ms, at, row.wait_ms);
  cells.step.items[at] = row.step;
  cells.verdict.items[at] = codeOf(VERDICTS, row.verdict);
  setNumber(cells.reason, at, row.reason === null ? null : codeOf(REASONS, row.reason));
  cells.reserve_breached.items[at] = Number(row.reserve_breached);
  cells.members.items[at] = row.req_ids.length;
  cells.req_ids.set(at, keptMembers(row.req_ids));
}

export function groupSource(writer: ViewWriter, rows: Iterable<SourcedGroup>): RowSource<"groups"> {
  return rowSource<"groups", SourcedGroup>(rows, (cells, at, row) =>
    writeGroup(writer, cells, at, row.source, row),
  );
}

/** How far two values are apart where both are numbers, as a share of the larger; else 3, which is more than any. */
function distanceOf({ reported, expected }: PlaceRow): number {
  const [a, b] = [reported, expected].map((json): unknown => (json === null ? null : JSON.parse(json)));
  if (typeof a !== "number" || typeof b !== "number") return 3;
  const larger = Math.max(Math.abs(a), Math.abs(b));
  return larger === 0 ? 0 : Math.abs(a - b) / larger;
}

export function placeSource(rows: Iterable<PlaceRow>): RowSource<"places"> {
  return rowSource<"places", PlaceRow>(rows, (cells, at, row) => {
    cells.position.items[at] = row.position;
    cells.check_id.set(at, row.check);
    cells.clause.set(at, row.clause);
    cells.section.items[at] = codeOf(PLACE_SECTIONS, row.section);
    cells.subject.set(at, row.subject);
    cells.path.set(at, row.path);
    cells.result.items[at] = codeOf(CHECK_RESULTS, row.result);
    cells.reported.set(at, row.reported);
    cells.expected.set(at, row.expected);
    cells.noise.set(at, row.noise);
    cells.distance.items[at] = distanceOf(row);
  });
}

const wordOf = <Word extends string>(words: readonly Word[], code: RawRow[string] | undefined): Word =>
  words[code as number]!;
const wordOrNull = <Word extends string>(
  words: readonly Word[],
  code: RawRow[string] | undefined,
): Word | null => (code == null ? null : wordOf(words, code));

/** A stored row with the tenant's name in place of its number: what the pages show. */
type Shown<Row> = (row: RawRow, tenant: string) => Row;

export const showTenant: Shown<TenantRow> = ({ name: _, guaranteed, reserve_breached, ...row }, tenant) => ({
  ...(row as Omit<TenantRow, "guaranteed" | "reserve_breached">),
  tenant,
  guaranteed: guaranteed === 1,
  reserve_breached: reserve_breached === 1,
});

export const showDecision: Shown<DecisionRow> = (
  { mode, verdict, reason, reserve_breached, ...row },
  tenant,
) => ({
  ...(row as unknown as DecisionRow),
  tenant,
  mode: wordOf(MODES, mode),
  verdict: wordOf(VERDICTS, verdict),
  reason: wordOrNull(REASONS, reason),
  reserve_breached: reserve_breached === 1,
});

export const showGroup: Shown<GroupView> = (
  { source, verdict, reason, reserve_breached, req_ids, ...row },
  tenant,
) => ({
  ...(row as unknown as GroupView),
  tenant,
  source: wordOf(SOURCES, source),
  verdict: wordOf(VERDICTS, verdict),
  reason: wordOrNull(REASONS, reason),
  reserve_breached: reserve_breached === 1,
  req_ids: JSON.parse(req_ids as string),
});

export const showPlace = ({
  check_id,
  section,
  result,
  distance: _,
  worst: __,
  ...row
}: RawRow): PlaceRow => ({
  ...(row as unknown as PlaceRow),
  check: check_id as string,
  section: wordOf(PLACE_SECTIONS, section),
  result: wordOf(CHECK_RESULTS, result),
});
