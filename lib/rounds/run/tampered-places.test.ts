import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HealthResult } from "../../../contract/health.ts";
import { compareReport } from "../../health/compare-report.ts";
import { contentChecksum } from "../../recheck/content-checksum.ts";
import { nodeSha256 } from "../sha256.ts";
import { scenarioFiles } from "../trials/scenario.ts";
import { loadDocuments } from "./documents.ts";
import { expectedFor, findTruth, type Truth } from "./judge-report.ts";
import { type RoundFiles, runRound } from "./run-round.ts";

type Path = (string | number)[];
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

let folder: string;
let files: RoundFiles;
/** The scenario with a bad line in front, read leniently: its report holds something in every field. */
let skipping: RoundFiles;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tampered-"));
  files = { ...scenarioFiles(), report: join(folder, "report.json") };
  await runRound(files, { reading: "strict", faults: [] });
  const input = join(folder, "skipping.jsonl");
  await writeFile(input, `{}\n${await readFile(files.input, "utf8")}`);
  skipping = { ...files, input, report: join(folder, "skipping-report.json") };
  await runRound(skipping, { reading: "lenient", faults: [] });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const reportOf = async ({ report }: RoundFiles) => JSON.parse(await readFile(report, "utf8")) as Json;

async function truthOf(of: RoundFiles, reading: "strict" | "lenient") {
  const documents = await loadDocuments(of);
  if (!documents.ok) throw new Error(JSON.stringify(documents.problems));
  const truth = await findTruth(documents.value, of.input, reading);
  if (!truth.ok) throw new Error(truth.problem.message);
  return truth;
}

/** A change at one place of a report. */
interface Tampering {
  what: string;
  path: Path;
  /** A value replaced by another of the same kind. */
  isLeaf: boolean;
  apply(report: Json): void;
}

const isContainer = (value: Json): value is Json[] | { [key: string]: Json } =>
  typeof value === "object" && value !== null;

/** Every place below a value, containers included. */
function* placesOf(value: Json, path: Path = []): Generator<[Path, Json]> {
  if (path.length > 0) yield [path, value];
  if (!isContainer(value)) return;
  for (const [key, child] of Object.entries(value))
    yield* placesOf(child, [...path, Array.isArray(value) ? Number(key) : key]);
}

type Parent = Record<string | number, Json>;

function parentOf(report: Json, path: Path): Parent {
  return path.slice(0, -1).reduce((at, key) => (at as Parent)[key]!, report) as Parent;
}

