import { createHash } from "node:crypto";
import type { RoundRow, StudyRow } from "./schema.ts";

/** Of a finished round, what the list shows of it or finds it by. */
const LISTED = [
  "id",
  "name",
  "state",
  "created_at_ms",
  "faults",
  "contract_sha256",
  "policy_sha256",
  "stream_name",
  "stream_sha256",
  "report_sha256",
  "requests",
  "false_green",
  "outcome",
  "card",
  "audit",
] as const;
/** And the rest of what it came to; its view may be made again, and has a digest of its own. */
const REST = [
  "finished_at_ms",
  "reading",
  "contract_name",
  "policy_name",
  "stream_bytes",
  "summary",
  "problem",
  "raw_sha256",
  "raw_bytes",
  "mapping",
  "import",
] as const;
const VIEW = ["id", "view_sha256", "view"] as const;
const STUDY = [
  "id",
  "kind",
  "question",
  "name",
  "state",
  "created_at_ms",
  "finished_at_ms",
  "inputs",
  "artifacts",
  "result",
  "result_sha256",
] as const;

type ListedColumns = Pick<RoundRow, (typeof LISTED)[number]>;
type ViewColumns = Pick<RoundRow, (typeof VIEW)[number]>;
type SealedRound = ListedColumns & ViewColumns & Pick<RoundRow, (typeof REST)[number]>;
type SealedStudy = Pick<StudyRow, (typeof STUDY)[number]>;

/** Digests of a finished round's row, by its parts. */
interface RoundDigests {
  listed: string | null;
  rest: string | null;
  view: string | null;
}

/** A part of a row that is not what was written: its digest, and the one that it was written with, null where that is gone. */
export interface RowChange {
  expected: string | null;
  found: string;
}

/** SHA-256 of the named columns' values, one after the other, as JSON. */
function digestOf<Column extends string>(
  row: Record<Column, string | number | null>,
  columns: readonly Column[],
): string {
  return createHash("sha256")
    .update(JSON.stringify(columns.map((column) => row[column])))
    .digest("hex");
}

function readSeal(seal: string | null): RoundDigests {
  const none: RoundDigests = { listed: null, rest: null, view: null };
  try {
    return { ...none, ...(JSON.parse(seal ?? "{}") as Partial<RoundDigests>) };
  } catch {
    return none;
  }
}

const change = (expected: string | null, found: string): RowChange | null =>
  expected === found ? null : { expected, found };

/** What is kept beside a finished round's row, so that it is found where the row is changed by hand. */
export function roundSeal(row: SealedRound): string {
  const digests: RoundDigests = {
    listed: digestOf(row, LISTED),
    rest: digestOf(row, REST),
    view: digestOf(row, VIEW),
  };
  return JSON.stringify(digests);
}

/** The same with another view; what else the row was written with stays, whatever the row holds by now. */
export const resealedView = (row: ViewColumns & Pick<RoundRow, "seal">): string =>
  JSON.stringify({ ...readSeal(row.seal), view: digestOf(row, VIEW) });

/** Whether what the list shows of a finished round is what was written when it ended; null where it is. */
export const listedChange = (row: ListedColumns & Pick<RoundRow, "seal">): RowChange | null =>
  change(readSeal(row.seal).listed, digestOf(row, LISTED));

/** Whether what a finished round came to is what was written when it ended; null where it is. */
export const entryChange = (row: SealedRound & Pick<RoundRow, "seal">): RowChange | null =>
  listedChange(row) ?? change(readSeal(row.seal).rest, digestOf(row, REST));

/** Whether the digests of a finished round's rows are those that were written with it; null where they are. */
export const viewChange = (row: ViewColumns & Pick<RoundRow, "seal">): RowChange | null =>
  change(readSeal(row.seal).view, digestOf(row, VIEW));

/** What is kept beside a finished study's row. */
export const studySeal = (row: SealedStudy): string => digestOf(row, STUDY);

/** Whether a finished study's row is what was written when it ended; null where it is. */
export const studyChange = (row: SealedStudy & Pick<StudyRow, "seal">): RowChange | null =>
  change(row.seal, studySeal(row));
