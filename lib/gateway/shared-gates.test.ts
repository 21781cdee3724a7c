import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { CutWire } from "../gate/shared/cut-wire.ts";
import { RedisServer } from "../gate/shared/redis-server.ts";
import { GateProcess } from "./gate-process.ts";
import { startGate } from "./start.ts";
import { ask, TrialGate, trialConfig } from "./trial-gate.ts";

let redis: RedisServer;
let wire: CutWire;
let folder: string;
let prefixes = 0;
beforeAll(async () => {
  redis = await RedisServer.start();
  wire = await CutWire.to(redis.port);
});
afterAll(async () => {
  await wire.stop();
  await redis.stop();
});
beforeEach(async () => {
  prefixes += 1;
  folder = await mkdtemp(join(tmpdir(), "shared-gates-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A machine that is busy with other tests is no store that is away. */
const timeout_ms = 10_000;
/** A store that nobody used before, by way of a wire that can be cut. */
const shared = () => ({ store: { url: wire.url, prefix: `test-${prefixes}`, timeout_ms } });
const config = (requests: number, more: object = {}) =>
  trialConfig({
    rules: [
      { id: "r", requests, per: "1d" },
      { id: "s", path: "^/", requests, per: "1d" },
    ],
    ...more,
  });

test("1000 requests of one client at once, on two processes that share a store with 50 left: exactly 50 (G12)", async () => {
  const file = join(folder, "gate.json");
  await writeFile(file, JSON.stringify(config(50)));
  const settings = join(folder, "settings.json");
  await writeFile(settings, JSON.stringify({ store: { url: redis.url, timeout_ms } }));
  const args = ["--config", file, "--settings", settings];
  const gates = [
    await GateProcess.start(args, join(folder, "a")),
    await GateProcess.start(args, join(folder, "b")),
  ];
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const asked = (client: string, index: number) =>
    ask(`${gates[index % 2]!.url}/check`, {
      agent,
      headers: { "x-forwarded-uri": "/x", "x-forwarded-for": client },
    });
  let answered = 0;
  const crowd = Array.from({ length: 1000 }, async (_, index) => {
    const heard = await asked("203.0.113.7", index);
    answered += 1;
    return heard.status;
  });
  const other = await ask(`${gates[0]!.url}/check`, {
    headers: { "x-forwarded-uri": "/x", "x-forwarded-for": "198.51.100.7" },
  });
  expect([other.status, answered < 1000]).toEqual([200, true]);
  const statuses = await Promise.all(crowd);
  expect(statuses.filter((status) => status === 200)).toHaveLength(50);
  expect(statuses.filter((status) => status === 429)).toHaveLength(950);
  expect((await asked("203.0.113.7", 0)).headers.ratelimit).toMatch(/^"r";r=0;/);
  agent.destroy();
  expect(await Promise.all(gates.map((gate) => gate.stop()))).toEqual([0, 0]);
});

test("what one gate publishes the other follows, keeps, and goes on with after a restart (G8, G12)", async () => {
  const one = await TrialGate.start(config(5), shared());
  let other = await TrialGate.start(config(5), shared());
  await one.check("203.0.113.7");
  expect((await other.check("203.0.113.7")).headers.ratelimit).toMatch(/r=3/);
  expect((await one.admin("POST", "/publish", { config: config(3), from: 1 })).status).toBe(200);
  expect((await other.admin("POST", "/publish", { config: config(9), from: 1 })).status).toBe(409);
  // Without a request: a gate that nobody asks hears of it too.
  await expect.poll(() => other.server.version, { timeout: 5000 }).toBe(2);
  await expect
    .poll(async () =>
      JSON.parse((await other.admin("GET", "/versions")).body).map(
        ({ source }: { source: string }) => source,
      ),
    )
    .toEqual(["shared", "file"]);
  await other.running.close();
  expect((await one.admin("POST", "/publish", { config: config(4), from: 2 })).status).toBe(200);
  other = await TrialGate.start(config(5), shared(), other.folder);
  expect(other.server.version).toBe(3);
  expect((await other.check("192.0.2.7")).headers.ratelimit).toMatch(/r=3/);
  await other.end();
  await one.end();
});

test("another configuration than the live one is refused at the start: it was not made from it (G8)", async () => {
  const one = await TrialGate.start(config(5), shared());
  await writeFile(join(folder, "gate.json"), JSON.stringify(config(6)));
  const settings = { ...shared(), listen: { port: 0 }, admin: { port: 0 }, data: "data" };
  await writeFile(join(folder, "settings.json"), JSON.stringify(settings));
  const started = await startGate({
    config: join(folder, "gate.json"),
    settings: join(folder, "settings.json"),
  });
  expect(started).toMatchObject({
    ok: false,
    problems: [{ file: "store", message: expect.stringMatching(/live on the shared store/) }],
  });
  await one.end();
});

test("a store that is away: 503, or passed where the service says so; either is counted, and seen (G12)", async () => {
  const service = {
    name: "api",
    path: "^/api",
    auth: "off",
    price: 0,
    rules: [{ id: "r", requests: 9, per: "1d" }],
  };
  const lenient = { ...service, name: "lenient", path: "^/lenient", on_unavailable: "allow" };
  const gate = await TrialGate.start(
    { services: [service, lenient], trusted_proxies: ["127.0.0.0/8"] },
    shared(),
  );
  const held = JSON.parse((await gate.check("10.0.0.1", "/api", "?hold")).body).admission;
  expect((await gate.ask("/readyz")).status).toBe(200);
  wire.cut();
  const away = await gate.check("10.0.0.1", "/api");
  expect([away.status, away.headers["retry-after"], away.headers.ratelimit]).toEqual([
    503,
    undefined,
    '"r";r=0',
  ]);
  expect((await gate.check("10.0.0.1", "/lenient")).status).toBe(200);
  expect((await gate.ask(`/admissions/${held}/commit`, { method: "POST" })).status).toBe(503);
  expect((await gate.ask("/healthz")).status).toBe(200);
  expect(await gate.ask("/readyz")).toMatchObject({ status: 503 });
  const { status, body } = await gate.ask("/metrics");
  expect(status).toBe(200);
  expect(body).toContain('denied_by_reason_total{service="api",reason="unavailable"} 1');
  expect(body).toContain('tenantthrottle_gate_allowed_total{service="lenient",path_pattern=""} 1');
  expect(body).not.toMatch(/cache_entries\{/);
  const [blind] = JSON.parse((await gate.admin("GET", "/state")).body).services;
  expect([blind.entries, blind.ledger, blind.denied.unavailable]).toEqual([null, null, 1]);
  wire.mend();
  await expect.poll(async () => (await gate.ask("/readyz")).status, { timeout: 10_000 }).toBe(200);
  expect((await gate.check("10.0.0.1", "/api")).headers.ratelimit).toMatch(/r=7/);
  const state = await gate.server.state();
  expect(state.services.map(({ unchecked, denied }) => [unchecked, denied.unavailable])).toEqual([
    [0, 1],
    [1, 0],
  ]);
  await gate.end();
});

test("a store that cannot be reached starts nothing", async () => {
  await writeFile(join(folder, "gate.json"), JSON.stringify(config(6)));
  const overrides = { port: "0", adminPort: "0", data: join(folder, "data"), store: "redis://127.0.0.1:1" };
  const started = await startGate({ config: join(folder, "gate.json"), overrides });
  expect(started).toMatchObject({ ok: false, problems: [{ file: "store" }] });
});

test("an update that the shared store does not take leaves no version, no metric, and a gate that starts again (G8, G12)", async () => {
  const gate = await TrialGate.start(config(5), shared());
  // What the store counts is left out while it is away; what is there must be of the service that is live.
  const names = async () => new Set((await gate.ask("/metrics")).body.match(/service="[^"]*"/g));
  const [before, from] = [await names(), 1];
  // A script is handed the limits of all matching rules, which Lua bounds.
  const rules = Array.from({ length: 1001 }, (_, index) => ({ id: `r${index}`, requests: 1, per: "1s" }));
  const many = await gate.admin("POST", "/publish", { from, config: trialConfig({ name: "new", rules }) });
  expect([many.status, many.body]).toEqual([500, expect.stringContaining("a shared store takes 1000")]);
  wire.cut();
  const cut = await gate.admin("POST", "/publish", {
    from,
    config: trialConfig({ name: "other", rules: [] }),
  });
  expect(cut.status).toBe(500);
  expect(await names()).toEqual(before);
  expect(JSON.parse((await gate.admin("GET", "/versions")).body)).toHaveLength(1);
  expect(await readdir(join(gate.running.data, "versions"))).toEqual(["00000001.json"]);
  expect(gate.told.refusals.map(({ why, from }) => [why, from])).toEqual([
    ["failed", 1],
    ["failed", 1],
  ]);
  expect(await gate.metric("updates_total", 'result="refused"')).toBe(2);
  wire.mend();
  await gate.end();
});
