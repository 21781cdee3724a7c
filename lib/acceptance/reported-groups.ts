import type { Tenant } from "../../contract/policy.ts";
import { type Evidence, type Row, tenantName } from "./evidence.ts";

/** A group as the inputs make it (§3.1), with what the report says of its members. */
export interface ReportedGroup {
  name: string;
  tenant: Tenant;
  /** §3.1, milliseconds since the start of the round. */
  time_ms: number;
  /** Σ cost of the members, in millionths. */
  required: bigint;
  soft: boolean;
  /** At least one. */
  rows: Row[];
}

const groupsOfEvidence = new WeakMap<Evidence, ReportedGroup[]>();

/** The groups of everybody who is served, by tenant and time, in the order of the file; made once a report. */
export function reportedGroups(evidence: Evidence): ReportedGroup[] {
  const known = groupsOfEvidence.get(evidence);
  if (known !== undefined) return known;
  const { columns, contract, rowOf } = evidence;
  const groups = new Map<number | string, ReportedGroup>();
  for (let request = 0; request < columns.count; request++) {
    const name = tenantName(evidence, request);
    const tenant = evidence.tenantOf(name);
    const row = rowOf.get(columns.reqId.at(request));
    if (tenant === undefined || row === undefined) continue;
    const arrival_ms = columns.arrivalMs[request]!;
    const isByEpoch = contract.group_by === "epoch";
    const time_ms = isByEpoch ? arrival_ms - (arrival_ms % contract.epoch_ms) : arrival_ms;
    const key = isByEpoch ? `${columns.tenant[request]} ${time_ms}` : request;
    let group = groups.get(key);
    if (group === undefined) {
      group = { name, tenant, time_ms, required: 0n, soft: true, rows: [] };
      groups.set(key, group);
    }
    group.required += BigInt(columns.costMicro[request]!);
    group.soft &&= columns.soft[request] === 1;
    group.rows.push(row);
  }
  const list = [...groups.values()];
  groupsOfEvidence.set(evidence, list);
  return list;
}
