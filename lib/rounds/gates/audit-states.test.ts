import { expect, test } from "vitest";
import type { GateStep } from "../../../contract/gate-case.ts";
import { closedText, LogText } from "../../decision-log/log-text.ts";
import { Gate } from "../../gate/gate.ts";
import { MemoryStore } from "../../gate/memory-store.ts";
import { statementOf } from "../../gate/statement.ts";
import { stageConfig } from "../../gate/update.ts";
import { auditGate } from "./audit-gate.ts";
import { dryRunGate } from "./dry-run-gate.ts";
import { playInFiles } from "./gate-trial.ts";

type Line = Record<string, unknown>;

const CONFIG = {
  services: [
    {
      ...{ name: "api", path: "^/api", auth: "off", price: 0 },
      rules: [
        { id: "a", requests: 3, per: "1s" },
        { id: "b", requests: 7, per: "3s", path: "both" },
      ],
    },
    { name: "free", auth: { freebie: 5 }, price: 2, rules: [{ id: "f", requests: 2, per: "1m" }] },
  ],
  hold_ms: 100,
};
const request = (at: number, path: string, host = 1, hold?: string): GateStep => ({
  ...{ op: "request", at, path, ip: `192.0.${host}.1` },
  ...(hold === undefined ? {} : { hold: true, as: hold }),
});
const STEPS: GateStep[] = [
  request(10, "/api/both"),
  request(20, "/api", 2, "held"),
  request(21, "/", 3),
  request(22, "/api/both", 2, "ended"),
  { op: "cancel", at: 23, of: "ended" },
  request(31, "/api", 1),
  request(32, "/api", 2),
  { op: "cancel", at: 40, of: "held" },
  { op: "cancel", at: 41, of: "ended" },
  request(50, "/api/both", 2),
  request(60, "/", 3),
];
const files = (turn = 5, steps = STEPS): Line[][] =>
  playInFiles(CONFIG, steps, null, turn).map((lines) => lines.map((line) => ({ ...line })));
const audit = (...all: readonly (readonly object[])[]) => {
  const sources = all.map((lines, index) => ({
    name: `file ${index}`,
    async *blocks() {
      yield Buffer.from(closedText(lines));
    },
  }));
  return auditGate(sources, { first: 100, isOpen: false });
};
const changed = (lines: Line[], kind: string, change: (line: Line) => Line): Line[] =>
  lines.map((line) => (line.line === kind ? change(structuredClone(line)) : line));
type Rows = unknown[][];
function staged(config: unknown) {
  const found = stageConfig(config);
  if (!found.ok) throw new Error("refused");
  return found.value.config;
}

test("an audit of the last files begins with what the gate states there, and says that nobody judged it (G11)", async () => {
  const [first, second, third] = files();
  const whole = await audit(first!, second!, third!);
  expect(whole).toMatchObject({ status: 0, differences: 0, claims: [], states: 2, decisions: 8 });
  const from = second!.find(({ line }) => line === "state")!;
  const alone = await audit(second!, third!);
  expect(alone).toMatchObject({ status: 0, differences: 0, states: 1, decisions: 4 });
  expect(alone.claims).toEqual([{ file: "file 0", seq: from.seq, at: 23 }]);
  expect(alone.checks).toBeLessThan(whole.checks);
  expect(alone.versions).toEqual([1]);
});

test("begun in the middle, a lie about what follows is found by what was stated", async () => {
  const [, second] = files();
  const lie = second!.map((line) =>
    line.line === "decision" && line.at === 31 ? { ...line, balances: [["a", 2.5]] } : line,
  );
  const found = await audit(lie);
  expect(found.status).toBe(2);
  expect(found.first).toMatchObject([{ clause: "G4", field: "balances", logged: [["a", 2.5]] }]);
});

