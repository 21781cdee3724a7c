import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GateStep, gateCaseSchema } from "../../../contract/gate-case.ts";
import { closedText } from "../../decision-log/log-text.ts";
import { faultyScripts } from "../../faults/gate/script-fault.ts";
import { SCRIPT_FAULTS } from "../../faults/gate/script-faults.ts";
import type { FreebieStore } from "../../gate/freebies.ts";
import { gateCase } from "../../gate/interleavings.ts";
import { SCRIPTS } from "../../gate/shared/connection.ts";
import { CutWire } from "../../gate/shared/cut-wire.ts";
import { RedisServer } from "../../gate/shared/redis-server.ts";
import { auditGate } from "./audit-gate.ts";
import { SharedTrial } from "./shared-trial.ts";

const RUNS = Number(process.env.GATE_RUNS ?? 150);
const FOLDER = new URL("../../../contract/gate-cases/", import.meta.url);

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server?.stop());

const audit = (...texts: string[]) =>
  auditGate(
    texts.map((text, index) => ({
      name: `log ${index}`,
      async *blocks() {
        yield Buffer.from(text);
      },
    })),
    { first: 10, isOpen: false },
  );

/** Two gates on one store. */
async function pair(
  config: unknown,
  at: number,
  scripts = SCRIPTS,
  secrets = ["key", "key"],
): Promise<SharedTrial[]> {
  const prefix = randomUUID();
  const one = await SharedTrial.join(server.url, prefix, config, at, secrets[0]!, scripts);
  return [one, await SharedTrial.join(server.url, prefix, config, at, secrets[1]!)];
}

/** Plays steps, each on one of the gates and `atOnce` of them at a time, and gives the logs of both. */
async function logsOf(
  config: unknown,
  steps: readonly GateStep[],
  who: (index: number) => number,
  atOnce = 1,
  scripts = SCRIPTS,
) {
  const gates = await pair(config, steps[0]?.at ?? 0, scripts);
  for (let from = 0; from < steps.length; from += atOnce) {
    const some = steps.slice(from, from + atOnce);
    await Promise.allSettled(some.map((step, index) => gates[who(from + index)]!.step(step)));
    await gates[0]!.store.counts(some.at(-1)!.at);
  }
  // Late enough that the counts are told.
  for (const gate of gates) await gate.store.counts((steps.at(-1)?.at ?? 0) + 100_000);
  for (const gate of gates) gate.close();
  return gates.map(({ text }) => text) as [string, string];
}

const requestsIn = (steps: readonly GateStep[]) => steps.filter(({ op }) => op === "request").length;

