import type { GroupRow, GroupRows } from "../../contract/group.ts";
import { MadeRows } from "../../contract/rows.ts";
import type { Lane } from "./bucket-columns.ts";
import { STEP } from "./decide-groups.ts";
import type { RoundOutcome } from "./decide-round.ts";
import { reasonOf, verdictOf, waitOrNull } from "./verdict.ts";

/** The places of each group's members in the dispatch order: those of group g from `starts[g]` to `starts[g + 1]`. */
function membersOf({ groups, order }: RoundOutcome): { starts: Uint32Array; places: Uint32Array } {
  // First where each group ends; filled from the last place to the first, that becomes where it starts.
  const starts = new Uint32Array(groups.count + 1);
  for (let group = 0; group < groups.count; group++)
    starts[group] = (starts[group - 1] ?? 0) + groups.members[group]!;
  starts[groups.count] = order.length;
  const places = new Uint32Array(order.length);
  for (let place = order.length - 1; place >= 0; place--) {
    const group = groups.ofDispatched[place]!;
    starts[group]! -= 1;
    places[starts[group]!] = place;
  }
  return { starts, places };
}

type Laid = Pick<GroupRow, "signed_balance" | "signed_after" | "required" | "wait_ms">;

/** What a group met, needed, left and would have waited (§3.2–3.4): exact, then as the nearest doubles of tokens. */
function layOpen<T extends number | bigint>(
  { arithmetic, unit, rate }: Lane<T>,
  bucket: number,
  step: number,
  signed: T,
  required: T,
): Laid {
  const { tokens, subtract, atLeast, wait_ms } = arithmetic;
  const per = unit[bucket]!;
  return {
    signed_balance: tokens(signed, per),
    // Accepted groups are debited, also those that borrow (§3.1).
    signed_after: tokens(step <= STEP.borrowed ? subtract(signed, required) : signed, per),
    required: tokens(required, per),
    // Also where the group was accepted: that it borrowed shows in it.
    wait_ms: atLeast(signed, required) ? 0 : waitOrNull(wait_ms(subtract(required, signed), rate[bucket]!)),
  };
}

/** Groups as rows, each made when it is asked for: its tenant is known without. */
class EngineGroups extends MadeRows<GroupRow> implements GroupRows {
  readonly tenantOf: (index: number) => string;
  private readonly ofDispatched: Uint32Array;

  constructor(
    length: number,
    make: (index: number) => GroupRow,
    tenantOf: (index: number) => string,
    ofDispatched: Uint32Array,
  ) {
    super(length, make);
    this.tenantOf = tenantOf;
    this.ofDispatched = ofDispatched;
  }

  ofPlace(place: number): GroupRow | undefined {
    return this.at(this.ofDispatched[place] ?? -1);
  }
}

/** Each group's arithmetic, for people to follow. The round must have been decided with a trace. */
export function groupRows(outcome: RoundOutcome): GroupRows {
  const { buckets, groups, decisions, columns, order } = outcome;
  const { trace } = decisions;
  if (trace === null) throw new Error("the round was decided without a trace");
  const { starts, places } = membersOf(outcome);
  const row = (group: number): GroupRow => {
    const bucket = groups.bucket[group]!;
    const step = decisions.step[group]!;
    const laid =
      buckets.isWide[bucket] === 0
        ? layOpen(buckets.numbers, bucket, step, trace.signedNumber[group]!, groups.requiredNumber[group]!)
        : layOpen(buckets.bigints!, bucket, step, trace.signedBigint[group]!, groups.requiredBigint[group]!);
    const req_ids: string[] = [];
    for (let member = starts[group]!; member < starts[group + 1]!; member++)
      req_ids.push(columns.reqId.at(order[places[member]!]!));
    return {
      position: group,
      tenant: buckets.names[bucket]!,
      tier: buckets.tenants[bucket]!.tier,
      time_ms: groups.time_ms[group]!,
      // One by one: fields spread among others are copied by a slower way, and there are millions of groups.
      signed_balance: laid.signed_balance,
      signed_after: laid.signed_after,
      required: laid.required,
      wait_ms: laid.wait_ms,
      step,
      verdict: verdictOf(step),
      reason: reasonOf(step),
      reserve_breached: decisions.breached[group] === 1,
      req_ids,
    };
  };
  const tenantOf = (group: number) => buckets.names[groups.bucket[group]!]!;
  return new EngineGroups(groups.count, row, tenantOf, groups.ofDispatched);
}
