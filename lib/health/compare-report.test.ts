import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { healthResultSchema } from "../../contract/health.ts";
import { MadeRows } from "../../contract/rows.ts";
import { CHECK_TABLE } from "./check-table.ts";
import { compareReport, places } from "./compare-report.ts";
import { expected, figures, input, type Loose, problem_state, report } from "./scenario-report.ts";

function judge(change: (copy: Loose) => void, value = report()) {
  change(value);
  return compareReport(value, expected);
}
const issuesOf = (change: (copy: Loose) => void) =>
  judge(change).issues.map(({ check, path, result }) => `${check} ${path} ${result}`);

test("a report that says what is expected is clean; every check was made, each cites its clause", () => {
  const result = compareReport(report(), expected);
  expect(result).toMatchObject({ degraded: false, status: 0, mismatches: 0, indeterminate: 0, issues: [] });
  expect(healthResultSchema.parse(result)).toEqual(result);
  expect(result.table.map(({ check }) => check)).toEqual(CHECK_TABLE.map(({ id }) => id));
  for (const { places: made, matched, clause, check } of result.table) {
    expect([check, made > 0, matched]).toEqual([check, true, made]);
    expect(clause).toMatch(/^§[1-5](\.\d)?$/);
  }
  expect(result.checks).toBe(result.table.reduce((sum, { places: made }) => sum + made, 0));
  expect(new Set(CHECK_TABLE.map(({ id }) => id)).size).toBe(CHECK_TABLE.length);
});

test("every field of §4 that is compared has a place", () => {
  const paths = new Set([...places(report(), expected)].map(({ path }) => path));
  const leaves = (value: unknown, path: string): string[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) =>
          leaves(
            inner,
            Array.isArray(value)
              ? `${path}[${key}]`
              : path === "per_tenant"
                ? `${path}["${key}"]`
                : path === ""
                  ? key
                  : `${path}.${key}`,
          ),
        )
      : [path];
  // The id of a decision is compared as the order of the decisions.
  const wanted = leaves(report(), "").map((path) => path.replace(/\.req_id$/, ""));
  expect(wanted.filter((path) => !paths.has(path))).toEqual([]);
});

test("the problem state is found in every section", () => {
  const { faults: _, ...wrong } = problem_state;
  const found = [...places({ ...report(), ...wrong }, expected)].filter(
    ({ result }) => result === "mismatch",
  );
  expect(new Set(found.map(({ section }) => section))).toEqual(
    new Set(["counts", "totals", "tenants", "decisions", "order", "checksum"]),
  );
});

/** Every leaf of a JSON value, as a way to reach what holds it. */
function holders(value: Loose): [holder: Loose, key: string | number][] {
  return Object.keys(value).flatMap((key) =>
    typeof value[key] === "object" && value[key] !== null
      ? holders(value[key])
      : [[value, key] as [Loose, string]],
  );
}

test("any leaf replaced by any other value is found", () => {
  const size = holders(report()).length;
  fc.assert(
    fc.property(fc.nat(size - 1), fc.jsonValue({ maxDepth: 1 }), (at, replacement) => {
      const copy = report();
      const [holder, key] = holders(copy)[at]!;
      const isFreeText = holder === copy.engine && typeof replacement === "string" && replacement !== "";
      // -0 is 0 (§5.2), and who decided is nobody else's to say.
      if (holder[key] === replacement || isFreeText) return;
      holder[key] = replacement;
      const { status, mismatches, indeterminate } = compareReport(copy, expected);
      expect(status).toBe(2);
      expect(mismatches + indeterminate).toBeGreaterThan(0);
    }),
    { numRuns: 3000 },
  );
});

test("any part left out is found", () => {
  const parts = (value: Loose): [Loose, string][] =>
    Object.keys(value).flatMap((key) => [
      [value, key] as [Loose, string],
      ...(typeof value[key] === "object" && value[key] !== null ? parts(value[key]) : []),
    ]);
  for (let at = 0; at < parts(report()).length; at++) {
    const copy = report();
    const [holder, key] = parts(copy)[at]!;
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    expect([key, compareReport(copy, expected).status]).toEqual([key, 2]);
  }
});

