import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { probeStatus } from "./outcome.ts";
import { probeLines } from "./print-probe.ts";
import { type ProbeFiles, runProbe } from "./run-probe.ts";

const SCENARIO = new URL("../../contract/scenario/2026-10-25-1000/", import.meta.url);
const PROCESS = fileURLToPath(new URL("probe-process.ts", import.meta.url));
const scenario = (name: string): string => fileURLToPath(new URL(name, SCENARIO));
const sha256 = (bytes: Uint8Array | string): string => createHash("sha256").update(bytes).digest("hex");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "probe-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;
function write(content: string | Uint8Array): string {
  written += 1;
  const path = join(folder, String(written));
  writeFileSync(path, content);
  return path;
}

const { clean, problem_state } = JSON.parse(readFileSync(scenario("expected.json"), "utf8"));
// biome-ignore lint/suspicious/noExplicitAny: the tests break a report in every way there is.
type AnyReport = any;
/** A report with the figures that an independent implementation found (§7). */
const reportWith = (figures: object): AnyReport => ({
  version: 1,
  engine: { name: "test", version: "1" },
  ok: true,
  ...structuredClone(figures),
  input: {
    contract_sha256: sha256(readFileSync(scenario("contract.json"))),
    policy_sha256: sha256(readFileSync(scenario("policy.json"))),
    stream_sha256: sha256(readFileSync(scenario("requests.jsonl"))),
    requests: 17,
    skipped: { count: 0, lines: [] },
  },
});
const files = (changes: Partial<ProbeFiles> = {}): ProbeFiles => ({
  contract: scenario("contract.json"),
  policy: scenario("policy.json"),
  input: scenario("requests.jsonl"),
  report: write(JSON.stringify(reportWith(clean))),
  reading: "strict",
  ...changes,
});
/** What the probe finds, which is the same whether the report is read whole or by streaming. */
async function probeReport(report: unknown) {
  const of = files({ report: write(JSON.stringify(report)) });
  const whole = await runProbe(of);
  expect(await runProbe(of, 0)).toEqual(whole);
  return whole;
}

/** Every scalar of a value by its path, but for what inputs do not determine. */
function* leaves(value: unknown, path: (string | number)[] = []): Generator<(string | number)[]> {
  if (typeof value !== "object" || value === null) yield path;
  else for (const key of Object.keys(value)) yield* leaves((value as AnyReport)[key], [...path, key]);
}
const parentOf = (report: AnyReport, path: (string | number)[]): AnyReport =>
  path.slice(0, -1).reduce((value, key) => value[key], report);
const judged = (report: object) =>
  [...leaves(report)].filter(([first]) => first !== "version" && first !== "engine" && first !== "ok");

describe("a report as the contract says (§7)", () => {
  test("is OK, in any layout and with a BOM", async () => {
    const report = reportWith(clean);
    for (const text of [JSON.stringify(report), `\uFEFF${JSON.stringify(report, null, 3)}\r\n`]) {
      const outcome = await runProbe(files({ report: write(text) }));
      expect(outcome).toMatchObject({ result: "ok", mismatchCount: 0, mismatches: [] });
      expect(outcome.compared).toBeGreaterThanOrEqual(judged(report).length);
      expect(probeStatus(outcome)).toBe(0);
      expect(probeLines(outcome).at(-1)).toBe("RESULT: OK");
    }
  });

  test("the problem state is BAD, whatever the report claims", async () => {
    const outcome = await probeReport(reportWith(problem_state));
    expect(outcome.result).toBe("bad");
    expect(probeStatus(outcome)).toBe(1);
    const paths = outcome.mismatches.map(({ path }) => path);
    for (const path of ["counts.accepted", "totals.used", "checksum"]) expect(paths).toContain(path);
    expect(probeLines(outcome).at(-1)).toBe(`RESULT: BAD (${outcome.mismatchCount} mismatches)`);
  });
});

describe("a tampered report", () => {
  test("each value in turn, changed, is found at its path", async () => {
    const paths = judged(reportWith(clean));
    expect(paths.length).toBeGreaterThan(150);
    for (const path of paths) {
      const report = reportWith(clean);
      const parent = parentOf(report, path);
      const key = path.at(-1)!;
      parent[key] = typeof parent[key] === "number" ? parent[key] + 1 : `${parent[key]}x`;
      const outcome = await probeReport(report);
      expect([path, outcome.mismatchCount]).toEqual([path, 1]);
      expect(outcome.mismatches[0]?.reported).toBe(parent[key]);
    }
  });

  test("each value in turn, removed, is found", async () => {
    for (const path of judged(reportWith(clean))) {
      const report = reportWith(clean);
      const parent = parentOf(report, path);
      if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1);
      else delete parent[path.at(-1)!];
      expect([path, (await probeReport(report)).result]).toEqual([path, "bad"]);
    }
  });

  test.each(["counts", "totals", "per_tenant", "dispatch_order", "decisions", "checksum", "input"])(
    "without %s it is BAD, also where it is null",
    async (field) => {
      const { [field]: _, ...rest } = reportWith(clean);
      expect((await probeReport(rest)).result).toBe("bad");
      expect((await probeReport({ ...rest, [field]: null })).result).toBe("bad");
    },
  );

  test("an extra tenant, decision or dispatched id is found", async () => {
    const report = reportWith(clean);
    report.per_tenant = JSON.parse(
      `{"__proto__":${JSON.stringify(Object.values(report.per_tenant)[0])},${JSON.stringify(report.per_tenant).slice(1)}`,
    );
    report.decisions.push(report.decisions[0]);
    report.dispatch_order.push("req-9999");
    const { mismatches } = await probeReport(report);
    expect(mismatches.map(({ path }) => path)).toEqual([
      "per_tenant.__proto__",
      "dispatch_order[16]",
      "decisions[17]",
    ]);
  });

  test("an empty report is BAD", async () => {
    expect((await probeReport({})).result).toBe("bad");
  });
});

