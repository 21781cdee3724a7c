import type { LineProblem } from "../../contract/request.ts";
import { demandIdRoom, RowTable, type TableColumns } from "./row-table.ts";
import type { StreamPart, Stretch } from "./stream-part.ts";

/** What the lines of a stream hold: its valid requests, and what is told of the bad ones, in the order of the lines. */
export interface ReadLines {
  rows: RowTable;
  /** The first hundred (§1.3), and perhaps more. */
  problems: LineProblem[];
  problemCount: number;
}

/** A stretch at its place: where its rows, ids and problems stand in its part, and in the stream. */
interface Placed extends Stretch {
  part: StreamPart;
  fromRow: number;
  fromId: number;
  fromProblem: number;
  idBytes: number;
  toRow: number;
  toId: number;
  linesBefore: number;
}

/** The stretches of a part, one behind the other. */
function stretchesOf(part: StreamPart): Placed[] {
  const { id_end } = part.columns;
  let [fromRow, fromId, fromProblem] = [0, 0, 0];
  return part.stretches.map((stretch) => {
    const end = fromRow + stretch.rows;
    const idBytes = (end === 0 ? 0 : id_end[end - 1]!) - fromId;
    const placed = {
      ...stretch,
      part,
      fromRow,
      fromId,
      fromProblem,
      idBytes,
      toRow: 0,
      toId: 0,
      linesBefore: 0,
    };
    fromRow = end;
    fromId += idBytes;
    fromProblem += stretch.problems;
    return placed;
  });
}

/** The stretches of all parts in the order of the stream. */
function inOrder(parts: readonly StreamPart[]): Placed[] {
  const all = parts.flatMap(stretchesOf).sort((a, b) => a.block - b.block);
  let [toRow, toId, linesBefore] = [0, 0, 0];
  for (const placed of all) {
    Object.assign(placed, { toRow, toId, linesBefore });
    toRow += placed.rows;
    toId += placed.idBytes;
    linesBefore += placed.lines;
  }
  return all;
}

type RowColumn = Exclude<keyof TableColumns, "count" | "names" | "ids">;

/** One column of the stream from those of its parts; `shift` is what a stretch's values are raised by. */
function joined<K extends RowColumn>(
  key: K,
  made: TableColumns[K],
  all: readonly Placed[],
  shift: (placed: Placed) => number = () => 0,
): TableColumns[K] {
  for (const placed of all) {
    const { part, fromRow, rows, toRow } = placed;
    made.set(part.columns[key].subarray(fromRow, fromRow + rows), toRow);
    const by = shift(placed);
    if (by > 0) for (let row = toRow; row < toRow + rows; row++) made[row]! += by;
  }
  release(all, key);
  return made;
}

/** The parts' memory of a column is given back at once: two whole tables would be one too many. */
function release(all: readonly Placed[], key: RowColumn | "ids"): void {
  for (const part of new Set(all.map(({ part }) => part))) part.columns[key].buffer.transfer(0);
}

function joinedIds(all: readonly Placed[], bytes: number): TableColumns["ids"] {
  demandIdRoom(bytes);
  const made = new Uint8Array(bytes);
  for (const { part, fromId, idBytes, toId } of all)
    made.set(part.columns.ids.subarray(fromId, fromId + idBytes), toId);
  release(all, "ids");
  return made;
}

/** Tenants numbered anew, in the order in which they come in the stream. */
function joinedTenants(all: readonly Placed[], count: number): Pick<TableColumns, "tenant" | "names"> {
  const tenant = new Uint32Array(count);
  const names: string[] = [];
  const known = new Map<string, number>();
  const numbersOf = new Map(
    all.map(({ part }) => [part, new Int32Array(part.columns.names.length).fill(-1)]),
  );
  for (const { part, fromRow, rows, toRow } of all) {
    const numbers = numbersOf.get(part)!;
    const { columns } = part;
    for (let at = 0; at < rows; at++) {
      const before = columns.tenant[fromRow + at]!;
      if (numbers[before]! < 0) {
        const name = columns.names[before]!;
        if (!known.has(name)) known.set(name, names.push(name) - 1);
        numbers[before] = known.get(name)!;
      }
      tenant[toRow + at] = numbers[before]!;
    }
  }
  release(all, "tenant");
  return { tenant, names };
}

function joinedColumns(all: readonly Placed[]): TableColumns {
  const last = all.at(-1)!;
  const count = last.toRow + last.rows;
  // Where ids begin is told before the column of their ends is let go.
  const ids = joinedIds(all, last.toId + last.idBytes);
  return {
    count,
    ids,
    ...joinedTenants(all, count),
    id_end: joined("id_end", new Uint32Array(count), all, ({ toId, fromId }) => toId - fromId),
    arrival_ms: joined("arrival_ms", new Float64Array(count), all),
    cost_micro: joined("cost_micro", new Float64Array(count), all),
    soft: joined("soft", new Uint8Array(count), all),
    line: joined("line", new Uint32Array(count), all, ({ linesBefore }) => linesBefore),
  };
}

/**
 * Puts together what readers read of one stream, each some of its blocks. The parts' columns are used up. Each part has
 * its first hundred problems, and so all that are among the first hundred of the stream.
 */
export function joinParts(parts: readonly StreamPart[]): ReadLines {
  const all = inOrder(parts);
  const problems = all.flatMap(({ part, fromProblem, problems, linesBefore }) =>
    part.problems
      .slice(fromProblem, fromProblem + problems)
      .map((problem) => ({ ...problem, line: problem.line + linesBefore })),
  );
  return {
    // What was read in one go has nothing to be joined with.
    rows: all.length < 2 ? new RowTable(all[0]?.part.columns) : new RowTable(joinedColumns(all)),
    problems,
    problemCount: parts.reduce((count, part) => count + part.problemCount, 0),
  };
}
