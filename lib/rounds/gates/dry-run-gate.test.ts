import { expect, test } from "vitest";
import type { GateStep } from "../../../contract/gate-case.ts";
import type { GateConfig } from "../../../contract/gate-config.ts";
import { closedText } from "../../decision-log/log-text.ts";
import { stageConfig } from "../../gate/update.ts";
import { dryRunGate } from "./dry-run-gate.ts";
import { playLogged } from "./gate-trial.ts";

const config = (requests: number, fields: object = {}, rules: object[] = []) => ({
  services: [
    { name: "api", auth: "on", price: 5, rules: [{ id: "r", requests, per: "1d" }, ...rules], ...fields },
  ],
});
const request = (at: number, token: string, rest: object = {}): GateStep => ({
  ...{ op: "request", at, ip: "192.0.2.1", path: "/x", token },
  ...rest,
});

function normal(value: unknown): GateConfig {
  const staged = stageConfig(value);
  if (!staged.ok) throw new Error("refused");
  return staged.value.config;
}

function dryRun(live: unknown, steps: GateStep[], staged: unknown, lines = playLogged(live, steps, null)) {
  const text = closedText(lines);
  const source = {
    name: "log",
    async *blocks() {
      yield Buffer.from(text);
    },
  };
  return dryRunGate([source], normal(staged), { first: 10 });
}

const four = ["a", "a", "a", "b"].map((token, at) => request(at, token));

test("the same configuration flips nothing", async () => {
  expect(await dryRun(config(2), four, config(2))).toMatchObject({
    ...{ decisions: 4, unknown: 0, newly_allowed: 0, newly_refused: 0, otherwise: 0, rules: [], gaps: [] },
    ...{ before: { allowed: 3, denied: 1 }, after: { allowed: 3, denied: 1 }, opening: "known" },
  });
});

test("a wider limit lets through what was refused, by rule and by client", async () => {
  const found = await dryRun(config(2), four, config(3));
  expect(found).toMatchObject({ newly_allowed: 1, newly_refused: 0, after: { allowed: 4 } });
  expect(found.rules).toEqual([{ service: "api", name: "r", newly_allowed: 1, newly_refused: 0 }]);
  expect(found.first[0]).toMatchObject({
    ...{ at: 2, path: "/x", before: { verdict: "denied", denied_by: ["r"] }, after: { verdict: "allowed" } },
  });
});

test("a narrower limit and a new rule refuse what was let through", async () => {
  const found = await dryRun(config(3), four, config(3, {}, [{ id: "new", requests: 1, per: "1d" }]));
  expect(found).toMatchObject({ newly_allowed: 0, newly_refused: 2 });
  expect(found.rules).toEqual([{ service: "api", name: "new", newly_allowed: 0, newly_refused: 2 }]);
  expect(found.clients.map(({ newly_refused }) => newly_refused)).toEqual([2]);
});

test("a challenge that becomes a look at the bucket flips, and one that goes the other way too", async () => {
  const open = { op: "request", at: 1, ip: "192.0.2.1", path: "/x" } as const;
  const opened = await dryRun(config(3), [open], config(3, { price: 0 }));
  expect(opened).toMatchObject({ newly_allowed: 1, rules: [{ name: "(challenged)", newly_allowed: 1 }] });
  const shut = await dryRun(config(3, { price: 0 }), [open], config(3));
  expect(shut).toMatchObject({ newly_refused: 1, rules: [{ name: "(challenged)", newly_refused: 1 }] });
});

test("a client that the log does not know is told, and in no count", async () => {
  expect(await dryRun(config(3), four, config(3, { auth: "off" }))).toMatchObject({
    decisions: 4,
    unknown: 4,
  });
  const byAddress = [{ op: "request", at: 1, ip: "192.0.2.1", path: "/x" } as const];
  const wider = config(3, { auth: "off", client_prefix: { v4: 16, v6: 32 } });
  expect(await dryRun(config(3, { auth: "off" }), byAddress, wider)).toMatchObject({ unknown: 1 });
});

test("what was live then is what is compared, also after an update", async () => {
  const steps: GateStep[] = [
    ...four,
    { op: "publish", at: 5, config: config(1) },
    request(6, "c"),
    request(7, "c"),
  ];
  expect(await dryRun(config(2), steps, config(2))).toMatchObject({ newly_allowed: 1, newly_refused: 0 });
});

test("a stretch that begins in the middle is compared with full buckets on both sides, and says so", async () => {
  const [header, publish, ...rest] = playLogged(config(2), four, null) as unknown as Record<
    string,
    unknown
  >[];
  const { version, config: live } = publish!;
  const later = [{ ...header, file: 3 }, { line: "live", version, config: live }, ...rest.slice(1)];
  const found = await dryRun(null, [], config(1), later as never);
  expect(found).toMatchObject({ opening: "full", decisions: 3, newly_refused: 1 });
});
