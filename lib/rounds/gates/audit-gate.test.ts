import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AuditResult } from "../../../contract/decision-log.ts";
import { type GateStep, gateCaseSchema } from "../../../contract/gate-case.ts";
import { closedText } from "../../decision-log/log-text.ts";
import { auditGate } from "./audit-gate.ts";
import { playLogged } from "./gate-trial.ts";
import type { LogSource } from "./log-source.ts";

const folder = new URL("../../../contract/gate-cases/", import.meta.url);
const source = (text: string, name = "log"): LogSource => ({
  name,
  async *blocks() {
    yield Buffer.from(text);
  },
});
const audit = (...texts: string[]) =>
  auditGate(
    texts.map((text, index) => source(text, `log ${index}`)),
    { first: 10, isOpen: false },
  );

test.each(readdirSync(folder))("the log of an honest gate over %s is clean", async (file) => {
  const { config, steps } = gateCaseSchema.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  const found = await audit(closedText(playLogged(config, steps, null)));
  expect(found.first).toEqual([]);
  const requests = steps.filter(({ op }) => op === "request").length;
  expect(found).toMatchObject({ differences: 0, decisions: requests, status: requests > 0 ? 0 : 3 });
});

const STEPS: GateStep[] = [1, 2, 3, 4, 5, 6].map((at) => ({
  op: "request",
  at,
  ip: "192.0.2.1",
  path: "/x",
}));
const CONFIG = {
  services: [{ name: "api", auth: "off", price: 0, rules: [{ id: "r", requests: 2, per: "1s" }] }],
};
const lines = () => playLogged(CONFIG, STEPS, null) as unknown as Record<string, unknown>[];
/** The log as two files, the second beginning with the live snapshot. */
function twoFiles() {
  const [header, publish, ...rest] = lines();
  const { version, config } = publish!;
  return [
    closedText([header!, publish!, ...rest.slice(0, 3)]),
    closedText([{ ...header, file: 1 }, { line: "live", version, config }, ...rest.slice(3)]),
  ] as const;
}
const gapsOf = ({ gaps }: AuditResult) => gaps.map(({ message }) => message).join("; ");

test("the files of a log go on from one to the next", async () => {
  const [first, second] = twoFiles();
  expect(await audit(first, second)).toMatchObject({ status: 0, decisions: 6, versions: [1] });
});

test("a stretch that begins in the middle of a gate's life is not judged, and is not green", async () => {
  const [first, second] = twoFiles();
  const alone = await audit(second);
  expect(alone).toMatchObject({ status: 3, decisions: 0 });
  expect(gapsOf(alone)).toContain("begins with file 1 of its log");
  expect((await audit(second, first)).status).toBe(3);
  expect((await audit(first, first)).status).toBe(3);
});

test("a file that was cut off is not green: within a line, at its end, and without its closing line", async () => {
  const text = closedText(lines());
  expect(gapsOf(await audit(text.slice(0, -20)))).toContain("cut off");
  const unclosed = text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1);
  expect(await audit(unclosed)).toMatchObject({ status: 3, decisions: 6 });
  expect(gapsOf(await audit(unclosed))).toContain("no closing line");
  expect(await auditGate([source(unclosed)], { first: 1, isOpen: true })).toMatchObject({ status: 0 });
  expect(await auditGate([source(text.slice(0, -20))], { first: 1, isOpen: true })).toMatchObject({
    status: 3,
  });
});

test("bytes that changed after they were written are found by the digest", async () => {
  const text = closedText(lines()).replace('"path":"/x"', '"path":"/y"');
  expect(gapsOf(await audit(text))).toContain("its digest differs");
});

test("a number that is missing is a gap; what came before it is judged", async () => {
  const some = lines().filter(({ seq }) => seq !== 4);
  const found = await audit(closedText(some));
  expect(found).toMatchObject({ status: 3, decisions: 2 });
  expect(gapsOf(found)).toContain("number 4 is missing");
});

test("a log whose gate could not write lines is not green, even where none seems to be missing", async () => {
  const text = closedText(lines()).replace('"lost":0', '"lost":7');
  expect(gapsOf(await audit(text))).toContain("could not write 7 lines");
});

test("a log of a shared store that does not tell where its calls stand is not green (G12)", async () => {
  const [header, ...rest] = lines();
  const found = await audit(closedText([{ ...header, store: "shared" }, ...rest]));
  expect(found.status).toBe(2);
  expect(found.first[0]).toMatchObject({ clause: "G12", field: "order", logged: null });
});

test("a log of a gate alone that tells of a shared store is not judged", async () => {
  for (const more of [
    { order: "01234567:3" },
    { unreached: true },
    { settled: { seq: 9, at: 9, order: "01234567:4" } },
  ]) {
    const all = lines();
    const found = await audit(closedText(all.with(2, { ...all[2], ...more })));
    expect(found).toMatchObject({ status: 3, decisions: 0 });
    expect(gapsOf(found)).toContain("tells of a shared store");
  }
});

test("no file, an empty one, another kind of file: nothing was judged, and nothing is green", async () => {
  for (const texts of [[], [""], ["\n"], ["{}\n"], ["\xff\n"], ["no log"]]) {
    const found = await audit(...texts);
    expect(found).toMatchObject({ status: 3, decisions: 0 });
    expect(found.gaps.length).toBeGreaterThan(0);
  }
});

test("a decision that is told as another is a difference, with clause, both values and line", async () => {
  const all = lines();
  const at = all.findIndex(({ verdict }) => verdict === "denied");
  const found = await audit(
    closedText(
      all.with(at, { ...all[at], verdict: "allowed", reason: null, denied_by: [], retry_after_ms: null }),
    ),
  );
  expect(found.status).toBe(2);
  expect(found.first[0]).toMatchObject({
    ...{ file: "log 0", line: at + 1, clause: "G4", field: "verdict", logged: "allowed", expected: "denied" },
  });
});

test("a request that no rule matches lets time come to now: what is due by then has expired (G4)", async () => {
  const config = {
    services: [{ ...CONFIG.services[0]!, rules: [{ id: "r", requests: 1, per: "1s", path: "^/x" }] }],
    hold_ms: 10,
  };
  const request = { op: "request", ip: "192.0.2.1" } as const;
  const steps: GateStep[] = [
    { ...request, at: 10, path: "/x", hold: true, as: "h" },
    { ...request, at: 25, path: "/y" },
    // The clock goes back to before it was due.
    { op: "cancel", at: 15, of: "h" },
  ];
  const logged = playLogged(config, steps, null);
  expect(logged.find(({ line }) => line === "end")).toMatchObject({ ended: "already", was: "expired" });
  expect(await audit(closedText(logged))).toMatchObject({ status: 0, differences: 0 });
});