describe("a stream with bad lines (§1.3)", () => {
  const text = `${readFileSync(scenario("requests.jsonl"), "utf8").trimEnd()}\nrubbish\n`;
  const lenientReport = (lines: unknown[]) => {
    const report = reportWith(clean);
    report.input.stream_sha256 = sha256(text);
    report.input.skipped = { count: 1, lines };
    return write(JSON.stringify(report));
  };
  const last = text.split("\n").length - 1;

  test("is refused where it is read strictly: nothing is judged", async () => {
    const outcome = await runProbe(files({ input: write(text), report: lenientReport([]) }));
    expect(outcome).toMatchObject({ result: "unjudged", compared: 0, mismatches: [] });
    expect(outcome.message).toContain(`line ${last}`);
  });

  test("is judged where it is read leniently; which lines were bad is compared, their wording is not", async () => {
    const input = write(text);
    const probe = (lines: unknown[]) =>
      runProbe(files({ input, report: lenientReport(lines), reading: "lenient" }));
    expect((await probe([{ line: last, field: "", reason: "in words of its own" }])).result).toBe("ok");
    expect((await probe([{ line: 1, field: "", reason: "" }])).mismatches).toEqual([
      { path: "input.skipped.lines[0]", reported: 1, expected: last },
    ]);
    expect((await probe([])).result).toBe("bad");
  });
});

describe("what cannot be judged", () => {
  const binary = Uint8Array.from({ length: 4096 }, (_, at) => (at * 97) % 256);
  const names = ["contract", "policy", "input", "report"] as const;

  test.each(
    names.flatMap((name) => ["missing", "directory", "binary", "empty"].map((how) => [name, how] as const)),
  )("%s: %s", async (name, how) => {
    // An empty stream is a valid round (§1.3): the report is then wrong, not unjudged.
    if (name === "input" && how === "empty") {
      expect((await runProbe(files({ input: write("") }))).result).toBe("bad");
      return;
    }
    const path = { missing: join(folder, "nope"), directory: folder, binary: "", empty: "" }[how];
    const outcome = await runProbe(files({ [name]: path || write(how === "binary" ? binary : "") }));
    expect(outcome.result).toBe("unjudged");
    expect(outcome.message).toContain(name === "input" ? "stream" : name);
    expect(probeStatus(outcome)).toBe(3);
    expect(probeLines(outcome).at(-1)).toMatch(/^RESULT: UNJUDGED \(.+\)$/);
  });

  test("a contract or policy that breaks §1 names the field", async () => {
    const contract = readFileSync(scenario("contract.json"), "utf8").replace(
      /"epoch_ms":\s*\d+/,
      '"epoch_ms":0',
    );
    expect((await runProbe(files({ contract: write(contract) }))).message).toContain("epoch_ms");
    const policy = readFileSync(scenario("policy.json"), "utf8").replace(
      /"capacity":\s*[\d.]+/,
      '"capacity":"9"',
    );
    expect((await runProbe(files({ policy: write(policy) }))).message).toContain("tenants[0].capacity");
  });
});

describe("as a process of its own", () => {
  function spawn(args: string[]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROCESS, ...args], { encoding: "utf8" });
    return { status, lines: stdout.trimEnd().split("\n"), stderr };
  }
  const flags = ({ contract, policy, input, report }: ProbeFiles): string[] => [
    ...["--contract", contract, "--policy", policy],
    ...["--input", input, "--report", report],
  ];

  test("0 and RESULT: OK", () => {
    const { status, lines, stderr } = spawn(flags(files()));
    expect({ status, last: lines.at(-1), stderr }).toEqual({ status: 0, last: "RESULT: OK", stderr: "" });
  });

  test("1 and RESULT: BAD, also as one line of JSON", () => {
    const report = write(JSON.stringify(reportWith(problem_state)));
    const { status, lines } = spawn(flags(files({ report })));
    expect(status).toBe(1);
    expect(lines.at(-1)).toMatch(/^RESULT: BAD \(\d+ mismatches\)$/);
    const json = spawn([...flags(files({ report })), "--json"]);
    expect(json.status).toBe(1);
    expect(json.lines).toHaveLength(1);
    expect(JSON.parse(json.lines[0]!)).toMatchObject({ result: "bad" });
  });

  test.each([
    ["a missing report", (f: ProbeFiles) => flags({ ...f, report: join(folder, "nope") })],
    ["a flag that is not there", (f: ProbeFiles) => flags(f).slice(2)],
    ["an unknown flag", (f: ProbeFiles) => [...flags(f), "--nope"]],
    ["a path with a line feed in it", (f: ProbeFiles) => flags({ ...f, policy: "no\npe" })],
  ])("3, RESULT: UNJUDGED and no stack trace: %s", (_, args) => {
    const { status, lines, stderr } = spawn(args(files()));
    expect(status).toBe(3);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^RESULT: UNJUDGED \(.+\)$/);
    expect(stderr).toBe("");
  });
});
