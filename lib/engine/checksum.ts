import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { CHECKSUM_DIGITS, type RoundFigures } from "../../contract/report.ts";

/** Rows hashed at once: large enough to amortise the call, small enough never to hold a giant string. */
const BATCH = 4096;

/** The RFC 8785 text of a value; a value without one (a lone surrogate, NaN) is an error. */
function canonical(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("the value has no canonical JSON text");
  return text;
}

/** The canonical text of an array, in pieces. */
function* canonicalArray(rows: readonly unknown[]): Generator<string> {
  yield "[";
  for (let start = 0; start < rows.length; start += BATCH) {
    const batch = rows
      .slice(start, start + BATCH)
      .map(canonical)
      .join(",");
    yield start === 0 ? batch : `,${batch}`;
  }
  yield "]";
}

/** §4: the first 16 hex digits of the SHA-256 of the JCS text; the object's keys are in canonical order here. */
export function checksumOf(figures: RoundFigures): string {
  const hash = createHash("sha256");
  const write = (pieces: Iterable<string>) => {
    for (const piece of pieces) hash.update(piece);
  };
  write([`{"counts":${canonical(figures.counts)},"decisions":`]);
  write(canonicalArray(figures.decisions));
  write([',"dispatch_order":']);
  write(canonicalArray(figures.dispatch_order));
  write([`,"per_tenant":${canonical(figures.per_tenant)},"totals":${canonical(figures.totals)}}`]);
  return hash.digest("hex").slice(0, CHECKSUM_DIGITS);
}
