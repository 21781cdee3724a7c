import { NAME_MAX_BYTES } from "../../contract/name.ts";
import { TEMPLATE } from "../../contract/policy.ts";
import { ARRIVAL_MAX_MS, COST_MAX } from "../../contract/request.ts";

/** A request as a plain line states it. `costMicro` in millionths of a token. */
export interface PlainRequest {
  reqId: string;
  tenant: string;
  arrivalMs: number;
  costMicro: number;
  isSoft: boolean;
}

const FIELDS = ["req_id", "tenant", "arrival_ms", "cost", "mode"] as const;
type Field = (typeof FIELDS)[number];

/** Plain values only: no escapes, no exponents, nothing that needs judgement. Everything else goes the exact way. */
const VALUE: Record<Field, string> = {
  req_id: '"(?<req_id>[^"\\\\\\u0000-\\u001f\\u007f]+)"',
  tenant: '"(?<tenant>[^"\\\\\\u0000-\\u001f\\u007f]+)"',
  arrival_ms: "(?<arrival_ms>0|[1-9][0-9]{0,10})",
  cost: "(?<cost>0|[1-9][0-9]{0,9})(?:\\.(?<fraction>[0-9]{1,6}))?",
  mode: '"(?<mode>soft|hard)"',
};

/** UTF-16 units of which no UTF-8 text can be longer than a name may be. */
const SHORT_NAME = NAME_MAX_BYTES / 3;

/** The expression of plain lines whose fields stand in this order. */
export function plainLinePattern(order: readonly Field[]): RegExp {
  const members = order.map((field) => `"${field}" ?: ?${VALUE[field]}`).join(" ?, ?");
  return new RegExp(`^\\{ ?${members} ?\\}\\r?$`);
}

export const CANONICAL_ORDER: readonly Field[] = FIELDS;

/** The order of the fields of a line that has each exactly once; null for any other. */
export function fieldOrder(keys: readonly string[]): readonly Field[] | null {
  const order = keys.filter((key): key is Field => (FIELDS as readonly string[]).includes(key));
  return order.length === FIELDS.length && keys.length === FIELDS.length ? order : null;
}

/** A valid request read the fast way, or null: then the line must be judged by the exact way. */
export function readPlainLine(line: string, pattern: RegExp): PlainRequest | null {
  const groups = pattern.exec(line)?.groups;
  if (groups === undefined) return null;
  const reqId = groups.req_id!;
  const tenant = groups.tenant!;
  const arrivalMs = Number(groups.arrival_ms);
  const costMicro = Number(groups.cost) * 1e6 + Number((groups.fraction ?? "").padEnd(6, "0"));
  const isPlain =
    reqId.length <= SHORT_NAME &&
    tenant.length <= SHORT_NAME &&
    tenant !== TEMPLATE &&
    arrivalMs <= ARRIVAL_MAX_MS &&
    costMicro > 0 &&
    costMicro <= Number(COST_MAX) * 1e6;
  return isPlain ? { reqId, tenant, arrivalMs, costMicro, isSoft: groups.mode === "soft" } : null;
}
