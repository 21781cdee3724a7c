import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Reading } from "../../../contract/request.ts";
import { ROUND_PHASES } from "../../../contract/round-view.ts";
import { scenarioFiles } from "../trials/scenario.ts";
import { type DecidedRound, type RefusedRound, type RoundFiles, runRound } from "./run-round.ts";

let folder: string;
let made = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "bad-input-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** The scenario's files with a report of their own, some of them replaced. */
const filesWith = (changed: Partial<RoundFiles> = {}): RoundFiles => ({
  ...scenarioFiles(),
  report: join(folder, `report-${made++}.json`),
  ...changed,
});
async function write(content: string | Uint8Array): Promise<string> {
  const path = join(folder, `file-${made++}`);
  await writeFile(path, content);
  return path;
}
const run = (files: RoundFiles, reading: Reading = "strict", faults: string[] = []) =>
  runRound(files, { reading, faults });

function refused(round: DecidedRound | RefusedRound): RefusedRound {
  if (round.kind === "refused") return round;
  throw new Error(`the round was decided, with status ${round.status}`);
}
function decided(round: DecidedRound | RefusedRound): DecidedRound {
  if (round.kind === "decided") return round;
  throw new Error(`the round was refused: ${JSON.stringify(round.problem)}`);
}
const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
const line = (fields: object = {}) =>
  JSON.stringify({
    req_id: `r-${made++}`,
    tenant: "t-beta",
    arrival_ms: 0,
    cost: 1,
    mode: "soft",
    ...fields,
  });

describe("a clean round", () => {
  test("is status 0, and its report on disk is the report that was judged", async () => {
    const files = filesWith();
    const round = decided(await run(files));
    expect(round).toMatchObject({ status: 0, truth: { status: 0 }, health: { status: 0 } });
    expect(JSON.parse(await readFile(files.report, "utf8"))).toEqual(
      JSON.parse(JSON.stringify(round.report)),
    );
  });

  test("is byte for byte the same when it is run again (§1)", async () => {
    const [first, second] = [filesWith(), filesWith()];
    await run(first);
    await run(second);
    expect(await readFile(first.report)).toEqual(await readFile(second.report));
  });

  test("tells its phases in their order, each once begun", async () => {
    const phases: string[] = [];
    await runRound(filesWith(), {
      reading: "strict",
      faults: [],
      onProgress: ({ phase }) => void (phases.at(-1) === phase || phases.push(phase)),
    });
    expect(phases).toEqual(
      ROUND_PHASES.filter((phase) => phase !== "import" && phase !== "probe" && phase !== "store"),
    );
  });
});

describe("contract or policy unavailable: status 3, nothing decided, no report (§1, §5.4)", () => {
  const binary = new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff, 0xfe]);
  const contents: [string, string | Uint8Array][] = [
    ["empty", ""],
    ["binary", binary],
    ["no UTF-8", new Uint8Array([0x22, 0xc3, 0x28, 0x22])],
    ["cut off", '{"version": 1,'],
    ["another value", "[]"],
    ["null", "null"],
    ["two documents", "{}{}"],
    ["a key twice", '{"version": 1, "version": 1}'],
  ];
  const parts = ["contract", "policy"] as const;

  test.each(parts.flatMap((part) => contents.map(([what, content]) => [part, what, content] as const)))(
    "the %s is %s",
    async (part, _, content) => {
      const path = await write(content);
      const files = filesWith({ [part]: path });
      const { status, problem } = refused(await run(files));
      expect({ status, of: problem.status }).toEqual({ status: 3, of: 3 });
      expect(problem.documents.map(({ file }) => file)).toContain(path);
      expect(problem.documents.every(({ message }) => message !== "")).toBe(true);
      expect(await isThere(files.report)).toBe(false);
    },
  );

  test.each(parts)("the %s is missing, or a directory", async (part) => {
    for (const path of ["/nonexistent/file", folder]) {
      const files = filesWith({ [part]: path });
      const { status, problem } = refused(await run(files));
      expect(status).toBe(3);
      expect(problem.documents).toEqual([{ file: path, path: "", message: expect.any(String) }]);
      expect(problem.message).not.toMatch(/ENOENT|EISDIR|at .*:\d+:\d+/);
      expect(await isThere(files.report)).toBe(false);
    }
  });

  test("both missing: both are told", async () => {
    const { problem } = refused(await run(filesWith({ contract: "/none/c", policy: "/none/p" })));
    expect(problem.documents.map(({ file }) => file)).toEqual(["/none/c", "/none/p"]);
  });

  test("it wins over a stream that is missing too: 3, not 2", async () => {
    expect(refused(await run(filesWith({ contract: "/none", input: "/none" }))).status).toBe(3);
  });
});

