import { ARRIVAL_MAX_MS, COST_MAX, NAME_MAX_BYTES } from "../../contract/limits.ts";
import { TEMPLATE } from "../../contract/policy.ts";

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
/** No plain line is longer, in UTF-16 units; others go the exact way at once, whatever they hold. */
const LINE_MAX = 1000;
/** Orders of fields that are tried for a line. */
const ORDERS_KEPT = 4;

/** The expression of plain lines whose fields stand in this order. */
function plainLinePattern(order: readonly Field[]): RegExp {
  const members = order.map((field) => `"${field}" ?: ?${VALUE[field]}`).join(" ?, ?");
  return new RegExp(`^\\{ ?${members} ?\\}\\r?$`);
}

/** A valid request, or null where the line is not of the pattern's order, or its values need judgement. */
function readByPattern(line: string, pattern: RegExp): PlainRequest | null {
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

/** Reads the lines whose form leaves nothing to judge, and learns in which orders a stream has its fields. */
export class PlainLineReader {
  /** The order met last comes first: streams mostly keep one. */
  private readonly forms = [{ order: FIELDS.join(), pattern: plainLinePattern(FIELDS) }];

  /** A valid request read the fast way, or null: then the line must be judged by the exact way. */
  read(line: string): PlainRequest | null {
    if (line.length > LINE_MAX) return null;
    for (const { pattern } of this.forms) {
      const request = readByPattern(line, pattern);
      if (request !== null) return request;
    }
    return null;
  }

  /** Takes note of the order of fields of a valid line that was not plain in any order known so far. */
  learn(keys: readonly string[]): void {
    const order = keys.join();
    if (this.forms.some((form) => form.order === order)) return;
    this.forms.unshift({ order, pattern: plainLinePattern(keys as Field[]) });
    this.forms.length = Math.min(this.forms.length, ORDERS_KEPT);
  }
}
