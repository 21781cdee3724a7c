import type { GroupColumns, GroupRow } from "./group.ts";

/** A group's row put together from its columns: for tests, which compare it with the row that is made of it otherwise. */
export function rowOfColumns(columns: GroupColumns, row: number): GroupRow {
  const wait_ms = columns.wait_ms(row);
  const step = columns.step(row);
  const req_ids: string[] = [];
  for (let member = columns.firstMember(row); member >= 0; member = columns.nextMember(row, member)) {
    const id = columns.idBytes.subarray(columns.idStart(member), columns.idEnd(member));
    req_ids.push(new TextDecoder("utf-8", { ignoreBOM: true }).decode(id));
  }
  if (req_ids.length !== columns.members(row))
    throw new Error(`row ${row} has other members than are counted`);
  return {
    position: columns.position(row),
    tenant: columns.tenants[columns.tenant(row)]!,
    tier: columns.tiers[columns.tenant(row)]!,
    time_ms: columns.time_ms(row),
    signed_balance: columns.signed_balance(row),
    signed_after: columns.signed_after(row),
    required: columns.required(row),
    wait_ms: Number.isNaN(wait_ms) ? null : wait_ms,
    step,
    ...columns.outcome(step),
    reserve_breached: columns.reserve_breached(row),
    req_ids,
  };
}
