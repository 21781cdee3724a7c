/** A clause number anywhere in a text: `§3.2` of the throttle contract, `G4` of the gate's. */
const CLAUSE = /§\d+(?:\.\d+)?|\bG(?:1[0-3]|[1-9])\b/g;

/** Where a clause stands on the page of both contracts. */
export const clauseHref = (clause: string): string =>
  `/contract#${clause.startsWith("§") ? `s${clause.slice(1)}` : clause.toLowerCase()}`;

/** A text cut at its clause numbers; a part is a clause where `href` is not null. */
export function clauseParts(text: string): { text: string; at: number; href: string | null }[] {
  const parts: { text: string; at: number; href: string | null }[] = [];
  let end = 0;
  for (const { 0: clause, index } of text.matchAll(CLAUSE)) {
    if (index > end) parts.push({ text: text.slice(end, index), at: end, href: null });
    parts.push({ text: clause, at: index, href: clauseHref(clause) });
    end = index + clause.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), at: end, href: null });
  return parts;
}