function otherOf(value: Json): Json {
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}x`;
  if (typeof value === "boolean") return !value;
  return 0;
}

/** What the checksum covers (§4). */
const COVERED = new Set(["counts", "totals", "per_tenant", "dispatch_order", "decisions"]);

function* tamperings(report: Json): Generator<Tampering> {
  for (const [path, value] of placesOf(report)) {
    const key = path.at(-1)!;
    const at = (what: string, change: (parent: Parent) => void, isLeaf = false): Tampering => ({
      what: `${path.join(".")} ${what}`,
      path,
      isLeaf,
      apply: (copy) => change(parentOf(copy, path)),
    });
    const set = (to: Json) => (parent: Parent) => {
      parent[key] = structuredClone(to);
    };
    yield at("removed", (parent) =>
      Array.isArray(parent) ? parent.splice(Number(key), 1) : delete parent[key],
    );
    if (value !== null) yield at("null", set(null));
    if (!isContainer(value)) yield at("changed", set(otherOf(value)), true);
    if (typeof value === "number") yield at("as text", set(String(value)));
    if (typeof value === "boolean") yield at("as number", set(Number(value)));
    if (Array.isArray(value) && value.length > 0) {
      yield at("emptied", set([]));
      yield at("with its first entry again", set([value[0]!, ...value]));
      yield at("with its last entry again", set([...value, value.at(-1)!]));
      if (value.length > 1) yield at("reversed", set(value.toReversed()));
    } else if (isContainer(value) && !Array.isArray(value)) {
      yield at("emptied", set({}));
      yield at("as a list", set([value]));
      if (COVERED.has(String(path[0]))) yield at("with a field added", set({ ...value, added: 1 }));
    }
  }
}

const NAMES = ["engine.name changed", "engine.version changed"];

/** What no recomputation can tell: who else may have decided, and in which words a reader calls a bad line bad. */
const isUnknowable = ({ what, path }: Tampering): boolean =>
  NAMES.includes(what) ||
  (path.slice(0, 3).join(".") === "input.skipped.lines" && ["field", "reason"].includes(String(path.at(-1))));

/** As health writes it: `decisions[3].wait_ms`, `per_tenant["t-alpha"].used`. */
const issuePath = (path: Path): string =>
  path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (index === 1 && path[0] === "per_tenant") return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join("");

/** Health over a report that was tampered with; null where health threw, which is no judgement. */
function judged(
  report: Json,
  truth: Extract<Truth, { ok: true }>,
  { apply }: Tampering,
  repair: boolean,
): HealthResult | null {
  const copy = structuredClone(report) as { [key: string]: Json };
  apply(copy);
  try {
    if (repair) copy.checksum = contentChecksum(copy, nodeSha256) ?? copy.checksum!;
    return compareReport(copy, expectedFor(truth, copy));
  } catch {
    return null;
  }
}

/** Health over each tampering in turn; `repair` puts the checksum of the changed content in its place. */
function missed(report: Json, truth: Extract<Truth, { ok: true }>, repair: boolean) {
  const found = { tried: 0, unfound: [] as string[], unnamed: [] as string[], crashed: [] as string[] };
  for (const tampering of tamperings(report)) {
    if (isUnknowable(tampering)) continue;
    if (repair && !COVERED.has(String(tampering.path[0]))) continue;
    found.tried += 1;
    const health = judged(report, truth, tampering, repair);
    if (health === null) {
      found.crashed.push(tampering.what);
      continue;
    }
    const { status, issues } = health;
    // A field that nobody knows is no field of the table: the checksum alone tells of it.
    const isAdded = tampering.what.endsWith("with a field added");
    const beside = issues.filter(({ check }) => !repair || isAdded || !check.startsWith("checksum"));
    if (status !== 2 || beside.length === 0) found.unfound.push(tampering.what);
    const isId = tampering.path[0] === "decisions" && tampering.path.at(-1) === "req_id";
    if (tampering.isLeaf && !isId && !issues.some(({ path }) => path === issuePath(tampering.path)))
      found.unnamed.push(tampering.what);
  }
  return found;
}

describe("a tampered report: each place in turn is found, and named", () => {
  test("of a strict round", async () => {
    const { tried, ...rest } = missed(await reportOf(files), await truthOf(files, "strict"), false);
    expect(rest).toEqual({ unfound: [], unnamed: [], crashed: [] });
    expect(tried).toBeGreaterThan(500);
  });

  test("of a lenient round with skipped lines, whose status alone would not tell", async () => {
    const { tried, ...rest } = missed(await reportOf(skipping), await truthOf(skipping, "lenient"), false);
    expect(rest).toEqual({ unfound: [], unnamed: [], crashed: [] });
    expect(tried).toBeGreaterThan(500);
  });

  test("also where its checksum was made again: the checksum is not what finds it", async () => {
    const { tried, ...rest } = missed(await reportOf(files), await truthOf(files, "strict"), true);
    expect(rest).toEqual({ unfound: [], unnamed: [], crashed: [] });
    expect(tried).toBeGreaterThan(500);
  });

  test.each(["counts", "totals", "per_tenant", "decisions"])(
    "%s nested deeper than any stack is judged, not a crash",
    async (part) => {
      const report = (await reportOf(files)) as { [key: string]: Json };
      const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`) as Json;
      report[part] = part === "decisions" ? [deep] : { deep };
      const { status } = compareReport(report, expectedFor(await truthOf(files, "strict"), report));
      expect(status).toBe(2);
    },
  );
});
