import type { Tenant } from "../../contract/policy.ts";
import { type AcceptanceCriterion, firstFault } from "./criterion.ts";
import { type Evidence, micro, openingOf, type Row, tenantName } from "./evidence.ts";

/** A group as the inputs make it (§3.1), with what the report says of its members. */
interface ReportedGroup {
  tenant: Tenant;
  required: bigint;
  soft: boolean;
  rows: Row[];
}

const groupsOfEvidence = new WeakMap<Evidence, ReportedGroup[]>();

/** The groups of everybody who is served, by tenant and time; made once a report. */
function reportedGroups(evidence: Evidence): ReportedGroup[] {
  const known = groupsOfEvidence.get(evidence);
  if (known !== undefined) return known;
  const { columns, contract, rowOf } = evidence;
  const groups = new Map<string, ReportedGroup>();
  columns.reqId.forEach((id, request) => {
    const name = tenantName(evidence, request);
    const tenant = evidence.tenantOf(name);
    const row = rowOf.get(id);
    if (tenant === undefined || row === undefined) return;
    const epoch = Math.floor(columns.arrivalMs[request]! / contract.epoch_ms);
    const key = JSON.stringify(contract.group_by === "epoch" ? [name, epoch] : [id]);
    const group = groups.get(key) ?? { tenant, required: 0n, soft: true, rows: [] };
    group.required += BigInt(columns.costMicro[request]!);
    group.soft &&= columns.soft[request] === 1;
    group.rows.push(row);
    groups.set(key, group);
  });
  const list = [...groups.values()];
  groupsOfEvidence.set(evidence, list);
  return list;
}

/** A criterion that looks at each group by itself. */
function eachGroup(
  id: string,
  group: string,
  clause: string,
  title: string,
  fault: (found: ReportedGroup, evidence: Evidence) => string | null,
): AcceptanceCriterion {
  return {
    id,
    group,
    clause,
    title,
    judge: (evidence) =>
      evidence.rows === null
        ? undefined
        : firstFault(reportedGroups(evidence), (found) => fault(found, evidence)),
  };
}

/** A criterion that looks at each decision by itself. */
function eachRow(
  id: string,
  group: string,
  clause: string,
  title: string,
  fault: (row: Row, evidence: Evidence) => boolean,
): AcceptanceCriterion {
  return {
    id,
    group,
    clause,
    title,
    judge: (evidence) =>
      evidence.rows === null
        ? undefined
        : firstFault(evidence.rows, (row) =>
            fault(row, evidence)
              ? `${row.req_id}: ${row.verdict}, reason ${row.reason}, wait ${row.wait_ms}`
              : null,
          ),
  };
}

const sameVerdict = (a: Row, b: Row) =>
  a.verdict === b.verdict &&
  a.reason === b.reason &&
  a.wait_ms === b.wait_ms &&
  a.reserve_breached === b.reserve_breached;

/** Verdicts, reasons and waits that may stand together (§3.4, §3.6). */
function fitsTogether({ verdict, reason, wait_ms, reserve_breached }: Row, grace_ms: number): boolean {
  if (verdict === "accepted") return reason === null && wait_ms === 0;
  if (reserve_breached) return false;
  const isWithinGrace = wait_ms !== null && Number.isInteger(wait_ms) && wait_ms > 0 && wait_ms <= grace_ms;
  if (verdict === "queued") return reason === null && isWithinGrace;
  if (verdict !== "rejected") return false;
  if (reason === "insufficient_tokens") return isWithinGrace;
  if (reason === "queue_expired") return wait_ms === null || wait_ms > grace_ms;
  return ["exceeds_capacity", "denylisted", "unknown_tenant"].includes(reason ?? "") && wait_ms === null;
}

const isGuaranteed = ({ contract, rankOf }: Evidence, tenant: Tenant): boolean =>
  contract.tiers[rankOf(tenant)]?.guaranteed === true;

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
      required > micro(tenant.capacity) && rows.some(({ verdict }) => verdict === "queued")
        ? `${rows[0]!.req_id} is queued and exceeds the capacity`
        : null,
  ),
  eachGroup(
    "reject.capacity",
    "queueing",
    "§3.4",
    "Only what exceeds the capacity is rejected for it",
    ({ rows, required, tenant }) =>
      required <= micro(tenant.capacity) && rows.some(({ reason }) => reason === "exceeds_capacity")
        ? `${rows[0]!.req_id} does not exceed the capacity`
        : null,
  ),
  eachGroup("reserve.tier", "reserve", "§3.4", "Only guaranteed tiers borrow", (found, evidence) =>
    found.rows.some((row) => row.reserve_breached) && !isGuaranteed(evidence, found.tenant)
      ? `${found.rows[0]!.req_id} borrows in the tier ${found.tenant.tier}`
      : null,
  ),
  eachGroup(
    "accept.capacity",
    "reserve",
    "§3.4",
    "What exceeds the capacity is accepted only by borrowing",
    (found) =>
      found.required > micro(found.tenant.capacity) &&
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
      const reason = evidence.policy.denylist.includes(row.tenant) ? "denylisted" : "unknown_tenant";
      return row.verdict !== "rejected" || row.reason !== reason;
    },
  ),
];

/** §3.2: at time 0 nothing was earned: what the opening balance covers is accepted. Looks at each tenant's first group. */
export const firstGroupCriterion: AcceptanceCriterion = {
  id: "refill.first",
  group: "refill",
  clause: "§3.2",
  title: "A first group at time 0 is met by the opening balance",
  judge: (evidence) => {
    if (evidence.rows === null) return undefined;
    const seen = new Set<string>();
    return firstFault(reportedGroups(evidence), ({ rows, required, tenant }) => {
      const first = rows[0]!;
      const request = evidence.requestOf.get(first.req_id)!;
      const { contract, columns } = evidence;
      const arrival_ms = columns.arrivalMs[request]!;
      const time_ms =
        contract.group_by === "epoch" ? arrival_ms - (arrival_ms % contract.epoch_ms) : arrival_ms;
      if (time_ms !== 0 || contract.group_by === "request" || seen.has(first.tenant)) return null;
      seen.add(first.tenant);
      const isCovered = openingOf(tenant) >= required;
      return isCovered === (first.verdict === "accepted" && !first.reserve_breached)
        ? null
        : `${first.req_id} is ${first.verdict}; the opening balance ${isCovered ? "covers" : "does not cover"} it`;
    });
  },
};
