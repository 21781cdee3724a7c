import type { AcceptanceCriterion } from "./criterion.ts";
import type { Evidence } from "./evidence.ts";
import { eachReportedGroup, type ReportedGroup } from "./reported-groups.ts";
import { ACCEPTED, NO_REASON, QUEUED, REJECTED, type ReportedRows, wordNumber } from "./reported-rows.ts";

const EXCEEDS_CAPACITY = wordNumber("exceeds_capacity");
const QUEUE_EXPIRED = wordNumber("queue_expired");
const INSUFFICIENT_TOKENS = wordNumber("insufficient_tokens");
const DENYLISTED = wordNumber("denylisted");
const UNKNOWN_TENANT = wordNumber("unknown_tenant");

type Group = Readonly<ReportedGroup>;
/** What is wrong with a group, null where nothing is. */
export type GroupFault = (group: Group, rows: ReportedRows) => string | null;

/** Makes the fault that a criterion looks for in each group of a report, by the criterion's id. */
const FAULTS = new Map<string, (evidence: Evidence) => GroupFault>();
const findingsOfEvidence = new WeakMap<Evidence, Map<string, string>>();

/** What each of these criteria finds first; all groups are made once, and looked at by all of them. */
function groupFindings(evidence: Evidence, rows: ReportedRows): Map<string, string> {
  const known = findingsOfEvidence.get(evidence);
  if (known !== undefined) return known;
  const findings = new Map<string, string>();
  let open = [...FAULTS].map(([id, faultOf]) => ({ id, fault: faultOf(evidence) }));
  eachReportedGroup(evidence, (group) => {
    for (const { id, fault } of open) {
      const found = fault(group, rows);
      if (found === null) continue;
      findings.set(id, found);
      open = open.filter((other) => other.id !== id);
    }
  });
  findingsOfEvidence.set(evidence, findings);
  return findings;
}

/** A criterion that looks at the groups one after the other (see `eachReportedGroup`). */
export function eachGroup(
  id: string,
  group: string,
  clause: string,
  title: string,
  faultOf: (evidence: Evidence) => GroupFault,
): AcceptanceCriterion {
  FAULTS.set(id, faultOf);
  return {
    id,
    group,
    clause,
    title,
    judge: (evidence) =>
      evidence.rows === null ? undefined : (groupFindings(evidence, evidence.rows).get(id) ?? null),
  };
}

/** A fault of a group that one of its members shows, by the place of its row. */
const memberFault =
  (
    isOdd: (place: number, group: Group, rows: ReportedRows) => boolean,
    tell: (place: number, group: Group, rows: ReportedRows) => string,
  ): (() => GroupFault) =>
  () =>
  (group, rows) => {
    for (let member = 0; member < group.members; member++) {
      const place = group.places[member]!;
      if (isOdd(place, group, rows)) return tell(place, group, rows);
    }
    return null;
  };

/** Tells of the group by its first member. */
const ofFirst =
  (words: (group: Group) => string) =>
  (_: number, group: Group, rows: ReportedRows): string =>
    `${rows.idAt(group.places[0]!)} ${words(group)}`;

/** A criterion that looks at each decision by itself, by its place. */
function eachRow(
  id: string,
  group: string,
  clause: string,
  title: string,
  faultOf: (evidence: Evidence, rows: ReportedRows) => (place: number) => boolean,
): AcceptanceCriterion {
  return {
    id,
    group,
    clause,
    title,
    judge: (evidence) => {
      const { rows } = evidence;
      if (rows === null) return undefined;
      const isOdd = faultOf(evidence, rows);
      for (let place = 0; place < rows.count; place++)
        if (isOdd(place))
          return `${rows.idAt(place)}: ${rows.verdictAt(place)}, reason ${rows.reasonAt(place)}, wait ${rows.waitAt(place)}`;
      return null;
    },
  };
}

function isDecidedOtherwise(place: number, { places }: Group, rows: ReportedRows): boolean {
  const first = places[0]!;
  const { verdict, reason, wait, breached } = rows;
  return (
    verdict[place] !== verdict[first] ||
    reason[place] !== reason[first] ||
    breached[place] !== breached[first] ||
    // NaN stands for null, which is the same as null.
    (wait[place] !== wait[first] && !(Number.isNaN(wait[place]) && Number.isNaN(wait[first])))
  );
}

