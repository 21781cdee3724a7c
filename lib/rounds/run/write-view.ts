import type { PhaseProgress } from "../../../contract/round-view.ts";
import { tracedAgain } from "../../engine/decide-round.ts";
import { groupRows } from "../../engine/group-rows.ts";
import { DIFFERENCES_KEPT, MATCHES_KEPT } from "../../recheck/place-row.ts";
import type { ViewFiles } from "../../store/view-format.ts";
import { decisionSource, tenantSource } from "../../store/view-rows.ts";
import { ViewWriter } from "../../store/view-writer.ts";
import type { AuditedRound } from "./audit-round.ts";
import { auditDecisionRows, auditTenantRows } from "./audit-rows.ts";
import { groupsOfBoth } from "./group-source.ts";
import { KeptPlaces } from "./kept-places.ts";
import { decidedRows, tenantRows } from "./round-view-rows.ts";
import type { DecidedRound } from "./run-round.ts";

type Round = DecidedRound | AuditedRound;

/** Where a view goes: its files, and a folder for what does not fit the memory meanwhile. */
export interface ViewPlace {
  files: ViewFiles;
  temporary: string;
}

/** Every tenant that occurs on either side. */
function* namesIn(round: Round): Generator<string> {
  yield* round.columns.tenantNames;
  if (round.kind === "decided") yield* round.outcome.buckets.names;
  if (round.recomputed.ok) yield* Object.keys(round.recomputed.reference.figures.per_tenant);
}

/** What may be otherwise when a view is written. */
export interface ViewOptions {
  /** Places of a comparison up to which those that match are kept too. */
  matchesKept?: number;
  /** Places of one check that are kept although they do not match. */
  differencesKept?: number;
  /** Told once nothing here asks for a row of the recomputation any more, often long before the view is written. */
  onReferenceWritten?: () => void;
}

/** How many rows of several tables were taken, together. */
function together(onRows: (rows: number) => void): (table: string) => (rows: number) => void {
  const taken = new Map<string, number>();
  return (table) => (rows) => {
    taken.set(table, rows);
    onRows([...taken.values()].reduce((sum, of) => sum + of, 0));
  };
}

/** Waits for all of some work, also where one part has failed: what is worked on must not be closed meanwhile. */
async function all(work: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(work);
  await Promise.all(work);
}

/**
 * Writes what a round's pages query; false where its places are too many to keep those that match. Tables are filled as
 * they are written, so that none is ever in memory whole. First those that need both sides, then the reference's groups:
 * what the engine's groups were decided from is laid out again when the recomputation's rows need no room any more.
 */
export async function writeView(
  round: Round,
  { files, temporary }: ViewPlace,
  onProgress: (progress: PhaseProgress) => void,
  options: ViewOptions = {},
): Promise<boolean> {
  const { matchesKept = MATCHES_KEPT, differencesKept = DIFFERENCES_KEPT } = options;
  const { onReferenceWritten = () => {} } = options;
  const keepsMatches = round.truth.checks <= matchesKept;
  const places = new KeptPlaces(round, { matches: keepsMatches, differences: differencesKept });
  const { contract, policy } = round.documents;
  const tiers = contract.tiers.map(({ name }) => name);
  const writer = await ViewWriter.open(files, { tenants: namesIn(round), tiers }, temporary);
  const isDecided = round.kind === "decided";
  const reference = round.recomputed.ok ? round.recomputed.reference.groups : null;
  const total =
    round.columns.count +
    (isDecided ? round.outcome.groups.count : 0) +
    (reference?.length ?? 0) +
    places.total;
  const rowsOf = together((done) => onProgress({ phase: "store", done, total, unit: "rows" }));
  try {
    const tenants = isDecided ? tenantRows(round.outcome, round.report) : auditTenantRows(round);
    await writer.write("tenants", tenantSource(writer, tenants));
    await writer.write("places", places.source(rowsOf("places")));
    const decisions = isDecided
      ? decidedRows(writer, round.outcome)
      : decisionSource(writer, auditDecisionRows(round));
    const engine = isDecided ? () => groupRows(tracedAgain(contract, policy, round.outcome)) : null;
    const groups = groupsOfBoth(writer, reference, engine, isDecided ? onReferenceWritten : () => {});
    // One is packed by DuckDB while rows of the other are made here.
    await all([
      writer.write("decisions", decisions, rowsOf("decisions")),
      writer.write("groups", groups, rowsOf("groups")),
    ]);
    if (!isDecided) onReferenceWritten();
    await writer.sortPlaces();
  } finally {
    writer.close();
  }
  return keepsMatches;
}
