import type { RoundListRow } from "../../../contract/round-view.ts";
import type { RoundQuery, RoundsService } from "../service.ts";
import type { ExportRow } from "./table-text.ts";

/** Rounds read at once. */
const PAGE = 500;

/** Columns of the list of rounds, in order. */
export const LIST_COLUMNS = [
  "id",
  "name",
  "state",
  "created_at",
  "stream_name",
  "stream_sha256",
  "faults",
  "requests",
  "tenants",
  "span_ms",
  "accepted",
  "queued",
  "rejected",
  "reserve_breached",
  "false_green",
  "report",
  "exit",
  "health",
  "probe",
  "acceptance",
  "stored",
  "message",
] as const;

/**
 * A round as one flat row: each signal by what it claims, with the lie named. Of one whose files or row are not what was
 * judged there are none: `stored` says so, as it does where files were not read since the server started.
 */
function listRow(listed: RoundListRow): ExportRow {
  const { card, created_at_ms, progress: _, removed_at_ms: __, seal, ...told } = listed;
  const created_at = new Date(created_at_ms).toISOString();
  const stored = seal.state === "reading" ? "unread" : seal.state;
  const round = { ...told, stored, message: told.message ?? seal.sentence };
  if (card === null) return { ...round, created_at };
  const { board, counts, requests, tenants, span_ms } = card;
  const signals = board.signals.map(({ name, claim, lies }) => [name, lies ? `${claim}, falsely` : claim]);
  return {
    ...round,
    created_at,
    requests,
    tenants,
    span_ms,
    ...counts,
    false_green: board.false_green,
    ...Object.fromEntries(signals),
  };
}

/** Every round that a query finds, whatever page it names. */
export async function exportList(service: RoundsService, query: RoundQuery): Promise<ExportRow[]> {
  const found: ExportRow[] = [];
  for (;;) {
    const { rows, total } = await service.list({ ...query, limit: PAGE, offset: found.length });
    found.push(...rows.map(listRow));
    if (rows.length === 0 || found.length >= total) return found;
  }
}
