import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { main } from "./main.ts";

let folder: string;
let printed: string[];
let told: string[];
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "compare-"));
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
  expect(await main(["run", "--report", at("clean.json")])).toBe(0);
  expect(await main(["run", "--report", at("floats.json"), "--fault", "float-arithmetic"])).toBe(2);
  expect(await main(["run", "--report", at("forever.json"), "--fault", "queue-forever"])).toBe(2);
  vi.restoreAllMocks();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(() => {
  printed = [];
  told = [];
  vi.spyOn(console, "log").mockImplementation((text: string) => void printed.push(text));
  vi.spyOn(console, "error").mockImplementation((text: string) => void told.push(text));
});
afterEach(() => vi.restoreAllMocks());

const compare = (...args: string[]) => main(["compare", ...args]);

test("a report beside itself exits 0, and says that documents were not compared", async () => {
  expect(await compare(at("clean.json"), at("clean.json"))).toBe(0);
  expect(JSON.parse(printed[0]!)).toMatchObject({ same: true, flips: 0 });
  expect(told).toContain("policy: not compared, A and B came without a policy");
});

test("another wait is a difference, though no request flips; --max-flips 0 lets it pass", async () => {
  expect(await compare(at("clean.json"), at("floats.json"))).toBe(2);
  expect(JSON.parse(printed[0]!)).toMatchObject({ same: false, flips: 0 });
  expect(told.join("\n")).toMatch(/req-0013 of t-alpha: A queued, 550 ms, B queued, 551 ms/);
  expect(await compare("--max-flips", "0", at("clean.json"), at("floats.json"))).toBe(0);
});

test("a log in a report's place is told as the log that it is", async () => {
  const log = at("access.log");
  await writeFile(log, '192.0.2.1 - - [25/Oct/2026:10:00:03 +0000] "GET / HTTP/1.1" 200 1\n');
  expect(await compare(log, at("clean.json"))).toBe(3);
  expect(told.join("\n")).toContain("is no report but a log (nginx or Apache, common or combined)");
});

test("flips are held against --max-flips to the last one", async () => {
  expect(await compare(at("clean.json"), at("forever.json"))).toBe(2);
  const { flips, only_a, only_b } = JSON.parse(printed[0]!) as Record<string, number>;
  expect(only_a! + only_b!).toBe(0);
  expect(await compare("--max-flips", String(flips), at("clean.json"), at("forever.json"))).toBe(0);
  if (flips! > 0)
    expect(await compare("--max-flips", String(flips! - 1), at("clean.json"), at("forever.json"))).toBe(2);
});

test("a request on one side counts as a flip", async () => {
  const report = JSON.parse(await readFile(at("clean.json"), "utf8")) as { decisions: unknown[] };
  report.decisions.pop();
  await writeFile(at("shorter.json"), JSON.stringify(report));
  expect(await compare("--max-flips", "0", at("clean.json"), at("shorter.json"))).toBe(2);
  expect(await compare("--max-flips", "1", at("clean.json"), at("shorter.json"))).toBe(0);
});

test("what cannot be read is status 3, never the same and never different", async () => {
  await writeFile(at("broken.json"), "{");
  expect(await compare(at("clean.json"), at("broken.json"))).toBe(3);
  expect(await compare(at("nowhere.json"), at("clean.json"))).toBe(3);
  expect(await compare("--max-flips", "many", at("clean.json"), at("clean.json"))).toBe(3);
  expect(await compare(at("clean.json"))).toBe(3);
  expect(printed).toEqual([]);
});
