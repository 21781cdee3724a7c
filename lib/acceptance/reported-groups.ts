import type { Tenant } from "../../contract/policy.ts";
import type { Evidence } from "./evidence.ts";
import type { ReportedRow } from "./reported-rows.ts";

/** A group as the inputs make it (§3.1), with what the report says of its members. */
export interface ReportedGroup {
  name: string;
  tenant: Tenant;
  /** §3.1, milliseconds since the start of the round. */
  time_ms: number;
  /** Σ cost of the members, in millionths; a big integer where a double is not exact for it. */
  required: number | bigint;
  soft: boolean;
  /** At least one. */
  rows: ReportedRow[];
}

/** Requests by their tenants, in the order of the file, and where each tenant's start. */
function byTenant({ columns }: Evidence): { requests: Uint32Array; starts: Uint32Array } {
  const { count, tenant, tenantNames } = columns;
  const starts = new Uint32Array(tenantNames.length + 1);
  for (let request = 0; request < count; request++) starts[tenant[request]! + 1]! += 1;
  for (let at = 0; at < tenantNames.length; at++) starts[at + 1]! += starts[at]!;
  const next = starts.slice();
  const requests = new Uint32Array(count);
  for (let request = 0; request < count; request++) requests[next[tenant[request]!]!++] = request;
  return { requests, starts };
}

/** Puts requests, given in the order of the file, into that of their arrivals. Mostly they are. */
function sortByArrival(requests: Uint32Array, arrivalMs: Float64Array): void {
  let isSorted = true;
  for (let at = 1; at < requests.length && isSorted; at++)
    isSorted = arrivalMs[requests[at - 1]!]! <= arrivalMs[requests[at]!]!;
  if (!isSorted) requests.sort((a, b) => arrivalMs[a]! - arrivalMs[b]! || a - b);
}

const requestsOfEvidence = new WeakMap<Evidence, ReturnType<typeof byTenant>>();

/** Each tenant's requests by arrival; put in order once a report. */
function arranged(evidence: Evidence): ReturnType<typeof byTenant> {
  const known = requestsOfEvidence.get(evidence);
  if (known !== undefined) return known;
  const found = byTenant(evidence);
  for (let tenant = 0; tenant + 1 < found.starts.length; tenant++)
    sortByArrival(
      found.requests.subarray(found.starts[tenant], found.starts[tenant + 1]),
      evidence.columns.arrivalMs,
    );
  requestsOfEvidence.set(evidence, found);
  return found;
}

/**
 * The groups of everybody who is served and decided, one tenant after the other, by time within each. They are made when
 * they are asked for: ten million of them would not fit.
 * @param latest_ms of their times
 */
export function* reportedGroups(
  evidence: Evidence,
  latest_ms = Number.POSITIVE_INFINITY,
): Generator<ReportedGroup> {
  const { columns, contract, rows: reported } = evidence;
  if (reported === null) return;
  const { requests, starts } = arranged(evidence);
  const isByEpoch = contract.group_by === "epoch";
  for (let number = 0; number < columns.tenantNames.length; number++) {
    const name = columns.tenantNames[number]!;
    const tenant = evidence.tenantOf(name);
    if (tenant === undefined) continue;
    let group: ReportedGroup | null = null;
    for (let at = starts[number]!; at < starts[number + 1]!; at++) {
      const request = requests[at]!;
      const place = reported.placeOf[request]!;
      if (place < 0) continue;
      const arrival_ms = columns.arrivalMs[request]!;
      const time_ms = isByEpoch ? arrival_ms - (arrival_ms % contract.epoch_ms) : arrival_ms;
      if (time_ms > latest_ms) break;
      if (group !== null && (!isByEpoch || group.time_ms !== time_ms)) {
        yield group;
        group = null;
      }
      group ??= { name, tenant, time_ms, required: 0, soft: true, rows: [] };
      group.required = exactSum(group.required, columns.costMicro[request]!);
      group.soft &&= columns.soft[request] === 1;
      group.rows.push(reported.at(place));
    }
    if (group !== null) yield group;
  }
}

/** A sum of whole numbers that is never rounded. */
export function exactSum(sum: number | bigint, amount: number | bigint): number | bigint {
  if (typeof sum === "number" && typeof amount === "number") {
    const both = sum + amount;
    if (both <= Number.MAX_SAFE_INTEGER) return both;
  }
  return BigInt(sum) + BigInt(amount);
}