describe("four results (§5.2)", () => {
  test("a value that is absent or of another kind is indeterminate, another value a mismatch", () => {
    expect(issuesOf((copy) => delete copy.counts.queued)).toContain(
      "counts.queued counts.queued indeterminate",
    );
    expect(issuesOf((copy) => (copy.counts.queued = "4"))).toEqual([
      "counts.queued counts.queued indeterminate",
      "ok ok indeterminate",
    ]);
    expect(issuesOf((copy) => (copy.totals.capacity = 38.000000000000007))).toEqual([
      "totals.capacity totals.capacity mismatch",
    ]);
    expect(issuesOf((copy) => (copy.totals.over_capacity = -0))).toEqual([]);
  });

  test("null against a value is a mismatch, a lacking value against null is not", () => {
    expect(issuesOf((copy) => (copy.decisions[0].wait_ms = null))).toEqual([
      "decisions.wait_ms decisions[0].wait_ms mismatch",
    ]);
    expect(issuesOf((copy) => (copy.decisions[0].reason = "queue_expired"))).toEqual([
      "decisions.reason decisions[0].reason mismatch",
    ]);
    expect(issuesOf((copy) => delete copy.decisions[0].reason)).toEqual([
      "decisions.reason decisions[0].reason indeterminate",
    ]);
  });

  test("a list in an object's place is no table, and no pass", () => {
    for (const value of [[], null, "x", 5, undefined])
      expect(issuesOf((copy) => (copy.per_tenant = value))).toEqual(
        expect.arrayContaining([
          "per_tenant.buckets per_tenant indeterminate",
          'per_tenant.buckets per_tenant["t-alpha"] indeterminate',
        ]),
      );
  });

  test("a report without the list of skipped lines does not pass for one with none", () => {
    expect(issuesOf((copy) => delete copy.input.skipped.lines)).toEqual([
      "input input.skipped.lines.length indeterminate",
    ]);
  });

  test("checks not asked for are ignored: neither matched nor counted", () => {
    const ignore = new Set(["totals.used"]);
    const wrong = { ...report(), totals: { ...figures.totals, used: 1 } };
    const result = compareReport(wrong, expected, CHECK_TABLE, { ignore });
    expect(result).toMatchObject({ status: 0, mismatches: 0 });
    expect(result.checks).toBe(compareReport(report(), expected).checks - 1);
    expect(result.table.find(({ check }) => check === "totals.used")).toMatchObject({
      ignored: 1,
      matched: 0,
    });
  });
});

describe("no check is no pass (§5.2, §5.4)", () => {
  test.each([
    ["an empty table", [], {}],
    ["everything ignored", CHECK_TABLE, { ignore: new Set(CHECK_TABLE.map(({ id }) => id)) }],
    ["checks that look at nothing", CHECK_TABLE.map((check) => ({ ...check, findings: () => [] })), {}],
  ])("%s is status 3", (_, table, options) => {
    expect(compareReport(report(), expected, table, options)).toMatchObject({
      degraded: true,
      status: 3,
      checks: 0,
      unavailable: expect.stringContaining("no check"),
    });
  });

  test("skipped lines are never clean, also where everything matches", () => {
    const skipped = { count: 1, lines: [{ line: 3, field: "", reason: "is no UTF-8" }] };
    const skipping = { ...expected, input: { ...input, skipped } };
    const result = compareReport({ ...report(), input: { ...input, skipped } }, skipping);
    expect(result).toMatchObject({ status: 2, degraded: true, mismatches: 0, indeterminate: 0 });
    const silent = compareReport(report(), skipping);
    expect(silent.issues.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        "input.skipped.count",
        "input.skipped.lines.length",
        "input.skipped.lines[0].line",
      ]),
    );
  });

  test("a content checksum that could not be found is not green", () => {
    expect(compareReport(report(), { ...expected, contentChecksum: null })).toMatchObject({
      status: 2,
      indeterminate: 1,
    });
    expect(compareReport(report(), { ...expected, contentChecksum: "0".repeat(16) })).toMatchObject({
      status: 2,
      mismatches: 1,
    });
  });
});

