import { type DecimalText, microOf, NumberText } from "../../contract/decimal.ts";
import { type Mode, type RequestColumns, requestSchema } from "../../contract/request.ts";
import { TextColumn } from "../../contract/text-column.ts";

/** A request as a row, its cost as plain decimal text. */
export interface RequestRow {
  req_id: string;
  tenant: string;
  arrival_ms: number;
  cost: DecimalText;
  mode: Mode;
}

/** Columns (§1.3) from rows that are known to be valid. For tests and benchmarks only: rounds read streams by ingest. */
export function columnsFromRows(rows: readonly RequestRow[]): RequestColumns {
  const tenantIndex = new Map<string, number>();
  const columns: RequestColumns = {
    count: rows.length,
    tenantNames: [],
    reqId: TextColumn.of(rows.map(({ req_id }) => req_id)),
    tenant: new Uint32Array(rows.length),
    arrivalMs: Float64Array.from(rows, ({ arrival_ms }) => arrival_ms),
    costMicro: Float64Array.from(rows, ({ cost }) => Number(microOf(cost))),
    soft: Uint8Array.from(rows, ({ mode }) => (mode === "soft" ? 1 : 0)),
  };
  rows.forEach(({ tenant }, request) => {
    let index = tenantIndex.get(tenant);
    if (index === undefined) {
      index = columns.tenantNames.push(tenant) - 1;
      tenantIndex.set(tenant, index);
    }
    columns.tenant[request] = index;
  });
  return columns;
}

/** The same from values as a reader of JSON hands them over; an invalid request is an error. For tests only. */
export function columnsFromValues(values: readonly unknown[]): RequestColumns {
  return columnsFromRows(values.map((value) => requestSchema.parse(value)));
}

/** JSON with numbers kept as their text, so that no digit is lost on the way into a test (§1.4). */
export function parseExact(text: string): unknown {
  const keep = (_key: string, value: unknown, context: { source?: string }): unknown =>
    typeof value === "number" ? new NumberText(context.source!) : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown);
}
