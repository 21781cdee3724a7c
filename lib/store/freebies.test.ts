import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { FreebieStore } from "../gate/freebies.ts";
import { Gate } from "../gate/gate.ts";
import { MemoryStore } from "../gate/memory-store.ts";
import { stageConfig } from "../gate/update.ts";
import { DatabaseFreebies } from "./freebies.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tenantthrottle-freebies-"));
  file = join(folder, "freebies.sqlite");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ip = { kind: "ip", value: "192.0.2.0/24" } as const;
const token = { kind: "token", value: "192.0.2.0/24" } as const;

test("what was counted outlives the process, by service, kind and client, never above the most", () => {
  const first = new DatabaseFreebies(file);
  expect([first.count("api", ip, 2), first.count("api", ip, 2), first.count("api", ip, 2)]).toEqual([
    true,
    true,
    false,
  ]);
  expect(first.count("other", ip, 1)).toBe(true);
  first.close();
  const second = new DatabaseFreebies(file);
  expect(second.read("api", ip)).toBe(2);
  expect(second.read("other", ip)).toBe(1);
  expect(second.read("api", token)).toBe(0);
  second.close();
});

test("what is given back can be used again, and none is given back that was not counted", () => {
  const freebies = new DatabaseFreebies(file);
  freebies.giveBack("api", ip);
  expect(freebies.read("api", ip)).toBe(0);
  for (let turn = 0; turn < 3; turn += 1) {
    expect(freebies.count("api", ip, 1)).toBe(true);
    expect(freebies.count("api", ip, 1)).toBe(false);
    freebies.giveBack("api", ip);
  }
  freebies.count("api", ip, 2);
  freebies.count("api", ip, 2);
  freebies.giveBack("api", ip);
  expect(freebies.read("api", ip)).toBe(1);
  freebies.close();
});

test("two processes count as one: the last free request is had once", () => {
  const [one, other] = [new DatabaseFreebies(file), new DatabaseFreebies(file)];
  expect(one.read("api", ip)).toBe(0);
  expect(other.count("api", ip, 1)).toBe(true);
  expect(one.count("api", ip, 1)).toBe(false);
  one.close();
  other.close();
});

test("a file that is no database is refused in words, not by a crash later", () => {
  expect(() => new DatabaseFreebies(folder)).toThrow(/cannot be used/);
});

const free = {
  services: [
    {
      ...{ name: "api", auth: { freebie: 2 }, price: 5 },
      rules: [{ id: "r", requests: 5, per: "1d" }],
    },
  ],
};

test("a gate over a database that fails at any step leaves tokens as they were (G7)", () => {
  const staged = stageConfig(free);
  if (!staged.ok) throw new Error("refused");
  const store = new MemoryStore(staged.value.snapshot);
  const freebies: FreebieStore & DatabaseFreebies = new DatabaseFreebies(file);
  const gate = new Gate(staged.value, store, freebies);
  const decide = (hold: string | null = null) =>
    gate.decide({ host: "", path: "/", peer: "192.0.2.7", token: null, hold }, 0);
  expect(decide("a")).toMatchObject({ verdict: "allowed", levels: [{ balance: 4 }] });
  // Another process writes: reading goes on, counting does not.
  const other = new Database(file);
  other.exec("BEGIN IMMEDIATE");
  expect(decide()).toMatchObject({ verdict: "error", levels: [{ balance: 4 }] });
  other.exec("ROLLBACK");
  other.close();
  expect(freebies.read("api", ip)).toBe(1);
  expect(gate.end("a", "cancelled", 0)).toMatchObject({ ended: "cancelled", levels: [{ balance: 5 }] });
  expect(freebies.read("api", ip)).toBe(0);
  freebies.close();
  expect(decide()).toMatchObject({ verdict: "error", levels: [] });
  expect(store.state().ledger).toEqual({
    ...{ reserved: 2, committed: 0, cancelled: 2, expired: 0, outstanding: 0 },
  });
});
