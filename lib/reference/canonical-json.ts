import type { Decision, RoundFigures, TenantReport } from "../../contract/report.ts";
import type { Rows } from "../../contract/rows.ts";

/** SHA-256 as the caller brings it: Node's or a browser's. */
export interface Hasher {
  update(bytes: Uint8Array): void;
  /** 64 hex digits. */
  hex(): string;
}

/** Values as JSON knows them. Objects are walked by their own keys, whatever their names. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

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

/** The canonical text of a decision. There are millions of them, and their keys are known: nothing is sorted. */
export function decisionText(decision: Decision): string {
  const { reason, req_id, reserve_breached, tenant, verdict, wait_ms } = decision;
  const reasonText = reason === null ? "null" : `"${reason}"`;
  return `{"reason":${reasonText},"req_id":${JSON.stringify(req_id)},"reserve_breached":${reserve_breached},"tenant":${JSON.stringify(tenant)},"verdict":"${verdict}","wait_ms":${wait_ms}}`;
}

/** Items whose text is hashed at once: no text of a whole round is ever made. */
const PIECE = 1000;

function writePieces<T>(items: Rows<T>, write: (text: string) => void, text: (item: T) => string): void {
  for (let start = 0; start < items.length; start += PIECE) {
    const piece: string[] = [];
    for (let at = start; at < Math.min(start + PIECE, items.length); at++) piece.push(text(items.at(at)!));
    write((start === 0 ? "" : ",") + piece.join(","));
  }
}

/** §4 `checksum`: 16 hex digits over `{counts, decisions, dispatch_order, per_tenant, totals}`, keys in that order. */
export function checksum(figures: RoundFigures, hasher: Hasher): string {
  const encoder = new TextEncoder();
  const write = (text: string) => hasher.update(encoder.encode(text));
  const { per_tenant } = figures;
  const entry = (tenant: string) =>
    `${JSON.stringify(tenant)}:${canonicalText({ ...(per_tenant[tenant] as TenantReport) })}`;
  write(`{"counts":${canonicalText({ ...figures.counts })},"decisions":[`);
  writePieces(figures.decisions, write, decisionText);
  write('],"dispatch_order":[');
  writePieces(figures.dispatch_order, write, (req_id) => JSON.stringify(req_id));
  write('],"per_tenant":{');
  writePieces(Object.keys(per_tenant).sort(), write, entry);
  write(`},"totals":${canonicalText({ ...figures.totals })}}`);
  return hasher.hex().slice(0, 16);
}