const LIES: [what: string, kind: string, clause: string, field: string, change: (line: Line) => Line][] = [
  ["a balance", "buckets", "G4", "bucket", (line) => ({ ...line, rows: edited(line, 0, 2, "1/2") })],
  ["a bucket's time", "buckets", "G4", "bucket", (line) => ({ ...line, rows: edited(line, 0, 3, 11) })],
  ["the order of use", "buckets", "G6", "use", (line) => ({ ...line, rows: edited(line, 0, 4, 999) })],
  ["a client", "buckets", "G4", "bucket", (line) => ({ ...line, rows: edited(line, 0, 0, NOBODY) })],
  ["how one ended", "admissions", "G4", "admission", (line) => admission(line, 1, { was: "committed" })],
  ["when one is over", "admissions", "G4", "admission", (line) => admission(line, 0, { due_ms: 121 })],
  ["what one holds", "admissions", "G4", "admission", (line) => admission(line, 0, { gone: ["b"] })],
  ["free requests", "freebies", "G7", "free_requests", (line) => ({ ...line, rows: edited(line, 0, 1, 4) })],
  [
    "the ledger",
    "state",
    "G4",
    "committed",
    (line) => ({ ...line, ledger: { ...(line.ledger as object), committed: 9 } }),
  ],
  ["evictions", "state", "G6", "lossy", (line) => ({ ...line, evictions: { full: 0, lossy: 1 } })],
  ["the version", "live", "G8", "version", (line) => ({ ...line, version: 2 })],
  [
    "the configuration",
    "live",
    "G8",
    "config",
    (line) => ({ ...line, config: { ...(line.config as object), hold_ms: 9 } }),
  ],
];
const NOBODY = `ip:${"0".repeat(32)}`;
const edited = ({ rows }: Line, row: number, column: number, value: unknown): Rows =>
  (rows as Rows).map((one, index) => (index === row ? one.with(column, value) : one));
const admission = (line: Line, row: number, fields: Line): Line => ({
  ...line,
  rows: (line.rows as Line[]).map((one, index) => (index === row ? { ...one, ...fields } : one)),
});

test.each(LIES)(
  "a lie about %s at the head of a file is found where the file before is there",
  async (...lie) => {
    const [, kind, clause, field, change] = lie;
    const [first, second] = files();
    const honest = await audit(first!, second!);
    expect(honest.differences).toBe(0);
    const found = await audit(first!, changed(second!, kind, change));
    expect(found.status).toBe(2);
    expect(found.first).toContainEqual(expect.objectContaining({ clause, field, file: "file 1", line: 3 }));
  },
);

test("what is left out of a state, or told too much, is found", async () => {
  const [first, second] = files();
  const without = second!.map((line) =>
    line.line === "state" ? { ...line, buckets: (line.buckets as number) - 1 } : line,
  );
  const dropped = changed(without, "buckets", (line) =>
    line.service === "api" ? { ...line, rows: (line.rows as Rows).slice(1) } : line,
  );
  expect((await audit(first!, dropped)).first).toContainEqual(
    expect.objectContaining({ clause: "G4", field: "bucket", logged: null }),
  );
  for (const [lines, message] of [
    [without, "more buckets are told"],
    [second!.filter(({ line }) => line !== "buckets"), "not stated whole"],
    [second!.filter(({ line }) => line !== "state"), "elsewhere than at a later file's head"],
    [second!.filter(({ line }) => line !== "live"), "elsewhere than at a later file's head"],
    [second!.map((line) => (line.line === "header" ? { ...line, state: undefined } : line)), "elsewhere"],
    [[...second!.slice(0, 4), second![2]!, ...second!.slice(4)], "elsewhere"],
  ] as const) {
    const found = await audit(first!, lines);
    expect(found.status).toBe(3);
    expect(found.gaps[0]!.message).toContain(message);
  }
});

test("a state that contradicts itself is found, whatever was there before", async () => {
  const [, second] = files();
  const overfull = changed(second!, "buckets", (line) => ({ ...line, rows: edited(line, 0, 2, "99/1") }));
  expect((await audit(overfull)).first[0]).toMatchObject({ clause: "G4", field: "bucket" });
  const unbalanced = changed(second!, "state", (line) => ({
    ...line,
    ledger: { ...(line.ledger as object), reserved: 99 },
  }));
  expect((await audit(unbalanced)).first[0]).toMatchObject({ clause: "G4", field: "equation" });
  const dangling = changed(second!, "state", (line) => ({
    ...line,
    ledger: { ...(line.ledger as { committed: number }), outstanding: 2, committed: 2 },
  }));
  expect((await audit(dangling)).first).toContainEqual(
    expect.objectContaining({ clause: "G4", field: "outstanding", logged: 2, expected: 1 }),
  );
  const refused = changed(second!, "live", (line) => ({ ...line, config: { services: [] } }));
  expect((await audit(refused)).first[0]).toMatchObject({ clause: "G1", field: "config" });
});