/** Verdicts, reasons and waits that may stand together (§3.4, §3.6). */
function fitsTogether(rows: ReportedRows, place: number, grace_ms: number): boolean {
  const verdict = rows.verdict[place]!;
  const reason = rows.reason[place]!;
  const wait_ms = rows.wait[place]!;
  if (verdict === ACCEPTED) return reason === NO_REASON && wait_ms === 0;
  if (rows.breached[place] === 1) return false;
  const isNull = Number.isNaN(wait_ms);
  // §3.3: whole milliseconds, at least one, since what is not accepted needs more than the balance.
  if (!isNull && !(Number.isSafeInteger(wait_ms) && wait_ms > 0)) return false;
  const isWithinGrace = !isNull && wait_ms <= grace_ms;
  if (verdict === QUEUED) return reason === NO_REASON && isWithinGrace;
  if (verdict !== REJECTED) return false;
  if (reason === INSUFFICIENT_TOKENS) return isWithinGrace;
  if (reason === QUEUE_EXPIRED) return !isWithinGrace;
  return isNull && (reason === EXCEEDS_CAPACITY || reason === DENYLISTED || reason === UNKNOWN_TENANT);
}

/** Of each tenant that the report names, the reason for which it is not served; NO_REASON where it is. */
const unservedReasons = (evidence: Evidence, { tenantNames }: ReportedRows): Uint16Array =>
  Uint16Array.from(tenantNames, (name) => {
    if (evidence.tenantOf(name) !== undefined) return NO_REASON;
    return evidence.isDenied(name) ? DENYLISTED : UNKNOWN_TENANT;
  });

const exceeds = ({ required, of }: Group): boolean => required > of.amounts.capacity;

export const groupCriteria: AcceptanceCriterion[] = [
  eachGroup(
    "groups.whole",
    "groups",
    "§3.1",
    "Members of a group share one verdict",
    memberFault(
      isDecidedOtherwise,
      (place, { places }, rows) => `${rows.idAt(place)} is decided otherwise than ${rows.idAt(places[0]!)}`,
    ),
  ),
  eachRow(
    "waits.fit",
    "queueing",
    "§3.4",
    "Verdicts, reasons and waits go together",
    ({ contract: { grace_ms } }, rows) =>
      (place) =>
        !fitsTogether(rows, place, grace_ms),
  ),
  eachGroup(
    "queue.soft",
    "queueing",
    "§3.4",
    "Only groups whose members are all soft are queued",
    memberFault(
      (place, { soft }, { verdict }) => !soft && verdict[place] === QUEUED,
      ofFirst(() => "is queued, one is hard"),
    ),
  ),
  eachGroup(
    "queue.hard",
    "queueing",
    "§3.4",
    "A group of soft members does not lack tokens only",
    memberFault(
      (place, { soft }, { reason }) => soft && reason[place] === INSUFFICIENT_TOKENS,
      ofFirst(() => "is soft and rejected for insufficient tokens"),
    ),
  ),
  eachGroup(
    "queue.capacity",
    "queueing",
    "§3.4",
    "What exceeds the capacity is never queued",
    memberFault(
      (place, group, { verdict }) => verdict[place] === QUEUED && exceeds(group),
      ofFirst(() => "is queued and exceeds the capacity"),
    ),
  ),
  eachGroup(
    "reject.capacity",
    "queueing",
    "§3.4",
    "What exceeds the capacity, and only that, is rejected for it",
    memberFault(
      (place, group, { verdict, reason }) =>
        (reason[place] === EXCEEDS_CAPACITY) !== (verdict[place] === REJECTED && exceeds(group)),
      (place, group, rows) =>
        `${rows.idAt(place)} ${exceeds(group) ? "exceeds" : "does not exceed"} the capacity; its reason is ${rows.reasonAt(place)}`,
    ),
  ),
  eachGroup(
    "reserve.tier",
    "reserve",
    "§3.4",
    "Only guaranteed tiers borrow",
    memberFault(
      (place, { of }, { breached }) => !of.isGuaranteed && breached[place] === 1,
      ofFirst(({ of }) => `borrows in the tier ${of.tenant.tier}`),
    ),
  ),
  eachGroup(
    "accept.capacity",
    "reserve",
    "§3.4",
    "What exceeds the capacity is accepted only by borrowing",
    memberFault(
      (place, group, { verdict, breached }) =>
        verdict[place] === ACCEPTED && breached[place] === 0 && exceeds(group),
      ofFirst(() => "exceeds the capacity and is accepted without a breach"),
    ),
  ),
  eachRow(
    "denylist.rejected",
    "denylist",
    "§3.6",
    "Who is not served is rejected with the reason",
    (evidence, rows) => {
      const reasons = unservedReasons(evidence, rows);
      return (place) => {
        const reason = rows.reason[place];
        const due = reasons[rows.tenant[place]!]!;
        if (due === NO_REASON) return reason === DENYLISTED || reason === UNKNOWN_TENANT;
        return reason !== due || rows.verdict[place] !== REJECTED;
      };
    },
  ),
];
