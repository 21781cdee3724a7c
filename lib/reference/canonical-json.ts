/** SHA-256 as the caller brings it: Node's or a browser's. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** 64 hex digits. */
  hex(): string;
}

/** Values as JSON knows them. Objects are walked by their own keys, whatever their names. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** RFC 8785: keys by UTF-16 code units, strings and numbers as ECMAScript writes them, no white space. */
export function canonicalText(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = value as { readonly [key: string]: Json };
    const keys = Object.keys(members).sort();
    return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalText(members[key]!)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

const PIECE = 1000;

/** Feeds the canonical text of an array to a hasher, in pieces. */
function hashArray(rows: readonly Json[], write: (text: string) => void): void {
  write("[");
  for (let start = 0; start < rows.length; start += PIECE)
    write(
      (start === 0 ? "" : ",") +
        rows
          .slice(start, start + PIECE)
          .map(canonicalText)
          .join(","),
    );
  write("]");
}

/** §4 `checksum` over `{counts, decisions, dispatch_order, per_tenant, totals}`, in that order by RFC 8785. */
export function checksum(
  figures: {
    counts: Json;
    decisions: readonly Json[];
    dispatch_order: readonly Json[];
    per_tenant: Json;
    totals: Json;
  },
  hasher: Hasher,
): string {
  const encoder = new TextEncoder();
  const write = (text: string) => hasher.update(encoder.encode(text));
  write(`{"counts":${canonicalText(figures.counts)},"decisions":`);
  hashArray(figures.decisions, write);
  write(',"dispatch_order":');
  hashArray(figures.dispatch_order, write);
  write(`,"per_tenant":${canonicalText(figures.per_tenant)},"totals":${canonicalText(figures.totals)}}`);
  return hasher.hex().slice(0, 16);
}
