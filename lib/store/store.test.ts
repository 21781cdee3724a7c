import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { DataDirectoryInUse } from "./data-lock.ts";
import { migrations } from "./migrations.ts";
import { openStore } from "./open-store.ts";
import type { RoundQuery } from "./rounds.ts";
import type { NewRound } from "./schema.ts";

const newFolder = () => mkdtemp(join(tmpdir(), "tenantthrottle-store-"));

function round(id: string, changes: Partial<NewRound> = {}): NewRound {
  return {
    id,
    name: id,
    state: "waiting",
    created_at_ms: 1,
    reading: "strict",
    faults: "[]",
    contract_name: "c",
    contract_sha256: "a".repeat(64),
    policy_name: "p",
    policy_sha256: "a".repeat(64),
    stream_name: "s",
    stream_sha256: "a".repeat(64),
    stream_bytes: 1,
    ...changes,
  };
}

/** A process of its own that opens the store and then runs some code with it. */
function otherProcess(dataDir: string, code: string): ChildProcess {
  const source = `import { openStore } from ${JSON.stringify(new URL("./open-store.ts", import.meta.url).href)};
    const store = await openStore(${JSON.stringify(dataDir)}); ${code}`;
  return spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "pipe"],
  });
}

test("a second opening of a data directory is refused, in this process and in another", async () => {
  const folder = await newFolder();
  const store = await openStore(folder);
  await expect(openStore(folder)).rejects.toThrow(DataDirectoryInUse);
  const other = otherProcess(folder, "");
  let said = "";
  other.stderr!.on("data", (text) => {
    said += text;
  });
  const [code] = await once(other, "close");
  expect(code).not.toBe(0);
  expect(said).toContain("is in use by another process");
  await store.close();
  await store.close();
  await (await openStore(folder)).close();
});

/** What a round's end does, over and over: artifacts first, then one statement that makes the round a finished one. */
const WRITING = `const { mkdir, writeFile } = await import("node:fs/promises");
  const template = ${JSON.stringify(round("ID"))};
  for (let n = 0; ; n++) {
    const id = process.pid + "-" + n;
    const { sha256 } = await store.artifacts.put([id, "x".repeat(200_000)]);
    await store.rounds.insert({ ...template, id, stream_sha256: sha256, contract_sha256: sha256, policy_sha256: sha256 });
    const staging = store.stagingDir(id);
    await mkdir(staging, { recursive: true });
    await writeFile(staging + "/report.json", "report of " + id + "y".repeat(100_000));
    const report = await store.artifacts.adopt(staging + "/report.json");
    await store.rounds.update(id, { state: "done", finished_at_ms: 2, report_sha256: report.sha256, card: "{}" });
    console.log(id);
  }`;