test("a state of what cannot be is no beginning, and is not green", async () => {
  const [, second] = files();
  const wrong: [Line[], string][] = [
    [
      changed(second!, "buckets", (line) => ({ ...line, rows: edited(line, 0, 1, "z") })),
      "a rule that is not live is stated: z",
    ],
    [changed(second!, "admissions", (line) => admission(line, 0, { taken: ["z"] })), "not stated: z"],
    [
      changed(second!, "admissions", (line) => admission(line, 1, { hold: (line.rows as Line[])[0]!.hold })),
      "an admission is stated twice",
    ],
    [
      changed(second!, "buckets", (line) =>
        line.service === "api"
          ? { ...line, rows: (line.rows as Rows).with(1, (line.rows as Rows)[0]!) }
          : line,
      ),
      "a bucket is stated twice",
    ],
  ];
  for (const [lines, message] of wrong) {
    const found = await audit(lines);
    expect(found).toMatchObject({ status: 3, decisions: 0, claims: [] });
    expect(found.gaps[0]!.message).toContain(message);
  }
});

test("behind what cannot be judged, the judging goes on with the next file's state, and it is not green", async () => {
  const [first, second, third] = files();
  const missing = await audit(first!, third!);
  expect(missing).toMatchObject({ status: 3, differences: 0, decisions: 5, states: 0 });
  expect(missing.gaps).toEqual([
    { file: "file 1", line: 1, message: expect.stringContaining("follows file 0") },
  ]);
  expect(missing.claims).toMatchObject([{ file: "file 1" }]);
  const broken = second!.filter((line) => line.at !== 31);
  const found = await audit(first!, broken, third!);
  expect(found).toMatchObject({ status: 3, claims: [{ file: "file 2" }] });
  expect(await audit(second!, first!)).toMatchObject({ status: 3, decisions: 3 });
  expect(await audit(second!, second!)).toMatchObject({ status: 3, decisions: 3 });
});

test("only a later file of a gate whose store is its own states what it knows (G12)", async () => {
  const [, second] = files();
  for (const fields of [{ store: "shared" }, { file: 0 }]) {
    const found = await audit(changed(second!, "header", (line) => ({ ...line, ...fields })));
    expect(found).toMatchObject({ status: 3, decisions: 0 });
    expect(found.gaps[0]!.message).toContain("states what a gate knows");
  }
});

test("a dry run over the last files begins with what the gate states there, on both sides (G8)", async () => {
  const steps = [1, 2, 3, 4, 5].map((at) => request(at, "/api"));
  const [, second] = files(3, steps);
  const source = {
    name: "log",
    async *blocks() {
      yield Buffer.from(closedText(second!));
    },
  };
  const [api, free] = CONFIG.services;
  const wider = { ...CONFIG, services: [{ ...api!, rules: [{ id: "a", requests: 4, per: "1s" }] }, free!] };
  // The bucket is empty at the beginning; a raised burst earns its way up.
  expect(await dryRunGate([source], staged(wider), { first: 10 })).toMatchObject({
    ...{ opening: "stated", decisions: 2, newly_allowed: 0, newly_refused: 0, gaps: [] },
    ...{ before: { denied: 2 }, after: { denied: 2 } },
  });
});

test("a request that waited through an update is decided by the snapshot it came under, and judged by it (G8)", async () => {
  const stagedOf = (requests: number) => {
    const found = stageConfig({
      services: [{ name: "api", auth: "off", price: 0, rules: [{ id: "r", requests, per: "1h" }] }],
    });
    if (!found.ok) throw new Error("refused");
    return found.value;
  };
  const first = stagedOf(5);
  const store = new MemoryStore(first.snapshot);
  const log = new LogText();
  const gate = new Gate(first, store, undefined, 1, log);
  const asked = { host: "", path: "/", peer: "192.0.2.1", token: null, hold: null };
  gate.decide(asked, 1);
  const start = gate.start();
  gate.publish(stagedOf(2), 2);
  expect(gate.decide(asked, 3, start)).toMatchObject({ version: 1, verdict: "allowed" });
  const late = gate.start();
  gate.publish(stagedOf(9), 4);
  log.turn(statementOf(gate, store, null, 4, 100)!);
  gate.decide(asked, 5, late);
  const [one, two] = log.files;
  expect(await audit(one!, two!)).toMatchObject({ status: 0, differences: 0, decisions: 3 });
  // Alone, the second file does not tell by what the request was decided: that is a gap, not a lie.
  const alone = await audit(two!);
  expect(alone).toMatchObject({ status: 3, differences: 0 });
  expect(alone.gaps[0]!.message).toContain("began under version 2, which no line here tells");
});
