import fc from "fast-check";
import { expect, test } from "vitest";
import { type GroupKind, thinGroups as thinned } from "./thin-groups.ts";

const groupsOf = (kinds: GroupKind[]) => kinds.map((kind, at) => ({ kind, at }));
const thinGroups = (groups: ReturnType<typeof groupsOf>, points: number) =>
  thinned(groups.length, (at) => groups[at]!.kind, points).map((at) => groups[at]!);
const kindArbitrary = fc.constantFrom<GroupKind>("breach", "refusal", "other", "other", "other");

test("never more than asked for, in order, first and last kept, nothing made up", () => {
  fc.assert(
    fc.property(
      fc.array(kindArbitrary, { minLength: 1, maxLength: 400 }),
      fc.integer({ min: 5, max: 60 }),
      (kinds, points) => {
        const groups = groupsOf(kinds);
        const kept = thinGroups(groups, points);
        expect(kept.length).toBeLessThanOrEqual(points);
        expect(
          kept.every((group, at) => groups.includes(group) && (at === 0 || kept[at - 1]!.at < group.at)),
        ).toBe(true);
        expect(kept[0]).toBe(groups[0]);
        expect(kept.at(-1)).toBe(groups.at(-1));
        if (groups.length <= points) expect(kept).toEqual(groups);
      },
    ),
  );
});

test("breaches and refusals are all kept while half the room is enough for them", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 0, max: 9_999 }), { maxLength: 49 }),
      fc.constantFrom<GroupKind>("breach", "refusal"),
      (places, kind) => {
        const groups = groupsOf(Array<GroupKind>(10_000).fill("other"));
        for (const place of places) groups[place]!.kind = kind;
        const kept = thinGroups(groups, 100).filter((group) => group.kind === kind);
        expect(kept.map(({ at }) => at)).toEqual([...places].sort((a, b) => a - b));
      },
    ),
  );
});

test("a flood of one kind does not hide another", () => {
  const groups = groupsOf(
    Array.from({ length: 100_000 }, (_, at) =>
      at % 1000 === 7 ? "breach" : at % 50 === 3 ? "other" : "refusal",
    ),
  );
  const kept = thinGroups(groups, 400);
  const count = (kind: GroupKind) => kept.filter((group) => group.kind === kind).length;
  expect(count("breach")).toBe(100);
  expect(count("refusal")).toBeGreaterThan(150);
  expect(count("other")).toBeGreaterThan(50);
});