const KILLS = 30;
test("a process killed while it writes leaves whole artifacts and rounds, and the store opens again", async () => {
  const folder = await newFolder();
  const whole = new Set<string>();
  const told = new Set<string>();
  for (let kill = 0; kill < KILLS; kill++) {
    const child = otherProcess(folder, WRITING);
    child.stdout!.setEncoding("utf8").on("data", (text: string) => {
      for (const line of text.split("\n").slice(0, -1)) told.add(line);
    });
    await once(child.stdout!, "data");
    await new Promise((resolve) => setTimeout(resolve, (kill * 37) % 101));
    child.kill("SIGKILL");
    await once(child, "close");
    const store = await openStore(folder);
    const everything = { sort: "created", dir: "asc", limit: 10_000, offset: 0 } as const;
    const { rows } = await store.rounds.list(everything);
    const done = new Set(rows.filter(({ state }) => state === "done").map(({ id }) => id));
    // No finished round is lost, and none is half finished.
    expect([...told].filter((id) => !done.has(id))).toEqual([]);
    const halves = rows.filter(({ state, report_sha256, card }) =>
      state === "done"
        ? report_sha256 === null || card !== "{}"
        : state !== "waiting" || report_sha256 !== null,
    );
    expect(halves).toEqual([]);
    // Nothing half written and nothing that no round refers to is left; what is left is what its name says.
    const files = await readdir(join(folder, "artifacts"), { recursive: true, withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map(({ name }) => name);
    expect(names.sort()).toEqual([...(await store.rounds.referenced())].sort());
    for (const name of names.filter((name) => !whole.has(name))) {
      const content = await readFile(store.artifacts.path(name));
      expect(createHash("sha256").update(content).digest("hex")).toBe(name);
      whole.add(name);
    }
    expect(await readdir(folder)).not.toContain("staging");
    await store.close();
  }
  expect(told.size).toBeGreaterThanOrEqual(KILLS);
  const database = new Database(join(folder, "tenantthrottle.sqlite"), { readonly: true });
  expect(database.pragma("integrity_check", { simple: true })).toBe("ok");
  database.close();
}, 120_000);

test("the schema comes from nothing, once; commits are on the disk before they are answered", async () => {
  const folder = await newFolder();
  await (await openStore(folder)).close();
  const store = await openStore(folder);
  const database = new Database(join(folder, "tenantthrottle.sqlite"), { readonly: true });
  expect(database.pragma("journal_mode", { simple: true })).toBe("wal");
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  expect(tables).toEqual(expect.arrayContaining(["round", "share", "setting"]));
  expect(database.prepare("SELECT COUNT(*) FROM kysely_migration").pluck().get()).toBe(
    Object.keys(await migrations.getMigrations()).length,
  );
  database.close();
  await store.settings.set("seeded", "1");
  await store.settings.set("seeded", "2");
  expect([await store.settings.get("seeded"), await store.settings.get("__proto__")]).toEqual(["2", null]);
  await store.close();
});

test("a directory that cannot hold data is told in one sentence, and is left free", async () => {
  const file = join(await newFolder(), "file");
  await writeFile(file, "");
  await expect(openStore(file)).rejects.toThrow(/cannot be used for data .* set THROTTLE_DATA/);
  const folder = await newFolder();
  await writeFile(join(folder, "tenantthrottle.sqlite"), "this is no database ".repeat(100));
  await expect(openStore(folder)).rejects.toThrow(/cannot be used for data .* not a database/);
  await rm(join(folder, "tenantthrottle.sqlite"));
  await (await openStore(folder)).close();
});

test("opening sweeps staging, half-written files and old uploads; young uploads stay", async () => {
  const folder = await newFolder();
  const first = await openStore(folder);
  const { sha256 } = await first.artifacts.put(["kept"]);
  const orphan = await first.artifacts.put(["of nobody"]);
  await first.rounds.insert(round("r", { stream_sha256: sha256 }));
  const staging = first.stagingDir("r");
  await mkdir(staging, { recursive: true });
  await writeFile(join(staging, "view.sqlite"), "half");
  await writeFile(join(folder, "artifacts", ".writing-0"), "half");
  await mkdir(join(folder, "uploads"));
  for (const name of ["old", "old.json", "young"]) await writeFile(join(folder, "uploads", name), "");
  for (const name of ["old", "old.json"]) await utimes(join(folder, "uploads", name), 1, 1);
  await first.close();

  const second = await openStore(folder);
  expect(await second.artifacts.has(sha256)).toBe(true);
  expect(await second.artifacts.has(orphan.sha256)).toBe(false);
  expect(await readdir(folder)).not.toContain("staging");
  expect(await readdir(join(folder, "artifacts"))).not.toContain(".writing-0");
  expect(await readdir(join(folder, "uploads"))).toEqual(["young"]);
  // A server that runs for long does not wait for its next start.
  await utimes(join(folder, "uploads", "young"), 1, 1);
  await second.sweepUploads();
  expect(await readdir(join(folder, "uploads"))).toEqual([]);
  // A round's process that outlived a killed server writes to where nobody looks any more.
  expect(second.stagingDir("r")).not.toBe(staging);
  await second.close();
});

test("artifacts: the same content once, adopted files whole, names that are no digest refused", async () => {
  const folder = await newFolder();
  const store = await openStore(folder);
  const first = await store.artifacts.put(["abc"]);
  expect(first).toEqual({
    sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    bytes: 3,
  });
  const path = join(folder, "loose");
  await writeFile(path, "abc");
  expect(await store.artifacts.adopt(path)).toEqual(first);
  expect(await readFile(store.artifacts.path(first.sha256), "utf8")).toBe("abc");
  expect(() => store.artifacts.path("../../etc/passwd")).toThrow("is no SHA-256");
  const failing = async function* () {
    yield "half";
    throw new Error("cut off");
  };
  await expect(store.artifacts.put(failing())).rejects.toThrow("cut off");
  const left = await readdir(join(folder, "artifacts"));
  expect(left).toEqual(["ba"]);
  await store.close();
});

test("links: only a hash is kept; revoked and expired ones lead nowhere", async () => {
  const folder = await newFolder();
  const store = await openStore(folder);
  await store.rounds.insert(round("r"));
  const { token, share } = await store.shares.create("r", 2000, 1000);
  expect(JSON.stringify(await store.shares.list("r"))).not.toContain(token);
  expect((await store.shares.find(token, 1999))?.round_id).toBe("r");
  expect(await store.shares.find(token, 2000)).toBeNull();
  expect(await store.shares.find(`${token}x`, 1)).toBeNull();
  await store.shares.touch(share.id, 1500);
  expect((await store.shares.list("r"))[0]).toMatchObject({ opened_count: 1, last_opened_at_ms: 1500 });
  expect(await store.shares.revoke(share.id, 1600)).toBe(true);
  expect(await store.shares.revoke(share.id, 1700)).toBe(false);
  expect(await store.shares.find(token, 1700)).toBeNull();
  await store.rounds.remove(["r"], 1);
  await store.rounds.sweep(2);
  expect(await store.shares.list("r")).toEqual([]);
  await store.close();
});

test("rounds: pages, filters and orders; what was not counted comes last either way", async () => {
  const store = await openStore(await newFolder());
  for (let n = 0; n < 25; n++)
    await store.rounds.insert(
      round(`r${String(n).padStart(2, "0")}`, {
        created_at_ms: 1000 - n,
        state: n % 5 === 0 ? "waiting" : "done",
        requests: n % 5 === 0 ? null : n,
        false_green: n % 5 === 0 ? null : n % 2,
      }),
    );
  const ids = async (changes: Partial<RoundQuery>) => {
    const query = { sort: "created", dir: "asc", limit: 100, offset: 0, ...changes } as const;
    const { rows, total } = await store.rounds.list(query);
    return { ids: rows.map(({ id }) => id), total };
  };
  expect(await ids({ limit: 3, offset: 2 })).toEqual({ ids: ["r22", "r21", "r20"], total: 25 });
  expect((await ids({ sort: "requests", dir: "asc" })).ids.slice(-5).sort()).toEqual([
    "r00",
    "r05",
    "r10",
    "r15",
    "r20",
  ]);
  expect((await ids({ sort: "requests", dir: "desc" })).ids[0]).toBe("r24");
  expect((await ids({ false_green: true })).total).toBe(10);
  expect((await ids({ statuses: ["waiting"] })).total).toBe(5);
  expect((await ids({ search: "R1", statuses: ["waiting"] })).ids).toEqual(["r15", "r10"]);
  expect((await store.rounds.unfinished()).map(({ id }) => id)).toEqual(["r20", "r15", "r10", "r05", "r00"]);
  expect(await store.rounds.remove(["r00"], 2000)).toBe(1);
  expect(await store.rounds.remove(["r00"], 2001)).toBe(0);
  expect(await store.rounds.get("r00")).toBeNull();
  await store.close();
});

test("a round's links go with it, and no link leads to a round that is not there", async () => {
  const store = await openStore(await newFolder());
  await expect(store.shares.create("nowhere", null, 1)).rejects.toThrow("FOREIGN KEY");
  await store.rounds.insert(round("r"));
  const links = await Promise.all([1, 2, 3].map((now_ms) => store.shares.create("r", null, now_ms)));
  expect(new Set(links.map(({ token }) => token)).size).toBe(3);
  for (const { token } of links) expect(token).toMatch(/^[\w-]{43}$/);
  expect((await store.shares.find(links[0]!.token, Number.MAX_SAFE_INTEGER))?.id).toBe(links[0]!.share.id);
  await store.rounds.remove(["r"], 1);
  await store.rounds.sweep(2);
  expect(await store.shares.find(links[0]!.token, 1)).toBeNull();
  await store.close();
});

test("rounds: found by parts of their names, wildcards stand for themselves", async () => {
  const store = await openStore(await newFolder());
  for (const name of ["100%", "1000", "a_b", "aXb"]) await store.rounds.insert(round(name));
  const names = async (search: string) =>
    (await store.rounds.list({ search, sort: "name", dir: "asc", limit: 10, offset: 0 })).rows.map(
      ({ name }) => name,
    );
  expect(await names("0%")).toEqual(["100%"]);
  expect(await names("a_b")).toEqual(["a_b"]);
  expect(await names("")).toHaveLength(4);
  await store.close();
});