describe("rows", () => {
  test("one row shifted is not a mismatch of every row's fields", () => {
    const { issues } = judge((copy) => copy.decisions.push(copy.decisions.shift()));
    expect(new Set(issues.map(({ check }) => check))).toEqual(new Set(["decisions.order"]));
  });

  test("a row twice, invented, left out, or without an id", () => {
    expect(issuesOf((copy) => copy.decisions.push(copy.decisions[0]))).toContain(
      "decisions.present decisions[17] mismatch",
    );
    expect(issuesOf((copy) => copy.decisions.push({ ...copy.decisions[0], req_id: "__proto__" }))).toContain(
      "decisions.present decisions[17] mismatch",
    );
    const undecided = issuesOf((copy) => copy.decisions.pop());
    expect(undecided).toContain("decisions.present decisions mismatch");
    expect(undecided.filter((issue) => issue.includes("decisions[-1]"))).toEqual([]);
    expect(issuesOf((copy) => copy.decisions.push(null))).toContain("decisions.order decisions[17] mismatch");
  });

  test("a row of another request in the place of one is told, as is the one that is missing", () => {
    const present = issuesOf((copy) => (copy.decisions[0].req_id = "another")).filter((issue) =>
      issue.startsWith("decisions.present "),
    );
    expect(present).toEqual([
      "decisions.present decisions mismatch",
      "decisions.present decisions[0] mismatch",
    ]);
  });

  test("every row that is too much is told, repeated ones first, and each that is missing", () => {
    const known = report().decisions as Loose[];
    const ids = [...known.map(({ req_id }) => req_id), "invented", "__proto__", null];
    const chosen = fc.array(fc.constantFrom(...ids), { maxLength: 2 * ids.length });
    fc.assert(
      fc.property(chosen, (taken) => {
        const isFirst = (id: unknown, at: number) => taken.indexOf(id) === at;
        const isKnown = (id: unknown) => known.some(({ req_id }) => req_id === id);
        const places = taken.flatMap((id, at) => (typeof id === "string" ? [{ id, at }] : []));
        const repeated = places.filter(({ id, at }) => !isFirst(id, at));
        const invented = places.filter(({ id, at }) => isFirst(id, at) && !isKnown(id));
        const missing = known.filter(({ req_id }) => !taken.includes(req_id));
        const found = issuesOf((copy) => {
          copy.decisions = taken.map((req_id) => ({ ...known[0], req_id }));
        }).filter((issue) => issue.startsWith("decisions.present "));
        expect(found).toEqual([
          ...missing.map(() => "decisions.present decisions mismatch"),
          ...[...repeated, ...invented].map(({ at }) => `decisions.present decisions[${at}] mismatch`),
        ]);
      }),
    );
  });

  test("a surplus bucket is a mismatch, whatever it is called", () => {
    for (const name of ["__proto__", "constructor", "x"]) {
      const copy = report();
      Object.defineProperty(copy.per_tenant, name, { value: copy.per_tenant["t-alpha"], enumerable: true });
      expect(compareReport(copy, expected).issues.map(({ path }) => path)).toEqual([`per_tenant["${name}"]`]);
    }
  });

  test("a bucket named as a property of every object is missing where it is not the report's own", () => {
    const bucket = figures.per_tenant["t-alpha"]!;
    const per_tenant = Object.assign(Object.create(null), figures.per_tenant, { constructor: bucket });
    const { issues } = compareReport(report(), { ...expected, figures: { ...figures, per_tenant } });
    expect(issues).toHaveLength(11);
    expect(issues[0]).toMatchObject({
      path: 'per_tenant["constructor"]',
      reported: "no bucket",
      result: "mismatch",
    });
  });

  test("fields that §4 does not know are mismatches, wherever they are", () => {
    const found = issuesOf((copy) => {
      for (const part of [
        copy,
        copy.engine,
        copy.counts,
        copy.input,
        copy.input.skipped,
        copy.decisions[3],
        copy.per_tenant["t-alpha"],
      ])
        part.extra = 1;
    });
    expect(found).toEqual(
      [
        "extra",
        "engine.extra",
        "counts.extra",
        "input.extra",
        "input.skipped.extra",
        'per_tenant["t-alpha"].extra',
        "decisions[3].extra",
      ].map((path) => `report.shape ${path} mismatch`),
    );
  });
});

test("the report's own claim is held against its own content (§4)", () => {
  expect(issuesOf((copy) => (copy.ok = false))).toEqual(["ok ok mismatch"]);
  const negative = judge((copy) => (copy.per_tenant["t-alpha"].closing_tokens = -1));
  expect(negative.issues.find(({ path }) => path === "ok")).toMatchObject({
    reported: true,
    expected: false,
  });
  expect(issuesOf((copy) => (copy.per_tenant["t-alpha"].closing_tokens = "-1"))).toEqual([
    'per_tenant.closing_tokens per_tenant["t-alpha"].closing_tokens indeterminate',
  ]);
});