test.each(readdirSync(FOLDER))(
  "the logs of two honest gates over %s agree with the reference",
  async (file) => {
    const { config, steps } = gateCaseSchema.parse(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")));
    const found = await audit(...(await logsOf(config, steps, (index) => index % 2)));
    expect(found).toMatchObject({ first: [], differences: 0, decisions: requestsIn(steps) });
    expect(found.gaps).toEqual(requestsIn(steps) > 0 ? [] : [expect.anything()]);
  },
);

test("the logs of two honest gates agree with the reference, whatever happens to them", {
  timeout: 300_000,
}, async () => {
  const seed = Number(process.env.GATE_SEED ?? Date.now() % 1_000_000_007);
  console.info(`logs of two gates on one store: seed ${seed}, ${RUNS} runs`);
  const both = fc.tuple(
    gateCase,
    fc.array(fc.nat(1), { minLength: 40, maxLength: 40 }),
    fc.constantFrom(1, 2, 7),
  );
  const property = fc.asyncProperty(both, async ([{ config, steps }, who, atOnce]) => {
    const found = await audit(...(await logsOf(config, steps, (index) => who[index]!, atOnce)));
    expect(found).toMatchObject({ first: [], differences: 0, decisions: requestsIn(steps) });
    expect(found.status).toBe(requestsIn(steps) > 0 ? 0 : 3);
    // Only what failed in the gate itself rests on its word; of several at once, one failure is all their failure.
    const failing = steps.filter(
      (step) => step.op === "request" && (step.freebie_fails === true || atOnce > 1),
    );
    expect(found.unproven_freebies).toBeLessThanOrEqual(failing.length);
  });
  await fc.assert(property, { numRuns: RUNS, seed });
});

const cases = readdirSync(FOLDER).map((file) =>
  gateCaseSchema.parse(JSON.parse(readFileSync(new URL(file, FOLDER), "utf8"))),
);

/** Two requests of a client at once, each for the last free one: one reads before the other counts. */
const RACE = {
  config: {
    services: [
      {
        name: "api",
        auth: { freebie: 1 },
        price: 5,
        rules: [{ id: "r", requests: 9, per: "1d" }],
        client_prefix: { v4: 24, v6: 48 },
      },
    ],
  },
  steps: [1, 2].map((at): GateStep => ({ op: "request", at, ip: "192.0.2.1", path: "/x" })),
  atOnce: 2,
};

test("of two gates that count the last free request at once one is challenged, and the logs agree with that", async () => {
  const texts = await logsOf(RACE.config, RACE.steps, (index) => index, 2);
  expect(texts.join("")).toContain('"freebie":"taken"');
  expect(await audit(...texts)).toMatchObject({ status: 0, decisions: 2, unproven_freebies: 0 });
});

test.each(SCRIPT_FAULTS.map((fault) => [fault.id, fault] as const))(
  "the logs tell of a gate whose scripts have a fault: %s (G11)",
  async (_, fault) => {
    const scripts = faultyScripts(fault);
    // Whether the gate that is wrong comes second is up to the machine: it is asked last, and a few times.
    const races = Array.from({ length: 20 }, () => RACE);
    for (const { config, steps, atOnce } of [...cases.map((one) => ({ ...one, atOnce: 1 })), ...races]) {
      const who = atOnce > 1 ? (index: number) => 1 - index : () => 0;
      const found = await audit(...(await logsOf(config, steps, who, atOnce, scripts)));
      if (found.status !== 2) continue;
      expect(found.first[0]!.clause).toMatch(/^G\d+$/);
      return;
    }
    expect.fail("no case shows it");
  },
);

const STEPS = Array.from(
  { length: 40 },
  (_, index): GateStep => ({
    ...{ op: "request", at: 1000 + 3 * index, path: "/x", ip: `192.0.${index % 3}.1` },
  }),
);
const CONFIG = {
  services: [
    {
      ...{ name: "api", auth: "off", price: 0, max_entries: 10 },
      rules: [
        { id: "r", requests: 3, per: "10ms", burst: 4 },
        { id: "s", requests: 9, per: "1d" },
      ],
    },
  ],
};
const gapsOf = ({ gaps }: Awaited<ReturnType<typeof audit>>) =>
  gaps.map(({ file, message }) => `${file}: ${message}`).join("; ");

test("where the log of one of the processes is left out, nothing after its first call is judged, and its numbers are told", async () => {
  const [one, other] = await logsOf(CONFIG, STEPS, (index) => (index === 5 || index > 20 ? 1 : 0));
  expect(await audit(one, other)).toMatchObject({
    status: 0,
    decisions: 40,
    stores: [{ logs: 2, judged: 41 }],
  });
  const found = await audit(one);
  expect(found).toMatchObject({ status: 3, decisions: 5, differences: 0, stores: [{ logs: 1, judged: 6 }] });
  expect(gapsOf(found)).toMatch(/shared store [0-9a-f]{8}: of its calls, no log tells number 7, 23–41:/);
  expect(await audit(other)).toMatchObject({ status: 3, decisions: 0 });
});

test("logs that were hashed with different keys are not put together: nobody could tell their clients apart", async () => {
  const gates = await pair(CONFIG, 1000, SCRIPTS, ["key", "another key"]);
  for (const [index, step] of STEPS.entries()) await gates[index % 2]!.step(step);
  for (const gate of gates) gate.close();
  const found = await audit(...gates.map(({ text }) => text));
  expect([found.status, found.differences]).toEqual([3, 0]);
  expect(gapsOf(found)).toContain("expected one log.key_file");
});

test("what the server did and nobody heard of cannot be judged; what it did not do is told as a fact of the gate", async () => {
  const wire = await CutWire.to(server.port);
  const join = () => SharedTrial.join(wire.url, randomUUID(), CONFIG, 1000, "key", SCRIPTS, 300);
  const untilAllowed = async (gate: SharedTrial, from: number) => {
    for (let at = from; !(await gate.store.counts(at).catch(() => null)); at += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await gate.step({ ...STEPS[0]!, at: 90_000 } as GateStep);
  };
  try {
    const cut = await join();
    await cut.step(STEPS[0]!);
    wire.cut();
    await cut.step(STEPS[1]!);
    await expect(cut.gate.endLater("nobody", "cancelled", 1004)).rejects.toThrow();
    wire.mend();
    await untilAllowed(cut, 1005);
    expect(await audit(cut.text)).toMatchObject({ status: 0, decisions: 3, unreached: 2, gaps: [] });
    cut.close();

    const deaf = await join();
    await deaf.step(STEPS[0]!);
    wire.deafen(true);
    await deaf.step(STEPS[1]!);
    wire.cut();
    wire.deafen(false);
    wire.mend();
    await untilAllowed(deaf, 1005);
    const found = await audit(deaf.text);
    expect(found).toMatchObject({ status: 3, differences: 0, stores: [{ judged: 2 }] });
    expect(gapsOf(found)).toContain("no log tells number 3:");
    deaf.close();
  } finally {
    await wire.stop();
  }
});

test("a server that lost everything begins another life, and both are judged", async () => {
  const own = await RedisServer.start();
  const gate = await SharedTrial.join(own.url, "p", CONFIG, 1000, "key");
  for (const step of STEPS.slice(0, 9)) await gate.step(step);
  const other = new Redis(own.url);
  await other.flushall();
  other.disconnect();
  for (const step of STEPS.slice(9)) await gate.step(step);
  gate.close();
  await own.stop();
  expect(await audit(gate.text)).toMatchObject({
    ...{ status: 0, decisions: 40, gaps: [], stores: [{ judged: 10 }, { judged: 32 }] },
  });
});

test("a gate that goes by another configuration than was published is found (G8, G12)", async () => {
  const [one, other] = await logsOf(CONFIG, STEPS, (index) => index % 2);
  const lie = other.replaceAll('"requests":3,', '"requests":5,');
  expect(lie).not.toBe(other);
  const closed = closedText(
    lie
      .trimEnd()
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  );
  const found = await audit(one, closed);
  expect(found.status).toBe(2);
  expect(found.first).toContainEqual(expect.objectContaining({ clause: "G8", field: "config" }));
});

type Line = Record<string, unknown>;
const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

test("a place in the order of the store that was changed, dropped or told twice is never clean", async () => {
  const [one, other] = await logsOf(CONFIG, STEPS.slice(0, 12), (index) => index % 2);
  const honest = linesOf(one);
  expect((await audit(closedText(honest), other)).status).toBe(0);
  let tried = 0;
  for (const [index, line] of honest.entries())
    for (const [field, value] of Object.entries(line)) {
      if (field !== "order" || typeof value !== "string") continue;
      const [life, number] = value.split(":") as [string, string];
      const others = [undefined, `${life}:${Number(number) + 1}`, `${life}:${number}0`, `00000000:${number}`];
      for (const changed of [...others, ...(Number(number) > 1 ? [`${life}:${Number(number) - 1}`] : [])]) {
        tried += 1;
        const found = await audit(closedText(honest.with(index, { ...line, [field]: changed })), other);
        expect([line.line, field, changed, found.status]).not.toEqual([line.line, field, changed, 0]);
      }
    }
  expect(tried).toBeGreaterThan(20);
});

test("free requests that a gate says it counted, and did not ask the store about, are found (G7, G12)", async () => {
  const faults: ((honest: FreebieStore) => FreebieStore)[] = [
    (honest) => ({
      read: (...args) => honest.read(...args),
      count: () => true,
      giveBack: (...args) => honest.giveBack(...args),
    }),
    (honest) => ({
      read: () => 0,
      count: (...args) => honest.count(...args),
      giveBack: (...args) => honest.giveBack(...args),
    }),
  ];
  for (const fault of faults) {
    const place = [server.url, randomUUID(), RACE.config, 1, "key", SCRIPTS, 10_000] as const;
    const gate = await SharedTrial.join(...place, fault);
    for (const step of RACE.steps) await gate.step(step);
    gate.close();
    const found = await audit(gate.text);
    expect(found.status).toBe(2);
    expect(found.first[0]).toMatchObject({ clause: "G12", logged: null, expected: "a place" });
  }
});
