import type { GroupRow } from "../../contract/group.ts";
import type { RoundOutcome } from "./decide-round.ts";
import { reasonOf, verdictOf, waitOrNull } from "./verdict.ts";

/** Member ids of every group, in dispatch order. */
function memberIds({ columns, groups, order }: RoundOutcome): string[][] {
  const members: string[][] = Array.from({ length: groups.count }, () => []);
  order.forEach((request, place) => {
    members[groups.ofDispatched[place]!]!.push(columns.reqId.at(request));
  });
  return members;
}

/** Each group's arithmetic, for people to follow. The round must have been decided with a trace. */
export function* groupRows(outcome: RoundOutcome): Generator<GroupRow> {
  const { buckets, groups, decisions } = outcome;
  const { trace } = decisions;
  if (trace === null) throw new Error("the round was decided without a trace");
  const members = memberIds(outcome);
  for (let group = 0; group < groups.count; group++) {
    const bucket = groups.bucket[group]!;
    const step = decisions.step[group]!;
    yield {
      position: group,
      tenant: buckets.names[bucket]!,
      tier: buckets.tenants[bucket]!.tier,
      time_ms: groups.time_ms[group]!,
      signed_balance: trace.signed[group]!,
      signed_after: trace.signedAfter[group]!,
      required: trace.required[group]!,
      wait_ms: waitOrNull(trace.wait_ms[group]!),
      step,
      verdict: verdictOf(step),
      reason: reasonOf(step),
      reserve_breached: decisions.breached[group] === 1,
      req_ids: members[group]!,
    };
  }
}
