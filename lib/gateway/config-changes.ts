import { isDeepStrictEqual } from "node:util";
import type { GateChange } from "../../contract/gate-admin.ts";
import type { GateConfig, GateRule, GateService } from "../../contract/gate-config.ts";

type Where = Pick<GateChange, "service" | "rule">;

/** Fields that are lists of things with names of their own, and are compared one by one. */
const LISTS = new Set(["services", "rules"]);

function fieldChanges(before: object, after: object, where: Where): GateChange[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((field) => !LISTS.has(field) && !isDeepStrictEqual(old.get(field), now.get(field)))
    .map((field) => ({
      ...where,
      kind: "changed",
      field,
      before: old.get(field) ?? null,
      after: now.get(field) ?? null,
    }));
}

/** Things of two lists that share a name, in pairs; what only one list has is added or removed, another order is a move. */
function listChanges<T extends object>(
  before: readonly T[],
  after: readonly T[],
  nameOf: (thing: T) => string,
  whereOf: (name: string) => Where,
  within: (old: T, now: T, where: Where) => GateChange[],
): GateChange[] {
  const old = new Map(before.map((thing) => [nameOf(thing), thing]));
  const now = new Map(after.map((thing) => [nameOf(thing), thing]));
  const orderIn = (list: readonly T[], other: Map<string, T>) =>
    list.map(nameOf).filter((name) => other.has(name));
  const [oldOrder, nowOrder] = [orderIn(before, now), orderIn(after, old)];
  const whole = (kind: GateChange["kind"], name: string, before: unknown, after: unknown): GateChange => ({
    ...whereOf(name),
    kind,
    field: null,
    before,
    after,
  });
  return [
    ...before
      .filter((thing) => !now.has(nameOf(thing)))
      .map((thing) => whole("removed", nameOf(thing), thing, null)),
    ...after
      .filter((thing) => !old.has(nameOf(thing)))
      .map((thing) => whole("added", nameOf(thing), null, thing)),
    ...nowOrder.flatMap((name, place) => [
      ...(oldOrder[place] === name ? [] : [whole("moved", name, oldOrder.indexOf(name), place)]),
      ...within(old.get(name)!, now.get(name)!, whereOf(name)),
    ]),
  ];
}

const ruleChanges = (service: string, before: GateService, after: GateService): GateChange[] =>
  listChanges<GateRule>(
    before.rules,
    after.rules,
    ({ id }) => id,
    (rule) => ({ service, rule }),
    fieldChanges,
  );

/**
 * What changes from one configuration to another, both in normal form. The order of services matters, since the first
 * that matches serves a request (G1), so a service in another place is a change.
 */
export function configChanges(before: GateConfig, after: GateConfig): GateChange[] {
  return [
    ...fieldChanges(before, after, { service: null, rule: null }),
    ...listChanges<GateService>(
      before.services,
      after.services,
      ({ name }) => name,
      (service) => ({ service, rule: null }),
      (old, now, where) => [...fieldChanges(old, now, where), ...ruleChanges(now.name, old, now)],
    ),
  ];
}
