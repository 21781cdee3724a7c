import {
  hasUniqueKeys,
  type JsonNode,
  type JsonObject,
  jsonOf,
  memberOf,
  stringNode,
  textOf,
  typedNode,
  withMember,
} from "./json-tree.ts";

export interface TierValues {
  /** Which tier of the document it was read from, by its place; anything else is a new one. */
  from: string;
  name: string;
  guaranteed: boolean;
}

/** A contract as the form edits it: every field is the text that stands in the document. */
export interface ContractValues {
  version: string;
  total_ceiling_per_sec: string;
  epoch_ms: string;
  grace_ms: string;
  group_by: string;
  refill: string;
  /** In order of rank. */
  tiers: TierValues[];
}

const NUMBERS = ["version", "total_ceiling_per_sec", "epoch_ms", "grace_ms"] as const;
const CHOICES = ["group_by", "refill"] as const;
const EMPTY: JsonObject = { kind: "object", members: [] };

const isText = (node: JsonNode | undefined): boolean =>
  node === undefined || (node.kind === "scalar" && node.raw.startsWith('"'));
const isTruth = (node: JsonNode | undefined): boolean =>
  node === undefined || (node.kind === "scalar" && (node.raw === "true" || node.raw === "false"));
const isTier = (node: JsonNode): node is JsonObject =>
  node.kind === "object" && isText(memberOf(node, "name")) && isTruth(memberOf(node, "guaranteed"));

function tiersOf(contract: JsonObject): readonly JsonObject[] | null {
  const tiers = memberOf(contract, "tiers");
  if (tiers === undefined) return [];
  return tiers.kind === "list" && tiers.items.every(isTier) ? (tiers.items as JsonObject[]) : null;
}

/** A contract as values of the form; null where its shape is none that the form can show without losing something. */
export function readContractValues(contract: JsonNode): ContractValues | null {
  if (contract.kind !== "object" || !hasUniqueKeys(contract)) return null;
  const tiers = tiersOf(contract);
  if (tiers === null || !CHOICES.every((key) => isText(memberOf(contract, key)))) return null;
  const number = (key: (typeof NUMBERS)[number]) => jsonOf(memberOf(contract, key));
  return {
    version: number("version"),
    total_ceiling_per_sec: number("total_ceiling_per_sec"),
    epoch_ms: number("epoch_ms"),
    grace_ms: number("grace_ms"),
    group_by: textOf(memberOf(contract, "group_by")),
    refill: textOf(memberOf(contract, "refill")),
    tiers: tiers.map((tier, at) => ({
      from: String(at),
      name: textOf(memberOf(tier, "name")),
      guaranteed: jsonOf(memberOf(tier, "guaranteed")) === "true",
    })),
  };
}

function writeTier(before: JsonObject, { name, guaranteed }: TierValues): JsonObject {
  const named =
    name === textOf(memberOf(before, "name"))
      ? before
      : withMember(before, "name", name === "" ? undefined : stringNode(name));
  const stated = jsonOf(memberOf(before, "guaranteed"));
  // A tier that does not say so is not guaranteed in the form; only a change there says it in the document.
  if (before !== EMPTY && (stated === "true") === guaranteed) return named;
  return withMember(named, "guaranteed", { kind: "scalar", raw: String(guaranteed) });
}

/** The contract that the form was read from, with what was changed in the form, and nothing else. */
export function writeContractValues(contract: JsonNode, values: ContractValues): JsonNode {
  if (contract.kind !== "object") return contract;
  let written = contract;
  for (const key of NUMBERS)
    if (values[key] !== jsonOf(memberOf(contract, key)))
      written = withMember(written, key, values[key] === "" ? undefined : typedNode(values[key]));
  for (const key of CHOICES)
    if (values[key] !== textOf(memberOf(contract, key)))
      written = withMember(written, key, values[key] === "" ? undefined : stringNode(values[key]));
  const before = tiersOf(contract) ?? [];
  const items = values.tiers.map((tier) => writeTier(before[Number(tier.from)] ?? EMPTY, tier));
  const isSame = items.length === before.length && items.every((item, at) => item === before[at]);
  return isSame ? written : withMember(written, "tiers", { kind: "list", items });
}

/** Names of the tiers, in order of rank; empty where the text tells none. */
export function tierNames(contract: JsonNode | null): string[] {
  const tiers = contract?.kind === "object" ? memberOf(contract, "tiers") : undefined;
  if (tiers?.kind !== "list") return [];
  return tiers.items.flatMap((tier) => (tier.kind === "object" ? [textOf(memberOf(tier, "name"))] : []));
}
