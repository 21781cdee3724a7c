import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import type { DecisionRow, GroupView, PlaceRow, TenantRow } from "../../../contract/round-view.ts";

/** Hex digits of a masked name: 48 bits tell a hundred thousand names apart. */
const DIGITS = 12;
const BLOCK_BYTES = 16;
const NOT_FOUND = "not in this round";

/** Where a request stands among the decisions of its round; null where it is not among them. */
export type PositionOf = (req_id: string) => number | null;

/**
 * Names behind masks, the same name always behind the same, for one link: another link's key gives other masks, so two
 * links cannot be laid over each other. A tenant's mask is a keyed hash. A request's is its encrypted place among the
 * decisions, which the server can turn back: so a masked id can be looked for among a million without hashing each.
 */
export class NameMask {
  private readonly key: Buffer;

  /** @param key 64 hex digits */
  constructor(key: string) {
    this.key = Buffer.from(key, "hex");
  }

  tenant(name: string): string {
    return `tenant-${this.digest("tenant", name)}`;
  }

  /** @param position where the request stands among the decisions; null where it is not among them */
  request(req_id: string, position: number | null): string {
    if (position === null) return `req-${this.digest(NOT_FOUND, req_id)}`;
    const block = Buffer.alloc(BLOCK_BYTES);
    block.writeBigUInt64BE(BigInt(position), BLOCK_BYTES / 2);
    const cipher = createCipheriv("aes-256-ecb", this.key, null).setAutoPadding(false);
    return `req-${Buffer.concat([cipher.update(block), cipher.final()]).toString("hex")}`;
  }

  /** The place that a request's mask stands for; null where it is no mask of this link. */
  position(masked: string): number | null {
    const hex = /^req-([0-9a-f]{32})$/.exec(masked)?.[1];
    if (hex === undefined) return null;
    const decipher = createDecipheriv("aes-256-ecb", this.key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(Buffer.from(hex, "hex")), decipher.final()]);
    if (block.readBigUInt64BE(0) !== 0n) return null;
    const position = block.readBigUInt64BE(BLOCK_BYTES / 2);
    return position <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(position) : null;
  }

  /** Any other text that a stranger may have chosen. */
  text(value: string): string {
    return `text-${this.digest("text", value)}`;
  }

  private digest(kind: string, value: string): string {
    return createHmac("sha256", this.key).update(`${kind}\0${value}`).digest("hex").slice(0, DIGITS);
  }
}

export const maskTenantRow = (mask: NameMask, row: TenantRow): TenantRow => ({
  ...row,
  tenant: mask.tenant(row.tenant),
});

export const maskDecision = (mask: NameMask, row: DecisionRow): DecisionRow => ({
  ...row,
  tenant: mask.tenant(row.tenant),
  req_id: mask.request(row.req_id, row.position),
});

export const maskGroup = (mask: NameMask, group: GroupView, positionOf: PositionOf): GroupView => ({
  ...group,
  tenant: mask.tenant(group.tenant),
  req_ids: group.req_ids.map((req_id) => mask.request(req_id, positionOf(req_id))),
});

/** What reports and checks say that no stranger chose. */
const OWN_WORDS = new Set(
  "accepted queued rejected exceeds_capacity queue_expired insufficient_tokens denylisted unknown_tenant decided|decided again|decided once|no such request|not decided|bucket|no bucket|a table|a field|no such field|a text"
    .split("|")
    .flatMap((part) => (part.startsWith("accepted") ? part.split(" ") : [part])),
);
const OWN_FIELDS = new Set(
  "version engine name ok counts totals per_tenant dispatch_order decisions input checksum accepted queued rejected reserve_breached capacity used over_capacity tier opening_tokens closing_tokens reserve_tokens req_id tenant verdict reason wait_ms contract_sha256 policy_sha256 stream_sha256 requests skipped count lines line field length".split(
    " ",
  ),
);
const TENANT_PATH = /^per_tenant\[("(?:[^"\\]|\\.)*")\](.*)$/s;

/** A path with its fields of a stranger's masked. */
function maskFields(mask: NameMask, path: string): string {
  return path
    .split(".")
    .map((part) => {
      const [, name = part, index = ""] = /^([^[\]]*)((?:\[\d+\])?)$/.exec(part) ?? [];
      return name === "" || OWN_FIELDS.has(name) ? part : mask.text(name) + index;
    })
    .join(".");
}

function maskPath(mask: NameMask, path: string): string {
  const [, quoted, rest = ""] = TENANT_PATH.exec(path) ?? [];
  return quoted === undefined
    ? maskFields(mask, path)
    : `per_tenant["${mask.tenant(JSON.parse(quoted) as string)}"]${maskFields(mask, rest)}`;
}

const isOfRequests = (check: string): boolean => check === "dispatch_order" || check === "decisions.order";

/** The requests whose places must be known to mask a place of the diff. */
export function requestsIn({ section, subject, check, reported, expected }: PlaceRow): string[] {
  const named = section === "tenants" || subject === "" ? [] : [subject];
  if (!isOfRequests(check)) return named;
  const values = [reported, expected].map((json): unknown => (json === null ? null : JSON.parse(json)));
  return [...named, ...values.filter((value) => typeof value === "string")];
}

/** A value as JSON: numbers and words of the contract stay, everything else is behind a mask. */
function maskValue(
  mask: NameMask,
  check: string,
  json: string | null,
  tiers: ReadonlySet<string>,
  positionOf: PositionOf,
) {
  if (json === null) return null;
  const value: unknown = JSON.parse(json);
  // A digest of what holds names would confirm guessed ones.
  const isDigest = /^(checksum|input)/.test(check) && typeof value === "string";
  if (isDigest || (typeof value === "object" && value !== null))
    return JSON.stringify("withheld: names are masked");
  if (typeof value !== "string" || OWN_WORDS.has(value)) return json;
  if (check === "decisions.tenant") return JSON.stringify(mask.tenant(value));
  if (isOfRequests(check)) return JSON.stringify(mask.request(value, positionOf(value)));
  if (check === "per_tenant.tier" && tiers.has(value)) return json;
  return JSON.stringify(mask.text(value));
}

/** A place of the diff: what it is about, its path and both values. */
export function maskPlace(
  mask: NameMask,
  place: PlaceRow,
  tiers: ReadonlySet<string>,
  positionOf: PositionOf,
): PlaceRow {
  const { section, subject, check } = place;
  const masked = () =>
    section === "tenants" ? mask.tenant(subject) : mask.request(subject, positionOf(subject));
  const who = subject === "" ? "" : masked();
  return {
    ...place,
    subject: who,
    path: maskPath(mask, place.path),
    reported: maskValue(mask, check, place.reported, tiers, positionOf),
    expected: maskValue(mask, check, place.expected, tiers, positionOf),
  };
}
