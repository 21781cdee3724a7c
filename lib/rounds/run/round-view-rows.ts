import type { Report } from "../../../contract/report.ts";
import { MODES } from "../../../contract/request.ts";
import type { TenantRow } from "../../../contract/round-view.ts";
import { REASONS, VERDICTS } from "../../../contract/verdicts.ts";
import type { KeptOutcome } from "../../engine/decide-round.ts";
import { unservedReason } from "../../engine/round-figures.ts";
import { reasonOf, verdictOf } from "../../engine/verdict.ts";
import { codeOf } from "../../store/view-rows.ts";
import type { RowSource, ViewWriter } from "../../store/view-writer.ts";
import { StepCodes } from "./step-codes.ts";

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
 * Decisions in the order of the report, with what the stream says of each request. Written column by column from the
 * columns of the round: objects for ten million rows would take longer to make than the rows to write.
 */
export function decidedRows(writer: ViewWriter, outcome: KeptOutcome): RowSource<"decisions"> {
  const { columns, buckets, groups, decisions, order, unserved } = outcome;
  const numbers = Int32Array.from(columns.tenantNames, (name) => writer.numberOf(name));
  const [soft, hard] = [codeOf(MODES, "soft"), codeOf(MODES, "hard")];
  const steps = new StepCodes((step) => ({ verdict: verdictOf(step), reason: reasonOf(step) }));
  const rejected = codeOf(VERDICTS, "rejected");
  const unservedReasons = columns.tenantNames.map((name) => codeOf(REASONS, unservedReason(outcome, name)));
  const total = order.length + unserved.length;
  let position = 0;
  return (cells, room) => {
    const rows = Math.min(room, total - position);
    for (let at = 0; at < rows; at++, position++) {
      const isDispatched = position < order.length;
      const request = isDispatched ? order[position]! : unserved[position - order.length]!;
      const tenant = columns.tenant[request]!;
      const bucket = buckets.ofTenant[tenant]!;
      cells.position.items[at] = position;
      cells.req_id.setBytes(
        at,
        columns.reqId.bytes,
        columns.reqId.starts[request]!,
        columns.reqId.starts[request + 1]!,
      );
      cells.tenant.items[at] = numbers[tenant]!;
      if (bucket < 0) cells.tier_rank.setNull(at);
      else cells.tier_rank.items[at] = buckets.rank[bucket]!;
      cells.arrival_ms.items[at] = columns.arrivalMs[request]!;
      cells.cost.items[at] = columns.costMicro[request]! / 1e6;
      cells.mode.items[at] = columns.soft[request] === 1 ? soft : hard;
      cells.file_position.items[at] = request;
      if (!isDispatched) {
        cells.dispatch_position.setNull(at);
        cells.verdict.items[at] = rejected;
        cells.reason.items[at] = unservedReasons[tenant]!;
        cells.wait_ms.setNull(at);
        cells.reserve_breached.items[at] = 0;
        continue;
      }
      const group = groups.ofDispatched[position]!;
      const step = decisions.step[group]!;
      const reason = steps.reason(step);
      const wait_ms = decisions.wait_ms[group]!;
      cells.dispatch_position.items[at] = position;
      cells.verdict.items[at] = steps.verdict(step);
      if (reason === null) cells.reason.setNull(at);
      else cells.reason.items[at] = reason;
      if (Number.isNaN(wait_ms)) cells.wait_ms.setNull(at);
      else cells.wait_ms.items[at] = wait_ms;
      cells.reserve_breached.items[at] = decisions.breached[group] === 1 ? 1 : 0;
    }
    return rows;
  };
}
