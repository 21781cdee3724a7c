import type { AcceptanceCriterion } from "./criterion.ts";
import { amountsOf, type Evidence } from "./evidence.ts";
import { type ReportedGroup, reportedGroups } from "./reported-groups.ts";
import type { ReportedRow } from "./reported-rows.ts";

type GroupFault = (found: ReportedGroup, evidence: Evidence) => string | null;

/** The faults that criteria look for in each group, by their criteria. */
const FAULTS = new Map<string, GroupFault>();
const findingsOfEvidence = new WeakMap<Evidence, Map<string, string>>();

/** What each of these criteria finds first; all groups are made once, and looked at by all of them. */
function groupFindings(evidence: Evidence): Map<string, string> {
  const known = findingsOfEvidence.get(evidence);
  if (known !== undefined) return known;
  const findings = new Map<string, string>();
  const open = new Map(FAULTS);
  for (const group of reportedGroups(evidence))
    for (const [id, fault] of open) {
      const found = fault(group, evidence);
      if (found === null) continue;
      findings.set(id, found);
      open.delete(id);
    }
  findingsOfEvidence.set(evidence, findings);
  return findings;
}

/** A criterion that looks at each group by itself. */
export function eachGroup(
  id: string,
  group: string,
  clause: string,
  title: string,
  fault: GroupFault,
): AcceptanceCriterion {
  FAULTS.set(id, fault);
  return {
    id,
    group,
    clause,
    title,
    judge: (evidence) => (evidence.rows === null ? undefined : (groupFindings(evidence).get(id) ?? null)),
  };
}

/** A criterion that looks at each decision by itself. */
function eachRow(
  id: string,
  group: string,
  clause: string,
  title: string,
  fault: (row: ReportedRow, evidence: Evidence) => boolean,
): AcceptanceCriterion {
  return {
    id,
    group,
    clause,
    title,
    judge: (evidence) => {
      const { rows } = evidence;
      if (rows === null) return undefined;
      for (let place = 0; place < rows.count; place++) {
        const row = rows.at(place);
        if (fault(row, evidence))
          return `${row.req_id}: ${row.verdict}, reason ${row.reason}, wait ${row.wait_ms}`;
      }
      return null;
    },
  };
}

const sameVerdict = (a: ReportedRow, b: ReportedRow) =>
  a.verdict === b.verdict &&
  a.reason === b.reason &&
  a.wait_ms === b.wait_ms &&
  a.reserve_breached === b.reserve_breached;

/** Verdicts, reasons and waits that may stand together (§3.4, §3.6). */
function fitsTogether(
  { verdict, reason, wait_ms, reserve_breached }: ReportedRow,
  grace_ms: number,
): boolean {
  if (verdict === "accepted") return reason === null && wait_ms === 0;
  if (reserve_breached) return false;
  // §3.3: whole milliseconds, at least one, since what is not accepted needs more than the balance.
  if (wait_ms !== null && !(Number.isSafeInteger(wait_ms) && wait_ms > 0)) return false;
  const isWithinGrace = wait_ms !== null && wait_ms <= grace_ms;
  if (verdict === "queued") return reason === null && isWithinGrace;
  if (verdict !== "rejected") return false;
  if (reason === "insufficient_tokens") return isWithinGrace;
  if (reason === "queue_expired") return wait_ms === null || wait_ms > grace_ms;
  return ["exceeds_capacity", "denylisted", "unknown_tenant"].includes(reason ?? "") && wait_ms === null;
}

export const groupCriteria: AcceptanceCriterion[] = [
  eachGroup("groups.whole", "groups", "§3.1", "Members of a group share one verdict", ({ rows }) => {
    const odd = rows.find((row) => !sameVerdict(row, rows[0]!));
    return odd === undefined ? null : `${odd.req_id} is decided otherwise than ${rows[0]!.req_id}`;
  }),
  eachRow("waits.fit", "queueing", "§3.4", "Verdicts, reasons and waits go together", (row, { contract }) => {
    return !fitsTogether(row, contract.grace_ms);
  }),
  eachGroup(
    "queue.soft",
    "queueing",
    "§3.4",
    "Only groups whose members are all soft are queued",
    ({ rows, soft }) =>
      !soft && rows.some(({ verdict }) => verdict === "queued")
        ? `${rows[0]!.req_id} is queued, one is hard`
        : null,
  ),
  eachGroup(
    "queue.hard",
    "queueing",
    "§3.4",
    "A group of soft members does not lack tokens only",
    ({ rows, soft }) =>
      soft && rows.some(({ reason }) => reason === "insufficient_tokens")
        ? `${rows[0]!.req_id} is soft and rejected for insufficient tokens`
        : null,
  ),
  eachGroup(
    "queue.capacity",
    "queueing",
    "§3.4",
    "What exceeds the capacity is never queued",
    ({ rows, required, tenant }) =>
      required > amountsOf(tenant).capacity && rows.some(({ verdict }) => verdict === "queued")
        ? `${rows[0]!.req_id} is queued and exceeds the capacity`
        : null,
  ),
  eachGroup(
    "reject.capacity",
    "queueing",
    "§3.4",
    "What exceeds the capacity, and only that, is rejected for it",
    ({ rows, required, tenant }) => {
      const exceeds = required > amountsOf(tenant).capacity;
      const odd = rows.find(
        ({ verdict, reason }) => (reason === "exceeds_capacity") !== (exceeds && verdict === "rejected"),
      );
      if (odd === undefined) return null;
      return `${odd.req_id} ${exceeds ? "exceeds" : "does not exceed"} the capacity; its reason is ${odd.reason}`;
    },
  ),
  eachGroup("reserve.tier", "reserve", "§3.4", "Only guaranteed tiers borrow", (found, evidence) =>
    found.rows.some((row) => row.reserve_breached) && !evidence.isGuaranteed(found.tenant)
      ? `${found.rows[0]!.req_id} borrows in the tier ${found.tenant.tier}`
      : null,
  ),
  eachGroup(
    "accept.capacity",
    "reserve",
    "§3.4",
    "What exceeds the capacity is accepted only by borrowing",
    (found) =>
      found.required > amountsOf(found.tenant).capacity &&
      found.rows.some(({ verdict, reserve_breached }) => verdict === "accepted" && !reserve_breached)
        ? `${found.rows[0]!.req_id} exceeds the capacity and is accepted without a breach`
        : null,
  ),
  eachRow(
    "denylist.rejected",
    "denylist",
    "§3.6",
    "Who is not served is rejected with the reason",
    (row, evidence) => {
      if (evidence.tenantOf(row.tenant) !== undefined)
        return row.reason === "denylisted" || row.reason === "unknown_tenant";
      const reason = evidence.isDenied(row.tenant) ? "denylisted" : "unknown_tenant";
      return row.verdict !== "rejected" || row.reason !== reason;
    },
  ),
];
