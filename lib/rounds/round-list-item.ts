import type { ImportSummary } from "../../contract/mapping.ts";
import type { Reading } from "../../contract/request.ts";
import type {
  ListedSeal,
  RoundListItem,
  RoundListRow,
  RoundProgress,
  RoundState,
  ShareRow,
} from "../../contract/round-view.ts";
import { KEPT_SEAL } from "../../contract/seal.ts";
import type { ListedRow } from "../store/rounds.ts";
import type { RoundRow, ShareRecord } from "../store/schema.ts";
import { lostIn } from "../store/stored-view.ts";

/** JSON of a column; null where there is none, or what was changed by hand into none: the row's digests tell that. */
export function storedJson<T>(text: string | null): T | null {
  try {
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

const faultsIn = (text: string): string[] => storedJson<string[]>(text) ?? [];

/** A stored round as the list shows it. */
export function roundListRow(row: ListedRow, seal: ListedSeal, progress: RoundProgress | null): RoundListRow {
  return {
    seal,
    id: row.id,
    name: row.name,
    state: row.state as RoundState,
    created_at_ms: row.created_at_ms,
    faults: faultsIn(row.faults).length,
    audit: row.audit !== null,
    stream_name: row.stream_name,
    stream_sha256: row.stream_sha256,
    progress,
    message: row.message,
    card: seal.state === "broken" ? null : storedJson(row.card),
    removed_at_ms: row.deleted_at_ms,
  };
}

/** The stamp of the earliest request of a log, of which whole milliseconds count; null where there is none. */
function logStart(imported: string | null): number | null {
  const first = storedJson<ImportSummary>(imported)?.first ?? null;
  const at_ms =
    first === null ? Number.NaN : Date.parse(`${first.slice(0, "2026-10-25T10:00:00.000".length)}Z`);
  return Number.isNaN(at_ms) ? null : at_ms;
}

/** A stored round as its own pages show it, once its files were looked at. */
export function roundListItem(row: RoundRow, progress: RoundProgress | null): RoundListItem {
  return {
    id: row.id,
    name: row.name,
    state: row.state as RoundState,
    created_at_ms: row.created_at_ms,
    finished_at_ms: row.finished_at_ms,
    reading: row.reading as Reading,
    faults: faultsIn(row.faults),
    audit: storedJson(row.audit),
    stream_name: row.stream_name,
    stream_bytes: row.stream_bytes,
    log_start_at_ms: logStart(row.import),
    progress,
    problem: storedJson(row.problem),
    summary: storedJson(row.summary),
    view_problem: row.view_problem,
    view_lost: lostIn(row.view),
    seal: KEPT_SEAL,
  };
}

/** A link without what could open it, or lift its masks. */
export function shareRow({ token_sha256: _, round_id: __, mask_key, raw, ...share }: ShareRecord): ShareRow {
  return { ...share, raw: raw === 1, masked: mask_key !== null };
}
