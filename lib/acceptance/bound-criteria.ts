import type { AcceptanceCriterion } from "./criterion.ts";
import type { Evidence } from "./evidence.ts";
import { type Exact, exactCeiling, exactProduct, exactSum } from "./exact.ts";
import { eachGroup, type GroupFault } from "./group-criteria.ts";
import type { ReportedGroup } from "./reported-groups.ts";
import { ACCEPTED, type ReportedRows, wordNumber } from "./reported-rows.ts";

type Group = Readonly<ReportedGroup>;

const EXCEEDS_CAPACITY = wordNumber("exceeds_capacity");

/** §3.2, §3.4: at time 0 nothing was earned, so the opening balance alone tells whether the first group is accepted. */
function openingFault({ of, places, required }: Group, rows: ReportedRows): string | null {
  const place = places[0]!;
  const { opening, reserve } = of.amounts;
  const isBreached = rows.breached[place] === 1;
  const isCovered = opening >= required;
  const borrows = !isCovered && of.isGuaranteed && opening >= reserve;
  return (rows.verdict[place] === ACCEPTED) === (isCovered || borrows) && isBreached === borrows
    ? null
    : `${rows.idAt(place)} is ${rows.verdictAt(place)}${isBreached ? " with a breach" : ""}; the opening balance ${isCovered ? "covers" : "does not cover"} it${borrows ? ", the reserve lets it through" : ""}`;
}

/** The same of each tenant's first group at time 0, as it is dispatched (§3.5). */
function firstGroupFault({ columns }: Evidence): GroupFault {
  const isSeen = new Uint8Array(columns.tenantNames.length);
  return (group, rows) => {
    if (group.time_ms !== 0 || isSeen[group.of.number] === 1) return null;
    isSeen[group.of.number] = 1;
    return openingFault(group, rows);
  };
}

/** Tenants that borrowed at least once, by number. */
function borrowers({ columns, rows }: Evidence): Uint8Array {
  const borrows = new Uint8Array(columns.tenantNames.length);
  for (let request = 0; request < columns.count; request++) {
    const place = rows!.placeOf[request]!;
    if (place >= 0 && rows!.breached[place] === 1) borrows[columns.tenant[request]!] = 1;
  }
  return borrows;
}

/** §3.2: what a tenant that never borrows has used by any time is at most its opening balance and what it earned. */
function overspending(evidence: Evidence): GroupFault {
  const isExempt = borrowers(evidence);
  const used: Exact[] = evidence.columns.tenantNames.map(() => 0);
  return ({ of: { number, name, amounts }, places, required, time_ms }, rows) => {
    if (rows.verdict[places[0]!] !== ACCEPTED || isExempt[number] === 1) return null;
    const { opening, earned, per_ms } = amounts;
    const sum = exactSum(used[number]!, required);
    used[number] = sum;
    return exactProduct(sum, per_ms) <= exactSum(exactProduct(opening, per_ms), exactProduct(earned, time_ms))
      ? null
      : `${name} used more by ${time_ms} ms (${rows.idAt(places[0]!)}) than it had and earned`;
  };
}

/** Who waits although the rate is 0, so that no time is enough. */
function waitsForNothing({ places, members }: Group, rows: ReportedRows): string | null {
  for (const place of places.subarray(0, members))
    if (rows.verdict[place] !== ACCEPTED && !Number.isNaN(rows.wait[place]))
      return `${rows.idAt(place)} waits ${rows.waitAt(place)} ms at the rate 0`;
  return null;
}

/** §3.3 without debt: nobody waits longer than it takes to earn all that is required. */
const waitFault: GroupFault = (group, rows) => {
  const { of, places, members, required } = group;
  const { earned, per_ms } = of.amounts;
  if (earned === 0) return waitsForNothing(group, rows);
  // A guaranteed tenant may owe what it borrowed, which it waits for as well.
  if (of.isGuaranteed) return null;
  for (let member = 0; member < members; member++) {
    const place = places[member]!;
    const wait_ms = rows.wait[place]!;
    // Who does not wait does not wait too long; most do not.
    if (wait_ms === 0 || rows.reason[place] === EXCEEDS_CAPACITY) continue;
    const longest = exactCeiling(exactProduct(required, per_ms), earned);
    if (typeof longest === "bigint" || wait_ms <= longest) continue;
    return `${rows.idAt(place)} waits ${rows.waitAt(place)}; expected at most ${longest} ms`;
  }
  return null;
};

/** What balances and waits can be at most, known without following a bucket. */
export const boundCriteria: AcceptanceCriterion[] = [
  eachGroup(
    "refill.first",
    "refill",
    "§3.2",
    "A first group at time 0 is met by the opening balance",
    firstGroupFault,
  ),
  eachGroup(
    "refill.earned",
    "refill",
    "§3.2",
    "Without borrowing nobody uses more than it had and earned",
    overspending,
  ),
  eachGroup("waits.bound", "queueing", "§3.3", "Nobody waits longer than the rate can take", () => waitFault),
];
