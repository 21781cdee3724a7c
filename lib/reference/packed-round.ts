import type { GroupRows } from "../../contract/group.ts";
import type { RoundFigures } from "../../contract/report.ts";
import { canonicalPieces } from "./canonical-pieces.ts";
import type { Decided, Judged } from "./decided.ts";
import { openGroups, type PackedGroups } from "./dispatch.ts";
import { figuresOf, type Summary } from "./figures.ts";
import { GroupTrace, noGroups, type PackedTrace } from "./group-trace.ts";
import { type PackedTable, RowTable } from "./row-table.ts";
import { VerdictTable } from "./verdicts.ts";

/** A decided round as plain data: it can be handed from one thread to another, its columns without a copy. */
export interface PackedRound {
  table: PackedTable;
  order: Uint32Array<ArrayBuffer>;
  unserved: Uint32Array<ArrayBuffer>;
  groups: PackedGroups | Float64Array<ArrayBuffer>;
  verdicts: { step: Uint8Array<ArrayBuffer>; wait_ms: Float64Array<ArrayBuffer> };
  bucketOf: Judged["bucketOf"];
  trace: PackedTrace | null;
  summary: Summary;
}

export function packRound(decided: Decided, trace: PackedTrace | null, summary: Summary): PackedRound {
  const { table, order, unserved, groups, verdicts, bucketOf } = decided;
  // One object a tier, not a bucket a tenant: nothing more of them is told.
  const tiers = new Map(decided.buckets.map(({ tier }) => [tier, { tier }]));
  return {
    table: table.pack(),
    order,
    unserved,
    groups: groups.pack(),
    verdicts: { step: verdicts.step, wait_ms: verdicts.wait_ms },
    bucketOf: bucketOf.map((bucket) => (typeof bucket === "string" ? bucket : tiers.get(bucket.tier)!)),
    trace,
    summary,
  };
}

/** The memory of a packed round's columns, which a thread can give away. */
export function memoryOf({ table, order, unserved, groups, verdicts, trace }: PackedRound): ArrayBuffer[] {
  const { ids, id_end, tenant } = table;
  const columns: { buffer: ArrayBuffer }[] = [
    ids,
    id_end,
    tenant,
    order,
    unserved,
    verdicts.step,
    verdicts.wait_ms,
  ];
  if (groups instanceof Float64Array) columns.push(groups);
  else columns.push(groups.group_of, groups.first, groups.time_ms, groups.members, groups.next);
  if (trace !== null) columns.push(trace.signed, trace.after, trace.required, trace.wait_ms);
  return [...new Set(columns.map(({ buffer }) => buffer))];
}

/** A packed round's rows, of which each is made when it is asked for. */
function judgedOf({ table, order, unserved, groups, verdicts, bucketOf }: PackedRound): Judged {
  return {
    table: new RowTable(table),
    order,
    unserved,
    groups: openGroups(groups),
    verdicts: new VerdictTable(verdicts),
    bucketOf,
  };
}

/** §4: the canonical text that the checksum covers, in pieces; each is valid until the next is asked for. */
export function roundText(round: PackedRound): Generator<Uint8Array> {
  return canonicalPieces(judgedOf(round), round.summary);
}

/** What a packed round holds. */
export interface OpenedRound {
  /** Decisions and order are made row by row when they are asked for. */
  figures: RoundFigures;
  /** In the order of decision; empty unless a trace was asked for. */
  groups: GroupRows;
  /** Gives the memory of all rows back at once: of ten million requests it is most of a gigabyte. To ask for a row then is an error. */
  letGo(): void;
}

/** The figures of a packed round, and its groups where a trace was asked for. */
export function openRound(round: PackedRound): OpenedRound {
  const { summary, trace } = round;
  const judged = judgedOf(round);
  // Handed from thread to thread an object has a prototype again: `__proto__` is a tenant like any other (§1.4).
  const per_tenant: Summary["per_tenant"] = Object.assign(Object.create(null), summary.per_tenant);
  const figures = figuresOf(judged, { ...summary, per_tenant });
  const groups = trace === null ? noGroups() : new GroupTrace(trace).rows(judged);
  const letGo = () => {
    for (const rows of [figures.decisions, figures.dispatch_order, groups]) rows.letGo();
    for (const memory of memoryOf(round)) memory.transfer(0);
  };
  return { figures, groups, letGo };
}
