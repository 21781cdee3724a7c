import type { GroupColumns, GroupRow, GroupRows } from "../../contract/group.ts";
import { MadeRows } from "../../contract/rows.ts";
import type { Column, Lane } from "./bucket-columns.ts";
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

/** What a group met, needed, left and would have waited (§3.2–3.4), as the nearest doubles of tokens; NaN: no wait. */
type Amounts = Pick<GroupColumns, "signed_balance" | "signed_after" | "required" | "wait_ms">;

/** Groups as rows, each made of their columns when it is asked for. */
class EngineGroups extends MadeRows<GroupRow> implements GroupRows {
  private readonly values: GroupColumns;
  private readonly ofDispatched: Uint32Array;

  /** @param idOf the id of a member */
  constructor(
    length: number,
    values: GroupColumns,
    idOf: (member: number) => string,
    ofDispatched: Uint32Array,
  ) {
    super(length, (group) => rowOf(values, group, idOf));
    this.values = values;
    this.ofDispatched = ofDispatched;
  }

  columns(): GroupColumns {
    return this.values;
  }

  ofPlace(place: number): GroupRow | undefined {
    return this.at(this.ofDispatched[place] ?? -1);
  }
}

function rowOf(values: GroupColumns, group: number, idOf: (member: number) => string): GroupRow {
  const tenant = values.tenant(group);
  const step = values.step(group);
  const { verdict, reason } = values.outcome(step);
  const req_ids: string[] = [];
  for (let member = values.firstMember(group); member >= 0; member = values.nextMember(group, member))
    req_ids.push(idOf(member));
  return {
    position: values.position(group),
    tenant: values.tenants[tenant]!,
    tier: values.tiers[tenant]!,
    time_ms: values.time_ms(group),
    signed_balance: values.signed_balance(group),
    signed_after: values.signed_after(group),
    required: values.required(group),
    wait_ms: waitOrNull(values.wait_ms(group)),
    step,
    verdict,
    reason,
    reserve_breached: values.reserve_breached(group),
    req_ids,
  };
}

/** The amounts of a lane's groups: as they are exact, from `signed` and `required`. */
function amountsOf<T extends number | bigint>(
  { arithmetic, unit, rate }: Lane<T>,
  { groups, decisions }: RoundOutcome,
  signed: Column<T>,
  required: Column<T>,
): Amounts {
  const { tokens, subtract, atLeast } = arithmetic;
  const unitOf = (group: number) => unit[groups.bucket[group]!]!;
  return {
    signed_balance: (group) => tokens(signed[group]!, unitOf(group)),
    // Accepted groups are debited, also those that borrow (§3.1).
    signed_after: (group) =>
      tokens(
        decisions.step[group]! <= STEP.borrowed ? subtract(signed[group]!, required[group]!) : signed[group]!,
        unitOf(group),
      ),
    required: (group) => tokens(required[group]!, unitOf(group)),
    // Also where the group was accepted: that it borrowed shows in it.
    wait_ms: (group) =>
      atLeast(signed[group]!, required[group]!)
        ? 0
        : arithmetic.wait_ms(subtract(required[group]!, signed[group]!), rate[groups.bucket[group]!]!),
  };
}

/** Each group's arithmetic, for people to follow. The round must have been decided with a trace. */
export function groupRows(outcome: RoundOutcome): GroupRows {
  const { buckets, groups, decisions, columns, order } = outcome;
  const { trace } = decisions;
  if (trace === null) throw new Error("the round was decided without a trace");
  const { starts, places } = membersOf(outcome);
  const narrow = amountsOf(buckets.numbers, outcome, trace.signedNumber, groups.requiredNumber);
  const wide =
    buckets.bigints === null
      ? narrow
      : amountsOf(buckets.bigints, outcome, trace.signedBigint, groups.requiredBigint);
  const amounts = (group: number) => (buckets.isWide[groups.bucket[group]!] === 0 ? narrow : wide);
  const { bytes: idBytes, starts: idStarts } = columns.reqId;
  const request = (member: number) => order[places[member]!]!;
  const values: GroupColumns = {
    tenants: buckets.names,
    tiers: buckets.tenants.map(({ tier }) => tier),
    position: (group) => group,
    tenant: (group) => groups.bucket[group]!,
    time_ms: (group) => groups.time_ms[group]!,
    signed_balance: (group) => amounts(group).signed_balance(group),
    signed_after: (group) => amounts(group).signed_after(group),
    required: (group) => amounts(group).required(group),
    wait_ms: (group) => amounts(group).wait_ms(group),
    step: (group) => decisions.step[group]!,
    outcome: (step) => ({ verdict: verdictOf(step), reason: reasonOf(step) }),
    reserve_breached: (group) => decisions.breached[group] === 1,
    members: (group) => starts[group + 1]! - starts[group]!,
    firstMember: (group) => starts[group]!,
    nextMember: (group, member) => (member + 1 < starts[group + 1]! ? member + 1 : -1),
    idBytes,
    idStart: (member) => idStarts[request(member)]!,
    idEnd: (member) => idStarts[request(member) + 1]!,
  };
  const idOf = (member: number) => columns.reqId.at(request(member));
  return new EngineGroups(groups.count, values, idOf, groups.ofDispatched);
}
