import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { CHECKSUM_DIGITS, type Decision, type RoundFigures } from "../../contract/report.ts";

/** Rows hashed at once: large enough to amortise the call, small enough never to hold a giant string. */
const BATCH = 4096;

/** The RFC 8785 text of a value; a value without one (a lone surrogate, NaN) is an error. */
function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("the value has no canonical JSON text");
  return text;
}

/**
 * A decision with its keys in canonical order (by UTF-16 code units): JSON.stringify, which writes strings, integers,
 * booleans and null as RFC 8785 does, then gives the canonical text, and does so several times as fast.
 */
const inCanonicalOrder = (decision: Decision): Decision => ({
  reason: decision.reason,
  req_id: decision.req_id,
  reserve_breached: decision.reserve_breached,
  tenant: decision.tenant,
  verdict: decision.verdict,
  wait_ms: decision.wait_ms,
});

/** The canonical text of an array whose rows JSON.stringify writes canonically, in pieces. */
function* canonicalArray<T>(rows: readonly T[], prepare: (row: T) => T): Generator<string> {
  yield "[";
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = JSON.stringify(rows.slice(start, start + BATCH).map(prepare)).slice(1, -1);
    yield start === 0 ? batch : `,${batch}`;
  }
  yield "]";
}

/** The canonical text of `per_tenant`, keys by UTF-16 code units, in pieces. */
function* canonicalTenants(tenants: RoundFigures["per_tenant"]): Generator<string> {
  let lead = "{";
  for (const name of Object.keys(tenants).sort()) {
    yield `${lead}${canonical(name)}:${canonical(tenants[name])}`;
    lead = ",";
  }
  yield lead === "{" ? "{}" : "}";
}

/** §4: the first 16 hex digits of the SHA-256 of the JCS text; the object's keys are in canonical order here. */
export function checksumOf(figures: RoundFigures): string {
  const hash = createHash("sha256");
  const write = (pieces: Iterable<string>) => {
    for (const piece of pieces) hash.update(piece);
  };
  write([`{"counts":${canonical(figures.counts)},"decisions":`]);
  write(canonicalArray(figures.decisions, inCanonicalOrder));
  write([',"dispatch_order":']);
  write(canonicalArray(figures.dispatch_order, (id) => id));
  write([',"per_tenant":']);
  write(canonicalTenants(figures.per_tenant));
  write([`,"totals":${canonical(figures.totals)}}`]);
  return hash.digest("hex").slice(0, CHECKSUM_DIGITS);
}
