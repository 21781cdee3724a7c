import { expect, test } from "vitest";
import { canonicalText, type Json } from "./canonical-json.ts";
import { canonicalPieces } from "./canonical-pieces.ts";
import type { Judged } from "./decided.ts";
import { openGroups } from "./dispatch.ts";
import { figuresOf, type Summary } from "./figures.ts";
import { RowTable } from "./row-table.ts";
import { VerdictTable } from "./verdicts.ts";

const encode = (text: string) => new TextEncoder().encode(text);
/** A name of 256 bytes; all but four are escaped. */
const longName = (number: number) => `${1000 + number}${'"\\'.repeat(126)}`;
const TENANTS = 20;
const isServed = (number: number) => number % 5 !== 0;

/** A round of single requests with the longest names; those of every fifth tenant are not served. */
function judged(count: number): Judged {
  const table = new RowTable();
  for (let at = 0; at < count; at++) {
    const id = encode(longName(at));
    const tenant = encode(longName(at % TENANTS));
    const bytes = new Uint8Array([...id, ...tenant]);
    const names = { bytes, id_start: 0, id_end: 256, tenant_start: 256, tenant_end: 512 };
    table.add({ ...names, arrival_ms: at, cost_micro: 1, soft: true }, at + 1);
  }
  const rows = Array.from({ length: count }, (_, at) => at);
  const order = Uint32Array.from(rows.filter(isServed));
  const unserved = Uint32Array.from(rows.filter((row) => !isServed(row)));
  const groups = openGroups(Float64Array.from(order));
  const verdicts = new VerdictTable(order.length);
  verdicts.step.forEach((_, group) => {
    verdicts.step[group] = 1 + (group % 6);
    verdicts.wait_ms[group] = group % 6 === 2 ? Number.NaN : group;
  });
  const bucketOf = table.tenants.map((_, tenant) => (isServed(tenant) ? { tier: "only" } : "denylisted"));
  return { table, order, unserved, groups, verdicts, bucketOf };
}

const tenantRow = {
  ...{ tier: "only", capacity: 1, opening_tokens: 1, closing_tokens: 1, reserve_tokens: 0 },
  ...{ reserve_breached: false, used: 0, accepted: 0, queued: 0, rejected: 0 },
};
const summary: Summary = {
  counts: { accepted: 1, queued: 2, rejected: 3, reserve_breached: 4 },
  totals: { capacity: 5, used: 6, over_capacity: 0 },
  per_tenant: Object.fromEntries(Array.from({ length: 2500 }, (_, at) => [longName(2499 - at), tenantRow])),
};

test("the text is told in pieces of a megabyte without a seam, and no row is too long for a piece (§4)", () => {
  const round = judged(2800);
  const pieces: Buffer[] = [];
  for (const piece of canonicalPieces(round, summary)) pieces.push(Buffer.from(piece));
  const { counts, totals, per_tenant, dispatch_order, decisions } = figuresOf(round, summary);
  const rows = { decisions: [...decisions], dispatch_order: [...dispatch_order] };
  const whole = canonicalText({ counts, totals, per_tenant, ...rows } as unknown as Json);
  expect(`${Buffer.concat(pieces)}` === whole).toBe(true);
  const lengths = pieces.map(({ length }) => length).sort((a, b) => b - a);
  expect(lengths[0]).toBeLessThanOrEqual(2 ** 20);
  // Three of the decisions, one of the order and one of the tenants are full, but for the room of a longest row.
  expect(lengths.filter((length) => length > 2 ** 20 - 2 ** 13)).toHaveLength(5);
  expect(pieces.length).toBeLessThan(15);
});