describe("a stream that is missing or refused: status 2, no report", () => {
  test.each(["/nonexistent/stream", "a directory"])("%s", async (input) => {
    const files = filesWith({ input: input === "a directory" ? folder : input });
    for (const reading of ["strict", "lenient"] as const) {
      const { status, problem } = refused(await run(files, reading));
      expect({ status, of: problem.status }).toEqual({ status: 2, of: 2 });
      expect(problem.documents).toHaveLength(1);
      expect(await isThere(files.report)).toBe(false);
    }
  });

  test("a report of an earlier round is not touched by one that is refused", async () => {
    const files = filesWith();
    await run(files);
    const before = await readFile(files.report);
    refused(await run({ ...files, input: await write("not json\n") }));
    expect(await readFile(files.report)).toEqual(before);
  });

  test("150 bad lines: all are counted, the first hundred told, in both readings alike (§1.3)", async () => {
    const lines = Array.from({ length: 300 }, (_, index) => (index % 2 === 1 ? "not json" : line()));
    const files = filesWith({ input: await write(`${lines.join("\n")}\n`) });
    const { status, problem } = refused(await run(files));
    expect({ status, count: problem.line_count, told: problem.lines.length }).toEqual({
      status: 2,
      count: 150,
      told: 100,
    });
    expect(problem.lines.map((bad) => bad.line)).toEqual(Array.from({ length: 100 }, (_, at) => 2 * at + 2));
    expect(await isThere(files.report)).toBe(false);
    const lenient = decided(await run(files, "lenient"));
    expect(lenient.report.input).toMatchObject({
      requests: 150,
      skipped: { count: 150, lines: problem.lines },
    });
  });
});

describe("lenient reading", () => {
  test("leaves bad lines out and is never clean, though nothing differs (§1.3, §5.4)", async () => {
    const text = await readFile(filesWith().input, "utf8");
    const clean = decided(await run(filesWith()));
    const files = filesWith({ input: await write(`{}\n${text}`) });
    const round = decided(await run(files, "lenient"));
    expect(round).toMatchObject({ status: 2, truth: { status: 2, mismatches: 0, indeterminate: 0 } });
    expect(round.report.checksum).toBe(clean.report.checksum);
    expect(round.report.input.skipped).toMatchObject({ count: 1, lines: [{ line: 1 }] });
    expect(await isThere(files.report)).toBe(true);
  });

  test("without a bad line is what strict reading is", async () => {
    expect(decided(await run(filesWith(), "lenient"))).toMatchObject({ status: 0, truth: { status: 0 } });
  });

  test("with bad lines only is a round of no requests, and not clean", async () => {
    const round = decided(await run(filesWith({ input: await write("a\nb\n") }), "lenient"));
    expect(round).toMatchObject({ status: 2, columns: { count: 0 } });
    expect([...round.report.decisions]).toEqual([]);
  });
});

