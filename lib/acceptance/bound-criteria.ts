import { byBytes } from "./byte-order.ts";
import { type AcceptanceCriterion, firstFault } from "./criterion.ts";
import { amountsOf, type Evidence } from "./evidence.ts";
import { eachGroup } from "./group-criteria.ts";
import { type ReportedGroup, reportedGroups } from "./reported-groups.ts";

const WAIT_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Each tenant's first group at time 0, as it is dispatched (§3.5): by arrival and id. */
function firstGroupsAtZero(evidence: Evidence): ReportedGroup[] {
  const firsts = new Map<string, ReportedGroup>();
  for (const group of reportedGroups(evidence)) {
    if (group.time_ms !== 0) continue;
    const known = firsts.get(group.name);
    // By epochs a tenant has one group at time 0; by requests all of these arrive at 0, and the ids decide.
    if (known === undefined || byBytes(group.rows[0]!.req_id, known.rows[0]!.req_id) < 0)
      firsts.set(group.name, group);
  }
  return [...firsts.values()];
}

/** §3.2, §3.4: at time 0 nothing was earned, so the opening balance alone tells whether the first group is accepted. */
function firstGroupFault({ rows, required, tenant }: ReportedGroup, evidence: Evidence): string | null {
  const { req_id, verdict, reserve_breached } = rows[0]!;
  const { opening, reserve } = amountsOf(tenant);
  const isCovered = opening >= required;
  const borrows = !isCovered && evidence.isGuaranteed(tenant) && opening >= reserve;
  return (verdict === "accepted") === (isCovered || borrows) && reserve_breached === borrows
    ? null
    : `${req_id} is ${verdict}${reserve_breached ? " with a breach" : ""}; the opening balance ${isCovered ? "covers" : "does not cover"} it${borrows ? ", the reserve lets it through" : ""}`;
}

/** §3.2: what a tenant that never borrows has used by any time is at most its opening balance and what it earned. */
function overspending(evidence: Evidence): string | null {
  const byTenant = new Map<string, ReportedGroup[]>();
  for (const group of reportedGroups(evidence)) {
    const known = byTenant.get(group.name);
    if (known === undefined) byTenant.set(group.name, [group]);
    else known.push(group);
  }
  return firstFault(byTenant.values(), (groups) => {
    if (groups.some(({ rows }) => rows.some((row) => row.reserve_breached))) return null;
    const { tenant } = groups[0]!;
    const { opening, earned, per_ms } = amountsOf(tenant);
    let used = 0n;
    return firstFault(
      groups.toSorted((a, b) => a.time_ms - b.time_ms),
      ({ rows, required, time_ms, name }) => {
        if (rows[0]!.verdict !== "accepted") return null;
        used += required;
        return used * per_ms > opening * per_ms + earned * BigInt(time_ms)
          ? `${name} used more by ${time_ms} ms (${rows[0]!.req_id}) than it had and earned`
          : null;
      },
    );
  });
}

/** §3.3 without debt: nobody waits longer than it takes to earn all that is required. */
function waitFault({ rows, required, tenant }: ReportedGroup, evidence: Evidence): string | null {
  const { earned, per_ms } = amountsOf(tenant);
  if (earned === 0n) {
    const waits = rows.find(({ verdict, wait_ms }) => verdict !== "accepted" && wait_ms !== null);
    return waits === undefined ? null : `${waits.req_id} waits ${waits.wait_ms} ms at the rate 0`;
  }
  const longest = (required * per_ms + earned - 1n) / earned;
  // A guaranteed tenant may owe what it borrowed, which it waits for as well.
  if (evidence.isGuaranteed(tenant) || longest > WAIT_MAX) return null;
  const odd = rows.find(
    ({ reason, wait_ms }) => reason !== "exceeds_capacity" && (wait_ms === null || wait_ms > Number(longest)),
  );
  return odd === undefined ? null : `${odd.req_id} waits ${odd.wait_ms}; expected at most ${longest} ms`;
}

/** What balances and waits can be at most, known without following a bucket. */
export const boundCriteria: AcceptanceCriterion[] = [
  {
    id: "refill.first",
    group: "refill",
    clause: "§3.2",
    title: "A first group at time 0 is met by the opening balance",
    judge: (evidence) =>
      evidence.rows === null
        ? undefined
        : firstFault(firstGroupsAtZero(evidence), (group) => firstGroupFault(group, evidence)),
  },
  {
    id: "refill.earned",
    group: "refill",
    clause: "§3.2",
    title: "Without borrowing nobody uses more than it had and earned",
    judge: (evidence) => (evidence.rows === null ? undefined : overspending(evidence)),
  },
  eachGroup("waits.bound", "queueing", "§3.3", "Nobody waits longer than the rate can take", waitFault),
];
