import type { CheckTally } from "../../../contract/health.ts";
import type { PlaceCount, RoundSummary } from "../../../contract/round-view.ts";
import type { SealFinding } from "../../../contract/seal.ts";
import { DIFFERENCES_KEPT } from "../../recheck/place-row.ts";

type Tallied = Exclude<keyof CheckTally, "check" | "clause" | "title">;

/** What a verdict says of itself in several places, which must be one. */
function isOneVerdict({ truth, table, board }: RoundSummary): boolean {
  const sum = (field: Tallied) => table.reduce((total, row) => total + row[field], 0);
  return (
    truth.checks === sum("places") &&
    truth.mismatches === sum("mismatched") &&
    truth.indeterminate === sum("indeterminate") &&
    board.true_mismatches === truth.mismatches + truth.indeterminate
  );
}

/**
 * Whether a verdict and the rows of the diff tell of one round; null where they do. Of a check that is broken very often
 * only the first places are kept, and matching ones only where they are few.
 */
export function disagreement(summary: RoundSummary, counts: readonly PlaceCount[]): SealFinding | null {
  const { truth, table, matches_kept, board } = summary;
  // Nothing was compared: there are no rows, and nothing is claimed.
  if (truth.checks === 0) return null;
  const rows = { matching: 0, differing: 0 };
  for (const { result, count } of counts) rows[result === "match" ? "matching" : "differing"] += count;
  const matched = table.reduce((total, row) => total + row.matched, 0);
  const kept = table.reduce((total, row) => total + Math.min(row.places - row.matched, DIFFERENCES_KEPT), 0);
  const isSame = kept === rows.differing && (!matches_kept || matched === rows.matching);
  if (isSame && isOneVerdict(summary)) return null;
  return {
    kind: "disagree",
    verdict: `${truth.checks} checks with ${truth.mismatches} mismatched and ${truth.indeterminate} indeterminate (${board.true_mismatches ?? "an unknown number of"} differences by its signals)`,
    rows: `${rows.differing} that differ and ${rows.matching} that match`,
  };
}
