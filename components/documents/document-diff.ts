import { microOf } from "../../contract/decimal.ts";
import { type JsonNode, type JsonObject, jsonOf, memberOf, textOf } from "./json-tree.ts";

/** One difference between two versions of a document. `spelling`: the same number, written otherwise. */
export interface DocumentChange {
  path: string;
  kind: "added" | "removed" | "changed" | "moved" | "spelling";
  before: string;
  after: string;
}

/** What tells the items of a list apart: a tenant's or a tier's name, or a text itself; null where they cannot be. */
function identities(items: readonly JsonNode[]): string[] | null {
  const names = items.map((item) =>
    item.kind === "object"
      ? textOf(memberOf(item, "tenant") ?? memberOf(item, "name"))
      : item.kind === "scalar"
        ? textOf(item)
        : "",
  );
  const isTold = names.every((name) => name !== "") && new Set(names).size === names.length;
  return isTold ? names : null;
}

const isSameNumber = (a: string, b: string): boolean => {
  const [first, second] = [microOf(a), microOf(b)];
  return typeof first === "bigint" && first === second;
};

function* compareMembers(path: string, before: JsonObject, after: JsonObject): Generator<DocumentChange> {
  const keys = new Set([...before.members, ...after.members].map(({ key }) => key));
  for (const key of keys)
    yield* compare(path === "" ? key : `${path}.${key}`, memberOf(before, key), memberOf(after, key));
}

/** Items by their names, in whatever order; only the order of tiers means something: their rank (§1.1). */
function* compareNamed(
  path: string,
  before: Map<string, JsonNode>,
  after: Map<string, JsonNode>,
): Generator<DocumentChange> {
  for (const name of new Set([...before.keys(), ...after.keys()]))
    yield* compare(`${path}[${JSON.stringify(name)}]`, before.get(name), after.get(name));
  if (path !== "tiers") return;
  const [then, now] = [[...before.keys()], [...after.keys()]];
  for (const name of then) {
    const [was, is] = [then.indexOf(name), now.indexOf(name)];
    if (is >= 0 && is !== was)
      yield {
        path: `${path}[${JSON.stringify(name)}]`,
        kind: "moved",
        before: `rank ${was}`,
        after: `rank ${is}`,
      };
  }
}

function* compareItems(
  path: string,
  before: readonly JsonNode[],
  after: readonly JsonNode[],
): Generator<DocumentChange> {
  const [then, now] = [identities(before), identities(after)];
  if (then !== null && now !== null)
    return yield* compareNamed(
      path,
      new Map(then.map((name, at) => [name, before[at]!])),
      new Map(now.map((name, at) => [name, after[at]!])),
    );
  for (let at = 0; at < Math.max(before.length, after.length); at++)
    yield* compare(`${path}[${at}]`, before[at], after[at]);
}

function* compare(
  path: string,
  before: JsonNode | undefined,
  after: JsonNode | undefined,
): Generator<DocumentChange> {
  if (before?.kind === "object" && after?.kind === "object")
    return yield* compareMembers(path, before, after);
  if (before?.kind === "list" && after?.kind === "list")
    return yield* compareItems(path, before.items, after.items);
  const [then, now] = [jsonOf(before), jsonOf(after)];
  if (then === now) return;
  const kind =
    before === undefined
      ? "added"
      : after === undefined
        ? "removed"
        : isSameNumber(then, now)
          ? "spelling"
          : "changed";
  yield { path, kind, before: then, after: now };
}

/** Every field in which two versions differ; layout and the order of members and tenants are no difference. */
export function documentChanges(before: JsonNode, after: JsonNode): DocumentChange[] {
  return [...compare("", before, after)];
}
