import type { GroupRows } from "../../../contract/group.ts";
import type { Report } from "../../../contract/report.ts";
import { MODES } from "../../../contract/request.ts";
import type { TenantRow } from "../../../contract/round-view.ts";
import { REASONS, VERDICTS } from "../../../contract/verdicts.ts";
import type { KeptOutcome } from "../../engine/decide-round.ts";
import { codeOf, type SourcedGroup, writeGroup } from "../../store/view-rows.ts";
import type { RowSource, ViewWriter } from "../../store/view-writer.ts";

/** Tenants of a decided round as the pages list them. */
export function* tenantRows(outcome: KeptOutcome, report: Report): Generator<TenantRow> {
  const { buckets, groups, decisions, columns, order } = outcome;
  const groupCount = new Uint32Array(buckets.count);
  const breaches = new Uint32Array(buckets.count);
  // Groups are numbered by their first members: where a number comes first, its group is told.
  for (let place = 0, group = 0; place < order.length; place++) {
    if (groups.ofDispatched[place] !== group) continue;
    const bucket = buckets.ofTenant[columns.tenant[order[place]!]!]!;
    groupCount[bucket]! += 1;
    breaches[bucket]! += decisions.breached[group]!;
    group += 1;
  }
  for (let bucket = 0; bucket < buckets.count; bucket++) {
    const tenant = buckets.names[bucket]!;
    yield {
      tenant,
      ...report.per_tenant[tenant]!,
      tier_rank: buckets.rank[bucket]!,
      guaranteed: buckets.guaranteed[bucket] === 1,
      groups: groupCount[bucket]!,
      breaches: breaches[bucket]!,
    };
  }
}

/**
 * Decisions in the order of the report, with what the stream says of each request. Written column by column: objects
 * for ten million rows would take longer to make than the rows to write.
 */
export function decidedRows(
  writer: ViewWriter,
  outcome: KeptOutcome,
  report: Report,
): RowSource<"decisions"> {
  const { columns, buckets, order, unserved } = outcome;
  const [soft, hard] = [codeOf(MODES, "soft"), codeOf(MODES, "hard")];
  let position = 0;
  return (cells, room) => {
    const rows = Math.min(room, report.decisions.length - position);
    for (let at = 0; at < rows; at++, position++) {
      const { req_id, tenant, verdict, reason, wait_ms, reserve_breached } = report.decisions.at(position)!;
      const isDispatched = position < order.length;
      const request = isDispatched ? order[position]! : unserved[position - order.length]!;
      const bucket = buckets.ofTenant[columns.tenant[request]!]!;
      cells.position.items[at] = position;
      cells.req_id.set(at, req_id);
      cells.tenant.items[at] = writer.numberOf(tenant);
      if (bucket < 0) cells.tier_rank.setNull(at);
      else cells.tier_rank.items[at] = buckets.rank[bucket]!;
      cells.arrival_ms.items[at] = columns.arrivalMs[request]!;
      cells.cost.items[at] = columns.costMicro[request]! / 1e6;
      cells.mode.items[at] = columns.soft[request] === 1 ? soft : hard;
      cells.file_position.items[at] = request;
      if (isDispatched) cells.dispatch_position.items[at] = position;
      else cells.dispatch_position.setNull(at);
      cells.verdict.items[at] = codeOf(VERDICTS, verdict);
      if (reason === null) cells.reason.setNull(at);
      else cells.reason.items[at] = codeOf(REASONS, reason);
      if (wait_ms === null) cells.wait_ms.setNull(at);
      else cells.wait_ms.items[at] = wait_ms;
      cells.reserve_breached.items[at] = reserve_breached ? 1 : 0;
    }
    return rows;
  };
}

/** Rows of groups tenant by tenant, in the order of the tenants' numbers; each tenant's in the order of decision. */
function byTenant(writer: ViewWriter, groups: GroupRows): Uint32Array {
  const next = new Uint32Array(writer.tenants.size + 1);
  const numbers = new Uint32Array(groups.length);
  for (let row = 0; row < groups.length; row++) {
    numbers[row] = writer.numberOf(groups.tenantOf(row));
    next[numbers[row]! + 1]! += 1;
  }
  for (let number = 0; number < writer.tenants.size; number++) next[number + 1]! += next[number]!;
  const sorted = new Uint32Array(groups.length);
  for (let row = 0; row < groups.length; row++) sorted[next[numbers[row]!]!++] = row;
  return sorted;
}

/** The groups of one side, and the order in which they are written. */
interface Side {
  source: SourcedGroup["source"];
  groups: GroupRows;
  sorted: Uint32Array;
}

/**
 * Groups of both sides, those of a tenant together, so that few are read to find them. First the reference's.
 * @param engine makes the engine's when they are needed, which takes as much memory as the reference's
 * @param onReferenceWritten told once no row of the reference's is needed
 */
export function groupsOfBoth(
  writer: ViewWriter,
  reference: GroupRows | null,
  engine: (() => GroupRows) | null,
  onReferenceWritten: () => void,
): RowSource<"groups"> {
  const sideOf = (source: Side["source"], groups: GroupRows): Side => ({
    source,
    groups,
    sorted: byTenant(writer, groups),
  });
  const sides = (function* () {
    if (reference !== null) yield sideOf("reference", reference);
    onReferenceWritten();
    if (engine !== null) yield sideOf("engine", engine());
  })();
  let side: Side | null = null;
  let next = 0;
  return (cells, room) => {
    for (;;) {
      const rows = side === null ? 0 : Math.min(room, side.sorted.length - next);
      for (let at = 0; at < rows; at++, next++)
        writeGroup(writer, cells, at, side!.source, side!.groups.at(side!.sorted[next]!)!);
      if (rows > 0) return rows;
      // What is written is let go before what comes next is made.
      side = null;
      next = 0;
      const { value, done } = sides.next();
      if (done) return 0;
      side = value!;
    }
  };
}
