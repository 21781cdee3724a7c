import { byBytes } from "./byte-order.ts";
import { type AcceptanceCriterion, firstFault } from "./criterion.ts";
import { amountsOf, type Evidence } from "./evidence.ts";
import { eachGroup } from "./group-criteria.ts";
import { exactSum, type ReportedGroup, reportedGroups } from "./reported-groups.ts";

const WAIT_MAX = BigInt(Number.MAX_SAFE_INTEGER);

/** Order of the first members of two groups by their ids. */
function byFirstId({ columns, rows }: Evidence, a: ReportedGroup, b: ReportedGroup): number {
  const requestOf = (group: ReportedGroup) => rows!.requestOf[group.rows[0]!.place]!;
  return byBytes(columns.reqId, requestOf(a), requestOf(b));
}

/** Each tenant's first group at time 0, as it is dispatched (§3.5): by arrival and id. */
function* firstGroupsAtZero(evidence: Evidence): Generator<ReportedGroup> {
  let first: ReportedGroup | null = null;
  for (const group of reportedGroups(evidence, 0)) {
    if (first !== null && first.name !== group.name) yield first;
    // By epochs a tenant has one group at time 0; by requests all of these arrive at 0, and the ids decide.
    if (first?.name !== group.name || byFirstId(evidence, group, first) < 0) first = group;
  }
  if (first !== null) yield first;
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

/** Tenants that borrowed at least once, by name. */
function borrowers({ columns, rows }: Evidence): Set<string> {
  const names = new Set<string>();
  for (let request = 0; request < columns.count; request++) {
    const place = rows!.placeOf[request]!;
    if (place >= 0 && rows!.isBreachedAt(place)) names.add(columns.tenantNames[columns.tenant[request]!]!);
  }
  return names;
}

/** §3.2: what a tenant that never borrows has used by any time is at most its opening balance and what it earned. */
function overspending(evidence: Evidence): string | null {
  const exempt = borrowers(evidence);
  let of = "";
  let used: number | bigint = 0;
  for (const { name, tenant, rows, required, time_ms } of reportedGroups(evidence)) {
    if (exempt.has(name)) continue;
    if (name !== of) used = 0;
    of = name;
    if (rows[0]!.verdict !== "accepted") continue;
    used = exactSum(used, required);
    const { opening, earned, per_ms } = amountsOf(tenant);
    if (BigInt(used) * per_ms > opening * per_ms + earned * BigInt(time_ms))
      return `${name} used more by ${time_ms} ms (${rows[0]!.req_id}) than it had and earned`;
  }
  return null;
}

/** §3.3 without debt: nobody waits longer than it takes to earn all that is required. */
function waitFault({ rows, required, tenant }: ReportedGroup, evidence: Evidence): string | null {
  const { earned, per_ms } = amountsOf(tenant);
  if (earned === 0n) {
    const waits = rows.find(({ verdict, wait_ms }) => verdict !== "accepted" && wait_ms !== null);
    return waits === undefined ? null : `${waits.req_id} waits ${waits.wait_ms} ms at the rate 0`;
  }
  // Who does not wait does not wait too long; most do not.
  if (rows.every(({ wait_ms }) => wait_ms === 0)) return null;
  const longest = (BigInt(required) * per_ms + earned - 1n) / earned;
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
