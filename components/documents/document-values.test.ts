import fc from "fast-check";
import { expect, test } from "vitest";
import { readContractValues, writeContractValues } from "./contract-values.ts";
import { documentChanges } from "./document-diff.ts";
import { placeProblems } from "./field-problems.ts";
import { printTree, readTree } from "./json-tree.ts";
import { newTenant, readPolicyValues, writePolicyValues } from "./policy-values.ts";

const tree = (text: string) => readTree(text)!;

/** Spellings of numbers, right and wrong, that a file may hold. */
const numberText = fc.constantFrom(
  "5",
  "5.0",
  "1.50e1",
  "-0",
  "0.000001",
  "1e400",
  '"16"',
  "null",
  "123456789012345678901234567890",
);
const name = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "=1+1", "a\u202eb", "🟥", "e\u0301", '"', "*"),
  fc.string({ minLength: 1, maxLength: 8, unit: "grapheme" }),
);
const tenantText = fc
  .record(
    {
      tenant: name.map((text) => JSON.stringify(text)),
      tier: name.map((text) => JSON.stringify(text)),
      capacity: numberText,
      rate_per_sec: numberText,
      rate: fc.constantFrom('"7/3s"', '"5"', '"a\\u002fb"'),
      ceiling_units: numberText,
      opening_tokens: numberText,
      reserve_tokens: numberText,
      owner: fc.constantFrom('{"team": [1, 2.50]}', '"x"'),
    },
    { requiredKeys: [] },
  )
  .chain((fields) => fc.shuffledSubarray(Object.entries(fields), { minLength: Object.keys(fields).length }))
  .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(", ")}}`);
const policyText = fc
  .record({
    tenants: fc.array(tenantText, { maxLength: 6 }),
    denylist: fc.array(name, { maxLength: 4 }),
    note: numberText,
  })
  .map(
    ({ tenants, denylist, note }) =>
      `{"note": ${note}, "denylist": ${JSON.stringify(denylist)}, "tenants": [${tenants.join(",\n")}]}`,
  );

test("what the form does not change stays: unknown fields, order, the spelling of every number", () => {
  fc.assert(
    fc.property(policyText, (text) => {
      const before = tree(text);
      const values = readPolicyValues(before);
      expect(values).not.toBeNull();
      expect(writePolicyValues(before, values!)).toBe(before);
      expect(readTree(printTree(before))).toEqual(before);
    }),
  );
});

test("one field changed is one difference, and reads back as it was typed", () => {
  const keys = [
    "tenant",
    "tier",
    "capacity",
    "rate",
    "ceiling_units",
    "opening_tokens",
    "reserve_tokens",
  ] as const;
  fc.assert(
    fc.property(
      policyText,
      fc.nat(),
      fc.constantFrom(...keys),
      fc.constantFrom("17.500", "9/m", "abc", "1e3"),
      (text, place, key, typed) => {
        const before = tree(text);
        const values = readPolicyValues(before)!;
        if (values.tenants.length === 0) return;
        const at = place % values.tenants.length;
        const changed = {
          ...values,
          tenants: values.tenants.with(at, { ...values.tenants[at]!, [key]: typed }),
        };
        const after = tree(printTree(writePolicyValues(before, changed)));
        const shown = readPolicyValues(after)!.tenants[at]!;
        const isNumber = key !== "tenant" && key !== "tier" && !(key === "rate" && typed.includes("/"));
        expect(shown[key]).toBe(isNumber && Number.isNaN(Number(typed)) ? JSON.stringify(typed) : typed);
        const others = (policy: typeof values) =>
          policy.tenants.map((row, n) => (n === at ? { ...row, [key]: "" } : row));
        expect(others(readPolicyValues(after)!)).toEqual(others(values));
        expect(readPolicyValues(after)!.denylist).toBe(values.denylist);
      },
    ),
  );
});

test("a rate is one field: a number a second, or a text with a slash, in the other's place", () => {
  const before = tree('{"tenants": [{"tenant": "a", "rate_per_sec": 2.50, "capacity": 4}], "denylist": []}');
  const values = readPolicyValues(before)!;
  expect(values.tenants[0]!.rate).toBe("2.50");
  const after = writePolicyValues(before, { ...values, tenants: [{ ...values.tenants[0]!, rate: "7/3s" }] });
  expect(printTree(after)).toContain('{ "tenant": "a", "rate": "7/3s", "capacity": 4 }');
});

test("tenants are added and removed without touching the others", () => {
  const before = tree(
    '{"tenants": [{"tenant": "a", "x": 1.0}, {"tenant": "b", "x": 2.0}], "denylist": ["z"]}',
  );
  const values = readPolicyValues(before)!;
  const added = { ...newTenant("gold"), tenant: "c", capacity: "9", rate: "1", ceiling_units: "1" };
  const after = writePolicyValues(before, { tenants: [values.tenants[1]!, added], denylist: "z\ny" });
  expect(JSON.parse(printTree(after))).toEqual({
    tenants: [
      { tenant: "b", x: 2 },
      { tenant: "c", tier: "gold", capacity: 9, rate_per_sec: 1, ceiling_units: 1 },
    ],
    denylist: ["z", "y"],
  });
  expect(printTree(after)).toContain('"x": 2.0');
});

test("a document that the form could not show whole is left to its text", () => {
  for (const text of [
    "[]",
    '{"tenants": {}}',
    '{"tenants": [5]}',
    '{"tenants": [{"tenant": 5}]}',
    '{"denylist": [1]}',
    '{"tenants": [], "tenants": []}',
    '{"tenants": [{"tier": "a", "tier": "b"}]}',
  ])
    expect(readPolicyValues(tree(text)), text).toBeNull();
  for (const text of ['{"tiers": [{"name": "a", "guaranteed": "yes"}]}', '{"group_by": 5}', '{"tiers": 1}'])
    expect(readContractValues(tree(text)), text).toBeNull();
  expect(readTree('{"a": 1,}')).toBeNull();
});

test("a contract keeps its spelling, and its tiers their order and unknown fields", () => {
  const text =
    '{"grace_ms": 6e4, "version": 1.0, "tiers": [{"guaranteed": true, "name": "a", "note": 1.00}, {"name": "b"}], "x": null}';
  const before = tree(text);
  const values = readContractValues(before)!;
  expect(values).toMatchObject({ grace_ms: "6e4", version: "1.0", epoch_ms: "", refill: "" });
  expect(writeContractValues(before, values)).toBe(before);
  const changed = {
    ...values,
    epoch_ms: "1000",
    tiers: [values.tiers[1]!, { ...values.tiers[0]!, name: "c" }],
  };
  expect(printTree(writeContractValues(before, changed))).toBe(
    '{\n  "grace_ms": 6e4,\n  "version": 1.0,\n  "tiers": [\n    { "name": "b" },\n    { "guaranteed": true, "name": "c", "note": 1.00 }\n  ],\n  "x": null,\n  "epoch_ms": 1000\n}\n',
  );
});

test("a difference is named by tenant, whatever the order; the rank of a tier is one too", () => {
  const changes = (before: string, after: string) => documentChanges(tree(before), tree(after));
  expect(
    changes(
      '{"tenants": [{"tenant": "a", "capacity": 5}, {"tenant": "b"}], "denylist": ["x"]}',
      '{"denylist": ["y"], "tenants": [{"tenant": "c"}, {"capacity": 6, "tenant": "a"}]}',
    ),
  ).toEqual([
    { path: 'tenants["a"].capacity', kind: "changed", before: "5", after: "6" },
    { path: 'tenants["b"]', kind: "removed", before: '{ "tenant": "b" }', after: "" },
    { path: 'tenants["c"]', kind: "added", before: "", after: '{ "tenant": "c" }' },
    { path: 'denylist["x"]', kind: "removed", before: '"x"', after: "" },
    { path: 'denylist["y"]', kind: "added", before: "", after: '"y"' },
  ]);
  expect(
    changes('{"tiers": [{"name": "a"}, {"name": "b"}]}', '{"tiers": [{"name": "b"}, {"name": "a"}]}'),
  ).toEqual([
    { path: 'tiers["a"]', kind: "moved", before: "rank 0", after: "rank 1" },
    { path: 'tiers["b"]', kind: "moved", before: "rank 1", after: "rank 0" },
  ]);
  expect(changes('{"x": 5.0}', '{"x": 5}')).toEqual([
    { path: "x", kind: "spelling", before: "5.0", after: "5" },
  ]);
  expect(changes('{"x": [1, 1]}', '{"x": [1]}')).toEqual([
    { path: "x[1]", kind: "removed", before: "1", after: "" },
  ]);
});

test("each problem stands beside its field, and none is lost", () => {
  const problem = (path: string) => ({ file: "p", path, message: `wrong ${path}` });
  const placed = placeProblems(
    [
      "tenants[2].rate_per_sec",
      "tenants[2].rate",
      "denylist[1]",
      "tenants",
      "tenants[0].__proto__",
      "epoch_ms",
      "tiers[0].name",
      "what[0]",
    ].map(problem),
    (field) => !field.endsWith("__proto__"),
  );
  expect({ ...placed.fields }).toEqual({
    "tenants.2.rate": "wrong tenants[2].rate_per_sec; wrong tenants[2].rate",
    denylist: "name 2 wrong denylist[1]",
    epoch_ms: "wrong epoch_ms",
    "tiers.0.name": "wrong tiers[0].name",
  });
  expect(placed.others.map(({ path }) => path)).toEqual(["tenants", "tenants[0].__proto__", "what[0]"]);
});