describe("lines that break a rule: line and field are told, and both sides leave out the same ones (§1.3)", () => {
  const withNumber = (field: string, number: string) =>
    line().replace(new RegExp(`"${field}":[^,}]+`), `"${field}":${number}`);
  const huge = `{"req_id":"${"x".repeat(5 * 1024 * 1024)}"}`;
  const first = line({ req_id: "seen" });
  const bad: [string, string | Uint8Array, string | null][] = [
    ["no JSON", "not json", null],
    ["a list", "[]", null],
    ["null", "null", null],
    ["two objects", `${line()} ${line()}`, null],
    ["cut off", line().slice(0, -1), null],
    ["a missing field", '{"req_id":"x","tenant":"t-beta","arrival_ms":0,"cost":1}', "mode"],
    ["an unknown field", line({ color: 1 }), "color"],
    ["an explicit null", line({ mode: null }), "mode"],
    ["a key twice", line().replace('"cost":1', '"cost":1,"cost":1'), "cost"],
    ["an id seen before", first, "req_id"],
    ["the template as a tenant", line({ tenant: "*" }), "tenant"],
    ["an empty name", line({ tenant: "" }), "tenant"],
    ["a name of 257 bytes", line({ tenant: "é".repeat(128).concat("x") }), "tenant"],
    ["a control character", line({ req_id: "a\u007fb" }), "req_id"],
    ["a lone surrogate", line().replace('"req_id":"', '"req_id":"\\ud800'), "req_id"],
    ["a number in quotes", line({ cost: "1" }), "cost"],
    ["1e400", withNumber("cost", "1e400"), "cost"],
    ["1e-7", withNumber("cost", "1e-7"), "cost"],
    ["cost 0", withNumber("cost", "0"), "cost"],
    ["cost -0", withNumber("cost", "-0"), "cost"],
    ["cost above 1e9", withNumber("cost", "1000000000.000001"), "cost"],
    ["more digits than a double has", withNumber("cost", "1.00000000000000001"), "cost"],
    ["NaN", withNumber("cost", "NaN"), null],
    ["a leading zero", withNumber("cost", "01"), null],
    ["a fraction of a millisecond", withNumber("arrival_ms", "0.5"), "arrival_ms"],
    ["a time before the start", withNumber("arrival_ms", "-1"), "arrival_ms"],
    ["a time too late", withNumber("arrival_ms", "31622400001"), "arrival_ms"],
    ["a mode that is none", line({ mode: "medium" }), "mode"],
    [
      "no UTF-8",
      new Uint8Array([...Buffer.from(line().slice(0, 12)), 0xff, ...Buffer.from(line().slice(12))]),
      null,
    ],
    ["5 MB of a line", huge, null],
  ];

  test.each(bad)("%s", async (_, content, field) => {
    const stream = Buffer.concat([
      Buffer.from(`${first}\n\n`),
      Buffer.from(content as string),
      Buffer.from(`\n${line()}\n`),
    ]);
    const files = filesWith({ input: await write(stream) });
    const { problem } = refused(await run(files));
    expect(problem.line_count).toBe(1);
    expect(problem.lines[0]!.line).toBe(3);
    if (field !== null) expect(problem.lines[0]!.field).toBe(field);
    const round = decided(await run(files, "lenient"));
    expect(round.report.input).toMatchObject({ requests: 2, skipped: { count: 1 } });
    expect(round.truth).toMatchObject({ status: 2, mismatches: 0, indeterminate: 0 });
  });

  test("the id of a bad line does not count as seen", async () => {
    const same = { req_id: "again" };
    const input = await write(`${line({ ...same, cost: 0 })}\n${line(same)}\n`);
    const round = decided(await run(filesWith({ input }), "lenient"));
    expect(round.report.input).toMatchObject({ requests: 1, skipped: { count: 1, lines: [{ line: 1 }] } });
    expect(round.truth.mismatches).toBe(0);
  });
});

describe("what looks odd and is allowed (§1.3, §1.4)", () => {
  test.each([
    ["0 bytes", "", 0],
    ["only empty lines", " \t\r\n\n\r\n", 0],
    ["only a BOM", "\uFEFF", 0],
    ["a BOM before the first line", `\uFEFF${line()}\n`, 1],
    ["CRLF", `${line()}\r\n${line()}\r\n`, 2],
    ["no last line break", `${line()}\n${line()}`, 2],
    ["spaces around an object", `  ${line()}\t \n`, 1],
    [
      "integers with a point, and exponents",
      `${line().replace('"cost":1', '"cost":1.0e0').replace('"arrival_ms":0', '"arrival_ms":5.0')}\n`,
      1,
    ],
    ["names of any script", `${line({ req_id: "\u{1F600}\uE000", tenant: "__proto__" })}\n`, 1],
  ])("%s", async (_, text, requests) => {
    const round = decided(await run(filesWith({ input: await write(text) })));
    expect(round).toMatchObject({ status: 0, truth: { status: 0 } });
    expect(round.report.input).toMatchObject({ requests, skipped: { count: 0, lines: [] } });
  });
});

describe("faults of signals falsify that signal alone (§6)", () => {
  test("exit-zero ends a refused round with 0, and leaves the problem's own status", async () => {
    const round = refused(await run(filesWith({ contract: "/none" }), "strict", ["exit-zero"]));
    expect({ status: round.status, of: round.problem.status }).toEqual({ status: 0, of: 3 });
  });

  test("fail-open decides by defaults, and what is true stays unavailable", async () => {
    const files = filesWith({ policy: "/none" });
    const round = decided(await run(files, "strict", ["fail-open"]));
    expect(round.truth).toMatchObject({ status: 3, checks: 0 });
    expect(await isThere(files.report)).toBe(true);
  });

  test("fail-open changes nothing where contract and policy are there", async () => {
    const honest = decided(await run(filesWith()));
    const round = decided(await run(filesWith(), "strict", ["fail-open"]));
    expect(round).toMatchObject({
      status: 0,
      truth: { status: 0 },
      report: { checksum: honest.report.checksum },
    });
  });
});
