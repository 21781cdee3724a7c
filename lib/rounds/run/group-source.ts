import type { GroupColumns, GroupRows } from "../../../contract/group.ts";
import type { NumberCells } from "../../store/view-cells.ts";
import { MEMBERS_KEPT, SOURCES } from "../../store/view-format.ts";
import { codeOf, type SourcedGroup } from "../../store/view-rows.ts";
import type { Cells, RowSource, ViewWriter } from "../../store/view-writer.ts";
import { StepCodes } from "./step-codes.ts";

/** Rows tenant by tenant, in the order of the tenants' numbers; each tenant's in the order of decision. */
function byTenant(
  columns: GroupColumns,
  length: number,
  numbers: Int32Array,
  tenants: number,
): Uint32Array<ArrayBuffer> {
  const next = new Uint32Array(tenants + 1);
  for (let row = 0; row < length; row++) next[numbers[columns.tenant(row)]! + 1]! += 1;
  for (let number = 0; number < tenants; number++) next[number + 1]! += next[number]!;
  const sorted = new Uint32Array(length);
  for (let row = 0; row < length; row++) sorted[next[numbers[columns.tenant(row)]!]!++] = row;
  return sorted;
}

/** The groups of one side, the order in which they are written, and what stands for its words. */
interface Side {
  source: number;
  columns: GroupColumns;
  sorted: Uint32Array<ArrayBuffer>;
  /** Of each of its tenants, the number that the view has for it. */
  numbers: Int32Array;
  steps: StepCodes;
}

function sideOf(writer: ViewWriter, source: SourcedGroup["source"], groups: GroupRows): Side {
  const columns = groups.columns();
  const numbers = Int32Array.from(columns.tenants, (name) => writer.numberOf(name));
  return {
    source: codeOf(SOURCES, source),
    columns,
    sorted: byTenant(columns, groups.length, numbers, writer.tenants.size),
    numbers,
    steps: new StepCodes(columns.outcome),
  };
}

function fillNumbers({ items }: NumberCells, rows: Uint32Array, value: (row: number) => number): void {
  for (let at = 0; at < rows.length; at++) items[at] = value(rows[at]!);
}

/** The members that are kept of each row, as JSON; all are counted. */
function fillMembers(cells: Cells<"groups">, rows: Uint32Array, columns: GroupColumns): void {
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at]!;
    cells.members.items[at] = columns.members(row);
    cells.req_ids.openList();
    let kept = 0;
    for (
      let member = columns.firstMember(row);
      member >= 0 && kept < MEMBERS_KEPT;
      member = columns.nextMember(row, member)
    ) {
      cells.req_ids.addToList(columns.idBytes, columns.idStart(member), columns.idEnd(member));
      kept += 1;
    }
    cells.req_ids.closeList(at);
  }
}

/**
 * Writes rows column by column: those of a tenant lie far apart in the columns that they come from, and what one row waits
 * for is fetched together with what the next ones do.
 */
function fillGroups(
  cells: Cells<"groups">,
  rows: Uint32Array,
  { source, columns, numbers, steps }: Side,
): void {
  cells.source.items.fill(source, 0, rows.length);
  fillNumbers(cells.position, rows, columns.position);
  for (let at = 0; at < rows.length; at++) {
    const tenant = columns.tenant(rows[at]!);
    cells.tenant.items[at] = numbers[tenant]!;
    cells.tier.set(at, columns.tiers[tenant]!);
  }
  fillNumbers(cells.time_ms, rows, columns.time_ms);
  fillNumbers(cells.signed_balance, rows, columns.signed_balance);
  fillNumbers(cells.signed_after, rows, columns.signed_after);
  fillNumbers(cells.required, rows, columns.required);
  for (let at = 0; at < rows.length; at++) {
    const wait_ms = columns.wait_ms(rows[at]!);
    if (Number.isNaN(wait_ms)) cells.wait_ms.setNull(at);
    else cells.wait_ms.items[at] = wait_ms;
  }
  for (let at = 0; at < rows.length; at++) {
    const step = columns.step(rows[at]!);
    const reason = steps.reason(step);
    cells.step.items[at] = step;
    cells.verdict.items[at] = steps.verdict(step);
    if (reason === null) cells.reason.setNull(at);
    else cells.reason.items[at] = reason;
    cells.reserve_breached.items[at] = columns.reserve_breached(rows[at]!) ? 1 : 0;
  }
  fillMembers(cells, rows, columns);
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
  const sides = (function* () {
    if (reference !== null) yield sideOf(writer, "reference", reference);
    onReferenceWritten();
    if (engine !== null) yield sideOf(writer, "engine", engine());
  })();
  let side: Side | null = null;
  let next = 0;
  return (cells, room) => {
    for (;;) {
      const rows = side === null ? 0 : Math.min(room, side.sorted.length - next);
      if (rows > 0) {
        fillGroups(cells, side!.sorted.subarray(next, next + rows), side!);
        next += rows;
        return rows;
      }
      // What is written is let go before what comes next is made: nothing here makes garbage enough to have it looked for.
      side?.sorted.buffer.transfer(0);
      side = null;
      next = 0;
      const { value, done } = sides.next();
      if (done) return 0;
      side = value!;
    }
  };
}
