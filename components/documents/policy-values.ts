import {
  hasUniqueKeys,
  type JsonList,
  type JsonNode,
  type JsonObject,
  jsonOf,
  memberOf,
  stringNode,
  textOf,
  typedNode,
  withMember,
  withOneOf,
} from "./json-tree.ts";

/** A tenant as the form edits it: every field is the text that stands in the document, empty where it is not there. */
export interface TenantValues {
  /** Which tenant of the document it was read from, by its place; anything else is a new one. */
  from: string;
  tenant: string;
  tier: string;
  capacity: string;
  /** `rate` or `rate_per_sec`: told apart by the slash. */
  rate: string;
  ceiling_units: string;
  opening_tokens: string;
  reserve_tokens: string;
}

export interface PolicyValues {
  tenants: TenantValues[];
  /** One name a line: no name holds a line break (§1.4). */
  denylist: string;
}

const NUMBERS = ["capacity", "ceiling_units", "opening_tokens", "reserve_tokens"] as const;
const EMPTY: JsonObject = { kind: "object", members: [] };

const rateOf = (tenant: JsonObject): string =>
  memberOf(tenant, "rate") === undefined
    ? jsonOf(memberOf(tenant, "rate_per_sec"))
    : textOf(memberOf(tenant, "rate"));
const linesOf = (list: JsonList): string => list.items.map(textOf).join("\n");
const isText = (node: JsonNode | undefined): boolean =>
  node === undefined || (node.kind === "scalar" && node.raw.startsWith('"'));

/** Whether the form can show all of a tenant: its names are texts. */
const isTenant = (node: JsonNode): node is JsonObject =>
  node.kind === "object" && ["tenant", "tier", "rate"].every((key) => isText(memberOf(node, key)));

function tenantsOf(policy: JsonObject): readonly JsonObject[] | null {
  const tenants = memberOf(policy, "tenants");
  if (tenants === undefined) return [];
  return tenants.kind === "list" && tenants.items.every(isTenant) ? (tenants.items as JsonObject[]) : null;
}

function denylistOf(policy: JsonObject): JsonList | null {
  const denylist = memberOf(policy, "denylist") ?? { kind: "list", items: [] };
  return denylist.kind === "list" && denylist.items.every(isText) ? denylist : null;
}

/** A policy as values of the form; null where its shape is none that the form can show without losing something. */
export function readPolicyValues(policy: JsonNode): PolicyValues | null {
  if (policy.kind !== "object" || !hasUniqueKeys(policy)) return null;
  const [tenants, denylist] = [tenantsOf(policy), denylistOf(policy)];
  if (tenants === null || denylist === null) return null;
  return {
    tenants: tenants.map((tenant, at) => ({
      from: String(at),
      tenant: textOf(memberOf(tenant, "tenant")),
      tier: textOf(memberOf(tenant, "tier")),
      capacity: jsonOf(memberOf(tenant, "capacity")),
      rate: rateOf(tenant),
      ceiling_units: jsonOf(memberOf(tenant, "ceiling_units")),
      opening_tokens: jsonOf(memberOf(tenant, "opening_tokens")),
      reserve_tokens: jsonOf(memberOf(tenant, "reserve_tokens")),
    })),
    denylist: linesOf(denylist),
  };
}

function withRate(tenant: JsonObject, rate: string): JsonObject {
  if (rate === rateOf(tenant)) return tenant;
  const value = rate.includes("/") ? stringNode(rate) : typedNode(rate);
  const key = rate.includes("/") ? "rate" : "rate_per_sec";
  return withOneOf(tenant, ["rate", "rate_per_sec"], rate === "" ? [] : [{ key, value }]);
}

/** The tenant with what the form changed, and nothing else: unknown fields, order and spelling stay. */
function writeTenant(before: JsonObject, values: TenantValues): JsonObject {
  let tenant = before;
  for (const key of ["tenant", "tier"] as const)
    if (values[key] !== textOf(memberOf(tenant, key)))
      tenant = withMember(tenant, key, values[key] === "" ? undefined : stringNode(values[key]));
  const setNumber = (key: (typeof NUMBERS)[number]) => {
    if (values[key] !== jsonOf(memberOf(tenant, key)))
      tenant = withMember(tenant, key, values[key] === "" ? undefined : typedNode(values[key]));
  };
  setNumber("capacity");
  tenant = withRate(tenant, values.rate);
  for (const key of NUMBERS.slice(1)) setNumber(key);
  return tenant;
}

/** The policy that the form was read from, with what was changed in the form. */
export function writePolicyValues(policy: JsonNode, values: PolicyValues): JsonNode {
  if (policy.kind !== "object") return policy;
  const before = tenantsOf(policy) ?? [];
  const items = values.tenants.map((tenant) => writeTenant(before[Number(tenant.from)] ?? EMPTY, tenant));
  const isSame = items.length === before.length && items.every((item, at) => item === before[at]);
  const written = isSame ? policy : withMember(policy, "tenants", { kind: "list", items });
  const denylist = denylistOf(policy);
  if (denylist === null || values.denylist === linesOf(denylist)) return written;
  const names = values.denylist.split("\n").filter((name) => name !== "");
  return withMember(written, "denylist", { kind: "list", items: names.map(stringNode) });
}

let newTenants = 0;

/** An empty row. */
export function newTenant(tier: string): TenantValues {
  newTenants += 1;
  return {
    from: `new ${newTenants}`,
    tenant: "",
    tier,
    capacity: "",
    rate: "",
    ceiling_units: "",
    opening_tokens: "",
    reserve_tokens: "",
  };
}
