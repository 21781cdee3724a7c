import { describe, expect, test } from "vitest";
import type { Expected } from "./check.ts";
import { CHECK_TABLE } from "./check-table.ts";
import { compareReport, places } from "./compare-report.ts";
import { compareValues } from "./compare-values.ts";
import { checksum, expected, figures, input, type Loose, report } from "./scenario-report.ts";
import { signalBoard } from "./signal-board.ts";
import { unjudged } from "./status.ts";

// What people read of a finding: where it is, what was said there, and what was expected.

/** What is not a match after a change, as the places of the diff. */
function openPlaces(change: (copy: Loose) => void, beside: Expected = expected) {
  const copy = report();
  change(copy);
  return [...places(copy, beside)]
    .filter(({ result }) => result !== "match")
    .map(({ check, section, subject, path, result, reported, expected: value }) => ({
      check,
      section,
      subject,
      path,
      result,
      reported,
      expected: value,
    }));
}

test("every check of the table has an id of words, a title of its own, and stands in a section that its id tells", () => {
  const sections: Record<string, string> = {
    counts: "counts",
    totals: "totals",
    per_tenant: "tenants",
    decisions: "decisions",
    dispatch_order: "order",
    checksum: "checksum",
    report: "report",
    ok: "report",
    input: "report",
  };
  const titles = CHECK_TABLE.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
  for (const { id, title, section } of CHECK_TABLE) {
    expect(title).toMatch(/^[A-Z][\p{L}' ]+/u);
    expect(id).toMatch(/^[a-z_]+(\.[a-z_]+)?$/);
    const wanted = id === "decisions.order" ? "order" : sections[id.split(".")[0]!];
    expect(section, id).toBe(wanted);
  }
  expect(CHECK_TABLE.map(({ id }) => id)).toEqual(
    expect.arrayContaining(["dispatch_order", "checksum", "checksum.content", "ok", "decisions.present"]),
  );
});

describe("two values (§5.2)", () => {
  test.each([
    [undefined, undefined, "indeterminate"],
    [1, 1, "match"],
    [0, -0, "match"],
    [null, null, "match"],
    [null, 1, "mismatch"],
    [1, null, "mismatch"],
    [undefined, null, "indeterminate"],
    [undefined, 1, "indeterminate"],
    [null, undefined, "indeterminate"],
    [{}, null, "indeterminate"],
    [null, {}, "indeterminate"],
    ["1", 1, "indeterminate"],
    ["a", "b", "mismatch"],
    [true, false, "mismatch"],
    [{}, {}, "indeterminate"],
  ])("%j beside %j is %s", (a, b, result) => {
    expect(compareValues(a, b)).toBe(result);
  });
});

describe("a finding tells where, what and against what", () => {
  test("a request that is missing, decided again, or not of the stream", () => {
    const missing = openPlaces((copy) => copy.decisions.shift()).find(
      ({ check }) => check === "decisions.present",
    );
    expect(missing).toEqual({
      check: "decisions.present",
      section: "decisions",
      subject: figures.decisions.at(0)!.req_id,
      path: "decisions",
      result: "mismatch",
      reported: "not decided",
      expected: "decided",
    });
    const again = openPlaces((copy) => copy.decisions.push(copy.decisions[0]));
    expect(again.find(({ check }) => check === "decisions.present")).toMatchObject({
      path: "decisions[17]",
      reported: "decided again",
      expected: "decided once",
    });
    const stranger = openPlaces((copy) => copy.decisions.push({ ...copy.decisions[0], req_id: "stranger" }));
    expect(stranger.find(({ check }) => check === "decisions.present")).toMatchObject({
      subject: "stranger",
      path: "decisions[17]",
      reported: "decided",
      expected: "no such request",
    });
  });

  test("the first decision has the place 0, and a shifted row keeps its own", () => {
    const turned = openPlaces((copy) => {
      [copy.decisions[0], copy.decisions[1]] = [copy.decisions[1], copy.decisions[0]];
      copy.decisions[0].wait_ms = 12_345;
    });
    const second = figures.decisions.at(1)!;
    expect(turned).toContainEqual(
      expect.objectContaining({ path: "decisions[0].wait_ms", subject: second.req_id, reported: 12_345 }),
    );
    // Fields are matched by id: nothing but the order and the changed field differs.
    expect(turned.filter(({ section }) => section === "decisions")).toHaveLength(1);
    const present = [...places(report(), expected)].filter(({ check }) => check === "decisions.present");
    expect(present[0]).toMatchObject({ path: "decisions[0]", reported: "decided" });
  });

  test("rows without an id are no decisions, and say nothing of others", () => {
    const found = openPlaces((copy) => copy.decisions.push({ verdict: "accepted" }, { verdict: "queued" }));
    expect(found.filter(({ check }) => check === "decisions.present")).toEqual([]);
    expect(found.some(({ path }) => path === "decisions[17]")).toBe(true);
  });

  test("no place is about a subject where none is named", () => {
    for (const { subject, section } of places(report(), expected))
      if (section === "counts" || section === "totals") expect(subject).toBe("");
  });

  test("lengths of lists, tenants without a bucket, and buckets that should not be", () => {
    expect(openPlaces((copy) => copy.dispatch_order.pop())).toContainEqual(
      expect.objectContaining({
        check: "dispatch_order",
        path: "dispatch_order.length",
        reported: 15,
        expected: 16,
      }),
    );
    expect(
      openPlaces((copy) => {
        copy.per_tenant.stranger = copy.per_tenant["t-alpha"];
      }),
    ).toContainEqual(
      expect.objectContaining({
        subject: "stranger",
        reported: "bucket",
        expected: "no bucket",
        result: "mismatch",
      }),
    );
  });

  test("fields that §4 does not know, part by part, also of lines that were skipped", () => {
    const line = { line: 3, field: "", reason: "x" };
    const beside: Expected = { ...expected, input: { ...input, skipped: { count: 1, lines: [line] } } };
    const found = openPlaces((copy) => {
      copy.input.skipped = { count: 1, lines: [{ ...line, more: 1 }] };
      copy.totals.more = 1;
      copy.more = 1;
    }, beside).filter(({ check }) => check === "report.shape");
    expect(found.map(({ path }) => path)).toEqual(["more", "totals.more", "input.skipped.lines[0].more"]);
    for (const place of found)
      expect(place).toMatchObject({ reported: "a field", expected: "no such field" });
  });

  test("a skipped line that the report does not tell, and one that it tells besides", () => {
    const line = { line: 3, field: "", reason: "x" };
    const beside: Expected = { ...expected, input: { ...input, skipped: { count: 1, lines: [line] } } };
    expect(openPlaces(() => {}, beside)).toContainEqual(
      expect.objectContaining({ path: "input.skipped.lines[0].line", result: "indeterminate", expected: 3 }),
    );
    expect(
      openPlaces((copy) => {
        copy.input.skipped.lines.push(line);
      }),
    ).toContainEqual(
      expect.objectContaining({
        path: "input.skipped.lines[0].line",
        reported: 3,
        expected: null,
        result: "mismatch",
      }),
    );
  });

  test("who decided is any text; the checksum has a place against the reference, and one against the content", () => {
    const engine = [...places(report(), expected)].filter(({ path }) => path.startsWith("engine."));
    expect(engine.map(({ path, expected: value }) => [path, value])).toEqual([
      ["engine.name", "e"],
      ["engine.version", "1"],
    ]);
    const nameless = openPlaces((copy) => {
      copy.engine.name = "";
    });
    expect(nameless).toContainEqual(
      expect.objectContaining({ path: "engine.name", expected: "a text", result: "indeterminate" }),
    );
    const wrong = openPlaces((copy) => {
      copy.checksum = "0".repeat(16);
    });
    expect(wrong.map(({ check, path }) => [check, path])).toEqual([
      ["checksum", "checksum"],
      ["checksum.content", "checksum"],
    ]);
    expect(openPlaces(() => {}, { ...expected, contentChecksum: null })).toEqual([
      expect.objectContaining({
        check: "checksum.content",
        path: "checksum",
        result: "indeterminate",
        reported: checksum,
      }),
    ]);
  });

  test("an issue lacks what the report lacks, and a result with checks has no reason why there were none", () => {
    const copy = report();
    copy.counts.accepted = undefined;
    const { issues, ...result } = compareReport(copy, expected);
    const issue = issues.find(({ path }) => path === "counts.accepted")!;
    expect(Object.keys(issue)).not.toContain("reported");
    expect(Object.keys(result)).not.toContain("unavailable");
    expect(Object.keys(compareReport(report(), expected))).not.toContain("unavailable");
    expect(compareReport(report(), expected, [])).toMatchObject({ unavailable: "no check was made (§5.2)" });
    expect(unjudged(3, "why")).toMatchObject({ issues: [], table: [], unavailable: "why" });
  });
});

test("rows that are the expected ones agree at once: counted or ignored as asked, and no places of a diff", () => {
  const same = { ...report(), decisions: figures.decisions };
  for (const place of places(same, expected)) expect(Object.keys(place)).toContain("path");
  expect(compareReport(same, expected)).toMatchObject({ status: 0 });
  const all = compareReport(report(), expected);
  const { checks, table } = compareReport(same, expected, CHECK_TABLE, {
    ignore: new Set(["decisions.verdict"]),
  });
  const verdicts = table.find(({ check }) => check === "decisions.verdict")!;
  expect(verdicts).toMatchObject({ places: 17, ignored: 17, matched: 0 });
  expect(checks).toBe(all.checks - 17);
});

describe("ok is what the report's own content says (§4)", () => {
  const okOf = (change: (copy: Loose) => void) => {
    const copy = report();
    change(copy);
    return [...places(copy, expected)].find(({ check }) => check === "ok");
  };
  test.each([
    ["a count that does not add up", (copy: Loose) => (copy.counts.queued += 1), false],
    ["a decision too few", (copy: Loose) => copy.decisions.pop(), false],
    ["a balance below 0", (copy: Loose) => (copy.per_tenant["t-alpha"].closing_tokens = -0.5), false],
    ["a balance of 0", (copy: Loose) => (copy.per_tenant["t-alpha"].closing_tokens = 0), true],
    ["nothing changed", () => 0, true],
  ])("%s", (_, change, value) => {
    expect(okOf(change)).toMatchObject({ expected: value, result: value ? "match" : "mismatch" });
  });
  test.each([
    ["no decisions", (copy: Loose) => delete copy.decisions],
    ["no number of requests", (copy: Loose) => delete copy.input.requests],
    ["a count that is none", (copy: Loose) => (copy.counts.queued = "4")],
  ])("%s: not to be told", (_, change) => {
    expect(okOf(change)).toMatchObject({ expected: undefined, result: "indeterminate" });
  });
});

describe("lamps tell what they stand on", () => {
  const well = {
    report: true,
    exit: 0,
    health: { status: 0, checks: 1, mismatches: 0, indeterminate: 0 },
    probe: { result: "ok" as const, compared: 2, mismatches: 0 },
    acceptance: { passed: 3, failed: 0, unknown: 0 },
    true_mismatches: 0,
  };
  const lamp = (name: string, changed: object) =>
    signalBoard({ ...well, ...changed }).signals.find((signal) => signal.name === name);

  test("a probe that compared nothing stands on nothing; its mismatches are counted", () => {
    expect(lamp("probe", { probe: { result: "ok", compared: 0, mismatches: 0 } })).toMatchObject({
      grounded: false,
    });
    expect(lamp("probe", { probe: { result: "bad", compared: 1, mismatches: 2 } })).toMatchObject({
      grounded: true,
      evidence: "1 value compared, 2 mismatches",
    });
    expect(lamp("probe", { probe: { result: "bad", compared: 2, mismatches: 1 } })).toMatchObject({
      evidence: "2 values compared, 1 mismatch",
    });
  });

  test("criteria that hold, are broken, and could not be judged are all counted as made", () => {
    expect(lamp("acceptance", { acceptance: { passed: 3, failed: 2, unknown: 4 } })).toMatchObject({
      evidence: "3 of 9 criteria hold",
      grounded: true,
    });
    expect(lamp("acceptance", { acceptance: { passed: 0, failed: 0, unknown: 0 } })).toMatchObject({
      claim: "unknown",
      evidence: "0 of 0 criteria hold",
      grounded: false,
    });
    expect(lamp("acceptance", { acceptance: { passed: 1, failed: 0, unknown: 0 } })).toMatchObject({
      evidence: "1 of 1 criterion hold",
    });
  });

  test("what was not found says so, and nobody lies where nothing is known to differ", () => {
    for (const name of ["report", "exit", "health", "probe", "acceptance"])
      expect(lamp(name, { [name]: null })).toEqual({
        name,
        claim: "unknown",
        evidence: "not found",
        grounded: false,
        lies: false,
      });
    for (const true_mismatches of [null, 0])
      expect(signalBoard({ ...well, true_mismatches }).signals.some(({ lies }) => lies)).toBe(false);
    expect(signalBoard({ ...well, true_mismatches: 1 }).signals.every(({ lies }) => lies)).toBe(true);
  });
});
