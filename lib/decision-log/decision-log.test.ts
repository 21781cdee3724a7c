import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LogLine, logLineSchema } from "../../contract/decision-log.ts";
import { Gate } from "../gate/gate.ts";
import { MemoryStore } from "../gate/memory-store.ts";
import { statementOf } from "../gate/statement.ts";
import { stageConfig } from "../gate/update.ts";
import { DecisionLog } from "./decision-log.ts";
import { LOG_FILE_NAME } from "./log-folder.ts";
import type { DecisionLogSettings } from "./log-settings.ts";

let folder: string;
let now_ms: number;
beforeEach(async () => {
  now_ms = 9;
  folder = join(await mkdtemp(join(tmpdir(), "tenantthrottle-log-")), "log");
});
afterEach(() => rm(join(folder, ".."), { recursive: true, force: true }));

const config = (requests: number) => ({
  services: [{ name: "api", auth: "off", price: 0, rules: [{ id: "r", requests, per: "1s" }] }],
});

function gateWith(bounds: Partial<DecisionLogSettings> = {}) {
  const staged = stageConfig(config(2));
  if (!staged.ok) throw new Error("refused");
  const store = new MemoryStore(staged.value.snapshot);
  const log = new DecisionLog({
    ...{ folder, file_bytes: 1_000_000, files: 100, waiting_bytes: 1_000_000 },
    ...{ store: "memory", freebies: "memory", clock: () => 1 },
    state: () => statementOf(gate, store, null, now_ms, 1000),
    ...bounds,
    tally: () => {
      store.moveOn(now_ms);
      return { seq: gate.seq, at: now_ms, ...store.state(), entries: [["api", store.sizeOf("api")]] };
    },
  });
  const gate: Gate = new Gate(staged.value, store, undefined, 1, log);
  const ask = (at: number) =>
    gate.decide({ host: "h", path: "/x?secret=1#f", peer: "192.0.2.1", token: null, hold: null }, at);
  return { gate, log, ask };
}

