import type { RoundCard, RoundOutcome, RoundSummary } from "../../contract/round-view.ts";
import type { Store } from "../store/open-store.ts";
import { entryChange } from "../store/row-seal.ts";
import type { RoundRow } from "../store/schema.ts";

/** The part of a summary that the list shows. */
function roundCard(summary: RoundSummary): RoundCard {
  const { counts, requests, tenants, span_ms, board, reference_counts, unserved } = summary;
  return {
    counts,
    requests,
    tenants,
    span_ms,
    board,
    reference_breached: reference_counts.reserve_breached,
    ...(unserved === undefined ? {} : { unknown_requests: unserved.unknown.requests }),
  };
}

/** Clean only where the recomputation is, and every signal says so on evidence (§5.2, §5.4): anything else is not. */
function outcomeOf({ truth, board }: RoundSummary): RoundOutcome {
  if (truth.checks === 0 || truth.status === 3) return "unjudged";
  const isWell = board.signals.every(({ claim, grounded }) => claim === "well" && grounded);
  return truth.status === 0 && isWell ? "clean" : "finding";
}

/** What is noted of a finished round so that the list finds and shows it. */
export function listedFacts(summary: RoundSummary): Partial<RoundRow> {
  return {
    requests: summary.requests,
    false_green: summary.board.false_green ? 1 : 0,
    outcome: outcomeOf(summary),
    card: JSON.stringify(roundCard(summary)),
  };
}

/** Notes what the list needs of rounds that an older version finished. */
export async function listOlderRounds(
  store: Store,
  tenantsOf: (id: string) => Promise<string[]>,
): Promise<void> {
  for (const row of await store.rounds.unlisted()) {
    // One that was changed by hand is noted as nothing.
    if (entryChange(row) !== null) continue;
    await store.rounds.addTenants(row.id, await tenantsOf(row.id));
    await store.rounds.finish(row.id, listedFacts(JSON.parse(row.summary!) as RoundSummary));
  }
}
