import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LogLine, logLineSchema } from "../../contract/decision-log.ts";
import { Gate } from "../gate/gate.ts";
import { MemoryStore } from "../gate/memory-store.ts";
import { stageConfig } from "../gate/update.ts";
import { DecisionLog, type DecisionLogSettings, LOG_FILE_NAME } from "./decision-log.ts";

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
    ...{ store: "memory", freebies: "memory", clock: () => 1, ...bounds },
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

test("files are rotated by size, each begins with the live snapshot, and the oldest go first", async () => {
  const { log, ask, gate } = gateWith({ file_bytes: 1000, files: 3 });
  for (let at = 1; at <= 10; at += 1) {
    ask(at);
    if (at === 5) gate.update(config(3), at);
    await log.flush();
  }
  await log.stop();
  const names = await files();
  expect(names).toHaveLength(3);
  const last = await linesOf(names.at(-1)!);
  expect(last[0]).toMatchObject({ line: "header" });
  expect((last[0] as { file: number }).file).toBeGreaterThan(3);
  expect(last[1]).toMatchObject({ line: "live", version: 2, config: gate.config });
  expect(last.at(-1)!.line).toBe("close");
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