const files = async () => (await readdir(folder)).sort();
async function linesOf(name: string): Promise<LogLine[]> {
  const text = await readFile(join(folder, name), "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .slice(0, -1)
    .split("\n")
    .map((line) => logLineSchema.parse(JSON.parse(line)));
}

test("a log begins with its header and the snapshot, and ends with a tally and its closing line", async () => {
  const { log, ask } = gateWith();
  for (const at of [1, 2, 3]) ask(at);
  await log.stop();
  const [name, ...others] = await files();
  expect(others).toEqual([]);
  expect(name).toMatch(LOG_FILE_NAME);
  const lines = await linesOf(name!);
  expect(lines.map(({ line }) => line)).toEqual([
    ...["header", "publish", "decision", "decision", "decision", "tally", "close"],
  ]);
  expect(lines[6]).toMatchObject({ lines: 6, lost: 0 });
  expect(log.state).toMatchObject({ lines: 5, lost: 0, problem: null });
});

test("no address, credential, query or fragment gets into a log (G11)", async () => {
  const { log, ask, gate } = gateWith();
  ask(1);
  gate.decide({ host: "", path: "/y", peer: "192.0.2.1", token: "a-credential", hold: "an-id" }, 2);
  await log.stop();
  const text = await readFile(join(folder, (await files())[0]!), "utf8");
  for (const secret of ["192.0.2", "a-credential", "an-id", "secret", "#f"])
    expect(text).not.toContain(secret);
  expect(text).toContain('"path":"/x"');
});

test("files are rotated by size, each begins with what the gate knows, and the oldest go first", async () => {
  const { log, ask, gate } = gateWith({ file_bytes: 1000, files: 3 });
  for (let at = 1; at <= 30; at += 1) {
    now_ms = at;
    ask(at);
    if (at === 5) gate.update(config(3), at);
    await log.flush();
    await setImmediate();
  }
  await log.stop();
  const names = await files();
  expect(names).toHaveLength(3);
  const last = await linesOf(names.at(-1)!);
  expect(last[0]).toMatchObject({ line: "header", state: true });
  expect((last[0] as { file: number }).file).toBeGreaterThan(3);
  expect(last[1]).toMatchObject({ line: "live", version: 2, config: gate.config });
  const { seq } = last[2] as { seq: number };
  expect(last[2]).toMatchObject({ line: "state", at: seq - 2, buckets: 1, admissions: 0, freebies: 0 });
  const { rows } = last[3] as { rows: [string, string, string, number, number][] };
  expect(rows).toEqual([
    [expect.stringMatching(/^ip:/), "r", expect.stringMatching(/^\d+\/1000$/), seq - 2, seq - 2],
  ]);
  expect(last.at(-1)!.line).toBe("close");
});

test("a state that is told in many lines stands whole at a head, and what is decided meanwhile behind it", async () => {
  const { log, gate } = gateWith({ file_bytes: 150_000 });
  const ask = (at: number, client: number) =>
    gate.decide({ host: "h", path: "/x", peer: `192.0.${client}.1`, token: null, hold: null }, at);
  for (let client = 0; client < 1000; client += 1) ask(client, client % 256);
  const ids = ["a", "b"];
  for (const hold of ids)
    gate.decide({ host: "h", path: "/x", peer: "203.0.113.1", token: null, hold }, 1000);
  now_ms = 1000;
  await setImmediate();
  // The state is taken and is being written.
  for (let at = 1001; at <= 1010; at += 1) ask(at, 1);
  await log.stop();
  const names = await files();
  expect(names).toHaveLength(2);
  const kinds = (await linesOf(names[1]!)).map(({ line }) => line);
  const decisions = Array.from({ length: 10 }, () => "decision");
  expect(kinds).toEqual([
    ...["header", "live", "state", "buckets", "buckets", "admissions", ...decisions, "tally", "close"],
  ]);
});

test("what a gate cannot state is not at a head, and an audit can only begin with the first file", async () => {
  const { log, ask } = gateWith({ file_bytes: 1000, state: () => null });
  for (let at = 1; at <= 10; at += 1) ask(at);
  await setImmediate();
  ask(11);
  await log.stop();
  const last = await linesOf((await files()).at(-1)!);
  expect(last.slice(0, 2).map(({ line }) => line)).toEqual(["header", "live"]);
  expect(last[0]).not.toHaveProperty("state");
});

test("lines that cannot be written are counted, and the next ones go to a new file", async () => {
  const { log, ask } = gateWith();
  await writeFile(folder, "no folder");
  ask(1);
  await log.flush();
  expect(log.state).toMatchObject({ lines: 0, lost: 2 });
  expect(log.state.problem).not.toBeNull();
  await rm(folder);
  ask(2);
  await log.stop();
  const lines = await linesOf((await files())[0]!);
  expect(lines.map(({ line }) => line)).toEqual(["header", "live", "decision", "tally", "close"]);
  expect(lines.at(-1)).toMatchObject({ lost: 2 });
});

test("more lines than may wait are lost and counted, and deciding goes on", async () => {
  const { log, ask } = gateWith({ waiting_bytes: 1000 });
  for (let at = 1; at <= 50; at += 1) expect(["allowed", "denied"]).toContain(ask(at).verdict);
  expect(log.state.lost).toBeGreaterThan(40);
  await log.stop();
  const { lost } = (await linesOf((await files())[0]!)).at(-1) as { lost: number };
  expect(lost).toBeGreaterThan(40);
});

test("an admission that expires while nothing is asked is told, once", async () => {
  const { log, gate } = gateWith();
  gate.decide({ host: "", path: "/", peer: "192.0.2.1", token: null, hold: "h" }, 1);
  log.timePassed();
  now_ms = 40_000;
  log.timePassed();
  log.timePassed();
  await log.flush();
  const text = await readFile(join(folder, (await files())[0]!), "utf8");
  const tallies = text.split("\n").filter((line) => line.includes('"line":"tally"'));
  expect(tallies.map((line) => JSON.parse(line))).toMatchObject([{ at: 40_000, ledger: { expired: 1 } }]);
});

test("a refused update is told bounded, by a digest, its first problems and how many there are (G8)", async () => {
  const { log, gate } = gateWith();
  const rule = { id: "x".repeat(5000), requests: 0, per: "1s" };
  gate.update({ services: [{ name: "api", auth: "off", price: 0, rules: Array(300).fill(rule) }] }, 5);
  gate.update(config(3), 6, 9);
  const odd: Record<string, unknown> = {};
  odd.itself = odd;
  for (const value of [odd, undefined, 1n]) gate.update(value, 7);
  await log.stop();
  const text = await readFile(join(folder, (await files())[0]!), "utf8");
  expect(text.length).toBeLessThan(12_000);
  const refused = (await linesOf((await files())[0]!)).filter(({ line }) => line === "refused");
  expect(refused.slice(0, 2)).toMatchObject([
    { seq: 1, at: 5, version: 1, why: "invalid", from: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    { at: 6, why: "outdated", from: 9, problems: [{ path: "" }], problems_count: 1 },
  ]);
  const [first] = refused as { problems: unknown[]; problems_count: number }[];
  expect(first!.problems).toHaveLength(10);
  expect(first!.problems_count).toBeGreaterThan(300);
  expect(refused.slice(2)).toMatchObject([{ sha256: null }, { sha256: null }, { sha256: null }]);
});
