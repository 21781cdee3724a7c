import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { GateRequest } from "../decision.ts";
import { Gate } from "../gate.ts";
import { stageConfig } from "../update.ts";
import { StoreUnavailable } from "./connection.ts";
import { CutWire } from "./cut-wire.ts";
import { openSharedStore } from "./open-shared-store.ts";
import { RedisServer } from "./redis-server.ts";
import type { SharedStore } from "./shared-store.ts";

const TIMEOUT_MS = 500;
/** A time that nothing that works as it should comes near to. */
const MUCH_LATER_MS = 20_000;
const LEFT = 100;

let server: RedisServer;
let wire: CutWire;
const open: SharedStore[] = [];
beforeAll(async () => {
  server = await RedisServer.start();
  wire = await CutWire.to(server.port);
});
afterEach(() => {
  for (const store of open.splice(0)) store.close();
  wire.mend();
  wire.deafen(false);
});
afterAll(async () => {
  await wire?.stop();
  await server?.stop();
});

async function gateOf(url: string, fields: object = {}) {
  const staged = stageConfig({
    hold_ms: 60_000,
    services: [
      { name: "api", auth: "off", price: 0, rules: [{ id: "r", requests: LEFT, per: "1d" }], ...fields },
    ],
  });
  if (!staged.ok) throw new Error(JSON.stringify(staged.problems));
  const reports: string[] = [];
  const store = await openSharedStore(url, staged.value.snapshot, 0, {
    prefix: randomUUID(),
    timeout_ms: TIMEOUT_MS,
    report: (message) => reports.push(message),
  });
  open.push(store);
  const gate = new Gate(staged.value, store, store.freebies, store.version);
  const decide = (hold: string | null = null) => gate.decideInOrder({ ...request, hold }, () => 0);
  return { gate, store, reports, decide };
}
const request: GateRequest = { host: "", path: "/x", peer: "192.0.2.7", token: null, hold: null };

/** Asks again until the store answers. */
async function untilAllowed(
  decide: () => Promise<{ verdict: string; levels: readonly { balance: number }[] }>,
) {
  const started = performance.now();
  for (;;) {
    const decision = await decide();
    if (decision.verdict === "allowed") return decision;
    if (performance.now() - started > MUCH_LATER_MS) throw new Error(`still ${decision.verdict}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test("a server that is not there: the store does not open, and says why", async () => {
  const nowhere = await RedisServer.start();
  await nowhere.stop();
  await expect(gateOf(nowhere.url)).rejects.toThrow(StoreUnavailable);
});

test("a wire that is cut denies, reason unavailable, and is taken up again when it is mended", async () => {
  const { store, gate, decide } = await gateOf(wire.url);
  expect((await decide()).levels[0]!.balance).toBe(LEFT - 1);
  wire.cut();
  const cut = await decide();
  expect(cut).toMatchObject({
    verdict: "denied",
    reason: "unavailable",
    lacking: [],
    retry_after_ms: null,
    levels: [],
  });
  await decide();
  expect(store.unready()).toMatch(/cannot be reached/);
  await expect(gate.endLater("a", "cancelled", 0)).rejects.toThrow(StoreUnavailable);
  await expect(gate.updateLater(gate.config, 0)).rejects.toThrow(StoreUnavailable);
  expect(gate.version).toBe(1);
  wire.mend();
  expect((await untilAllowed(decide)).levels[0]!.balance).toBe(LEFT - 2);
  expect(store.unready()).toBeNull();
});

test("where the service says so, an unreachable store allows, and the decision tells that no bucket was looked at", async () => {
  const { decide } = await gateOf(wire.url, { on_unavailable: "allow" });
  wire.cut();
  expect(await decide("a")).toMatchObject({ verdict: "allowed", unchecked: true, levels: [] });
});

test("a server that is stopped for a while delays nobody for longer than the time allowed", async () => {
  const { decide, store } = await gateOf(server.url);
  await decide();
  server.signal("SIGSTOP");
  const started = performance.now();
  const all = await Promise.all(Array.from({ length: 50 }, () => decide()));
  expect(all.every(({ reason }) => reason === "unavailable")).toBe(true);
  // One client's requests wait for one another, and each for no longer than the store lets it.
  expect(performance.now() - started).toBeLessThan(MUCH_LATER_MS);
  server.signal("SIGCONT");
  await untilAllowed(decide);
  expect(store.unready()).toBeNull();
});

test("an answer that is lost on its way is a denial; what was debited stays so, and nothing is asked twice", async () => {
  const { decide, store } = await gateOf(wire.url);
  await decide();
  wire.deafen(true);
  expect(await decide()).toMatchObject({ verdict: "denied", reason: "unavailable" });
  wire.cut();
  wire.deafen(false);
  wire.mend();
  const again = await untilAllowed(decide);
  // One before, one that nobody heard of, one after.
  expect(again.levels[0]!.balance).toBe(LEFT - 3);
  const counts = await store.counts(0);
  expect(counts.get("api")!.ledger).toMatchObject({ reserved: 3, committed: 3 });
});

test("a server that was restarted without its data is told the live version again, and an operator hears of it", async () => {
  const { decide, gate, store, reports } = await gateOf(server.url);
  await gate.updateLater(gate.config, 0);
  await decide();
  await server.kill();
  expect(await decide()).toMatchObject({ verdict: "denied", reason: "unavailable" });
  await server.up();
  const after = await untilAllowed(decide);
  expect(after.levels[0]!.balance).toBe(LEFT - 1);
  expect(reports).toEqual([expect.stringMatching(/had lost everything.*version 2 is live again/)]);
  expect((await store.counts(0)).get("api")!.ledger).toMatchObject({ reserved: 1 });
  expect(await gate.updateLater(gate.config, 0)).toMatchObject({ published: true, version: 3 });
});