describe("rows that were found to be the expected ones, byte for byte", () => {
  const same = () => ({ ...report(), decisions: figures.decisions, dispatch_order: figures.dispatch_order });

  test("are counted as if each place had been looked at, check by check", () => {
    const [table, places_told] = [compareReport(same(), expected).table, [] as Loose[]];
    const onPlace = (found: Loose) => places_told.push(found);
    expect(compareReport(report(), expected, CHECK_TABLE, { onPlace }).table).toEqual(table);
    expect(table.find(({ check }) => check === "decisions.verdict")).toMatchObject({
      places: 17,
      matched: 17,
    });
    expect(places_told).toHaveLength(compareReport(report(), expected).checks);
  });

  test("are told by no place, and ignored where their check is", () => {
    const told: Loose[] = [];
    const ignore = new Set(["decisions.verdict"]);
    const { table, status } = compareReport(same(), expected, CHECK_TABLE, {
      ignore,
      onPlace: (found) => told.push(found),
    });
    expect(table.find(({ check }) => check === "decisions.verdict")).toMatchObject({
      matched: 0,
      ignored: 17,
    });
    expect(status).toBe(0);
    expect(
      told.filter(({ path }) => path === undefined || /^(decisions|dispatch_order)\[/.test(path)),
    ).toEqual([]);
  });
});

test("an issue has no field for a value that is not there", () => {
  const [lacking] = judge((copy) => delete copy.counts.queued).issues;
  expect(Object.keys(lacking!)).toEqual(["check", "path", "clause", "result", "expected"]);
  const [unjudgeable] = compareReport(report(), { ...expected, contentChecksum: null }).issues;
  expect(Object.keys(unjudgeable!)).toEqual(["check", "path", "clause", "result", "reported"]);
});

test("of very many mismatches as many are told as people can read, and all are counted", () => {
  const row = { path: "p", reported: 1, expected: 2 };
  const check = { id: "many", clause: "§1", title: "Many", section: "counts" } as const;
  const table = [{ ...check, findings: () => Array(100_001).fill(row) }];
  const { issues, mismatches } = compareReport(report(), expected, table);
  expect([issues.length, mismatches]).toEqual([100_000, 100_001]);
});

test("a report changed after a comparison is judged as it then is", () => {
  const value = report();
  expect(compareReport(value, expected).status).toBe(0);
  value.decisions.splice(3, 1);
  expect(compareReport(value, expected).issues.map(({ check }) => check)).toContain("decisions.present");
});

test.each([
  null,
  undefined,
  [],
  "report",
  5,
  true,
  {},
  { decisions: {}, per_tenant: [], dispatch_order: "x" },
])("what is no report is found to lack everything: %j", (value) => {
  const { status, mismatches, indeterminate, table } = compareReport(value, expected);
  expect({ status, isFound: mismatches + indeterminate > 50 }).toEqual({ status: 2, isFound: true });
  // What was decided cannot match; only the empty list of surplus fields may.
  expect(table.filter(({ matched }) => matched > 0)).toEqual([]);
});

test("a comparison whose places nobody asks for finds the same as one whose places are told", () => {
  const { faults: _, ...wrong } = problem_state;
  const changes: ((copy: Loose) => void)[] = [
    () => {},
    (copy) => Object.assign(copy, wrong),
    (copy) => copy.decisions.shift(),
    (copy) => copy.decisions.push(copy.decisions[0], { req_id: "nobody's" }, null),
    (copy) => copy.decisions.reverse(),
    (copy) => {
      copy.decisions[1].wait_ms = "1";
      delete copy.decisions[2].verdict;
      copy.dispatch_order[0] = null;
    },
  ];
  for (const change of changes) {
    const copy = report();
    change(copy);
    const told = compareReport(copy, expected, CHECK_TABLE, { onPlace: () => {} });
    expect(compareReport(copy, expected)).toEqual(told);
  }
});

test("a decision that matches is read four times at most: by its id, its fields, its order, and for fields too many", () => {
  const { decisions } = expected.figures;
  let made = 0;
  const counted = new MadeRows(decisions.length, (place) => {
    made += 1;
    return decisions.at(place)!;
  });
  expect(compareReport({ ...report(), decisions: counted }, expected).mismatches).toBe(0);
  expect(made).toBeLessThanOrEqual(4 * decisions.length);
});
