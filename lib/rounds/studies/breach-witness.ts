import type { GroupRow } from "../../../contract/group.ts";
import type { BreachWitness, WitnessStream } from "../../../contract/witness.ts";
import { decideRound } from "../../engine/decide-round.ts";
import { groupRows } from "../../engine/group-rows.ts";
import { contractRules } from "../../engine/rules.ts";
import { recomputeText } from "../run/recompute-text.ts";
import { columnsOf, type ListedRequest, streamText } from "./request-list.ts";
import type { Deciders } from "./showing-stream.ts";
import { type ShrinkBounds, shrinkStream } from "./shrink-stream.ts";

const BOUNDS: ShrinkBounds = { trials: 3000, time_ms: 15_000 };

/** A tenant's groups by the honest rules, in the order of decision. */
function groupsOf({ contract, policy }: Deciders, requests: readonly ListedRequest[]): GroupRow[] {
  return [...groupRows(decideRound(contract, policy, columnsOf(requests), contractRules, true))];
}

/** Whether the honest rules find a breach; without the arithmetic, since it is asked thousands of times. */
function breaks({ contract, policy }: Deciders, requests: readonly ListedRequest[]): boolean {
  return decideRound(contract, policy, columnsOf(requests), contractRules).decisions.breached.includes(1);
}

/** What the reference, which shares no line with the engine, makes of a stream. */
async function referenceGroups(deciders: Deciders, stream: string): Promise<GroupRow[]> {
  const found = await recomputeText(deciders, stream, true);
  return found.ok ? [...found.groups] : [];
}

async function smallestBreaking(
  deciders: Deciders,
  requests: readonly ListedRequest[],
  bounds: ShrinkBounds,
): Promise<WitnessStream> {
  const shrunk = shrinkStream(requests, (some) => breaks(deciders, some), bounds);
  const stream = streamText(shrunk.requests);
  const groups = await referenceGroups(deciders, stream);
  const engine = groupsOf(deciders, shrunk.requests);
  return {
    requests: shrunk.requests.length,
    stream,
    groups,
    confirmed:
      groups.some(({ reserve_breached }) => reserve_breached) &&
      JSON.stringify(groups) === JSON.stringify(engine),
    is_minimal: shrunk.is_minimal,
  };
}

/**
 * The witness of a tenant's first broken reserve: the group, and the smallest stream that still breaks it, shrunk by the
 * engine and confirmed by the reference. Buckets know nothing of each other (§3.2), so only the tenant's requests up to
 * the breach are looked at.
 */
export async function breachWitness(
  deciders: Deciders,
  requests: readonly ListedRequest[],
  tenant: string,
  bounds: ShrinkBounds = BOUNDS,
): Promise<BreachWitness> {
  const own = requests.filter((request) => request.tenant === tenant);
  const groups = groupsOf(deciders, own);
  const first = groups.find(({ reserve_breached }) => reserve_breached) ?? null;
  if (first === null) return { tenant, requests: own.length, first, smallest: null };
  const decided = new Set(groups.slice(0, first.position + 1).flatMap(({ req_ids }) => req_ids));
  const before = own.filter(({ req_id }) => decided.has(req_id));
  return { tenant, requests: own.length, first, smallest: await smallestBreaking(deciders, before, bounds) };
}
