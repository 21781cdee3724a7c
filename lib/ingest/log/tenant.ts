import { hash } from "node:crypto";
import { RE2JS } from "re2js";
import type { TenantMapping } from "../../../contract/mapping.ts";
import { nameFault } from "../../../contract/name.ts";
import { TEMPLATE } from "../../../contract/policy.ts";
import { addressOf, clientOf } from "../../gate/client.ts";
import { normalHost, normalPath } from "../../gate/path.ts";

/** A tenant, or why a value is none. */
export type TenantResult = { ok: true; name: string } | { ok: false; reason: string };
type TenantReader = (value: string) => TenantResult;

/** Values whose tenant is remembered: logs repeat themselves. */
const REMEMBERED = 100_000;
/** Hex digits of a key's SHA-256 that stand for it. */
const KEY_DIGITS = 16;

const named = (name: string): TenantResult => {
  const reason = nameFault(name) ?? (name === TEMPLATE ? 'is "*", the template; expected a tenant' : null);
  return reason === null ? { ok: true, name } : { ok: false, reason };
};
const refused = (reason: string): TenantResult => ({ ok: false, reason });

function addressReader({
  v4 = 32,
  v6 = 128,
  hop = "first",
}: {
  v4?: number | undefined;
  v6?: number | undefined;
  hop?: "first" | "last" | undefined;
}): TenantReader {
  return (value) => {
    const hops = value.split(",");
    const address = addressOf((hop === "first" ? hops[0]! : hops[hops.length - 1]!).trim());
    if (address === null) return refused("is no address");
    const bits = address.kind() === "ipv4" ? v4 : v6;
    const network = clientOf(address, { v4, v6 }).value;
    const isWhole = bits === (address.kind() === "ipv4" ? 32 : 128);
    return { ok: true, name: isWhole ? network.slice(0, network.indexOf("/")) : network };
  };
}

/** The path of a request's target, which may be a whole URL, in the gate's normal form. */
export function pathOf(target: string): string {
  return normalPath(target.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/, ""));
}

function captureReader(expression: string): TenantReader {
  const compiled = RE2JS.compile(expression);
  const group = compiled.groupCount() > 0 ? 1 : 0;
  return (value) => {
    const matcher = compiled.matcher(value);
    const found = matcher.find() ? matcher.group(group) : null;
    return found === null || found === "" ? refused("does not fit the expression") : named(found);
  };
}

function readerOf(mapping: TenantMapping): TenantReader {
  switch (mapping.by) {
    case "address":
      return addressReader(mapping);
    case "field":
      return named;
    case "key":
      return (value) => named(`key-${hash("sha256", value, "hex").slice(0, KEY_DIGITS)}`);
    case "host":
      return (value) => named(normalHost(value));
    case "path-segment":
      return (value) => {
        const segment = pathOf(value).split("/")[mapping.segment];
        return segment === undefined || segment === ""
          ? refused(`has no segment ${mapping.segment}`)
          : named(segment);
      };
    case "capture":
      return captureReader(mapping.expression);
  }
}

/** How a mapping finds the tenant in the value of its field; the same values give the same tenants, found once. */
export function tenantReader(mapping: TenantMapping): TenantReader {
  const read = readerOf(mapping);
  const known = new Map<string, TenantResult>();
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const tenant = read(value);
    known.set(value, tenant);
    return tenant;
  };
}
