import { decimalText } from "../../../contract/decimal.ts";
import type { Mode, RequestColumns } from "../../../contract/request.ts";
import { TextColumn } from "../../../contract/text-column.ts";

/** A valid request (§1.3) as a row; its cost in millionths of a token, whole. */
export interface ListedRequest {
  req_id: string;
  tenant: string;
  arrival_ms: number;
  cost_micro: number;
  mode: Mode;
}

/** The requests of columns as rows, in the order of their lines. */
export function listRequests(columns: RequestColumns): ListedRequest[] {
  return Array.from({ length: columns.count }, (_, at) => ({
    req_id: columns.reqId.at(at),
    tenant: columns.tenantNames[columns.tenant[at]!]!,
    arrival_ms: columns.arrivalMs[at]!,
    cost_micro: columns.costMicro[at]!,
    mode: columns.soft[at] === 1 ? "soft" : "hard",
  }));
}

/** Rows as the engine takes them; tenants in order of first appearance. Ids must be unique: they are not looked at. */
export function columnsOf(requests: readonly ListedRequest[]): RequestColumns {
  const tenantIndex = new Map<string, number>();
  const tenant = new Uint32Array(requests.length);
  requests.forEach((request, at) => {
    const index = tenantIndex.get(request.tenant) ?? tenantIndex.size;
    tenantIndex.set(request.tenant, index);
    tenant[at] = index;
  });
  return {
    count: requests.length,
    tenantNames: [...tenantIndex.keys()],
    reqId: TextColumn.of(requests.map(({ req_id }) => req_id)),
    tenant,
    arrivalMs: Float64Array.from(requests, ({ arrival_ms }) => arrival_ms),
    costMicro: Float64Array.from(requests, ({ cost_micro }) => cost_micro),
    soft: Uint8Array.from(requests, ({ mode }) => (mode === "soft" ? 1 : 0)),
  };
}

/** Rows as a canonical stream, one line each (§1.3). */
export function streamText(requests: readonly ListedRequest[]): string {
  return requests
    .map(
      ({ req_id, tenant, arrival_ms, cost_micro, mode }) =>
        `{"req_id": ${JSON.stringify(req_id)}, "tenant": ${JSON.stringify(tenant)}, "arrival_ms": ${arrival_ms}, ` +
        `"cost": ${decimalText(BigInt(cost_micro))}, "mode": "${mode}"}\n`,
    )
    .join("");
}
