import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DataDirectoryInUse } from "./data-lock.ts";
import { openStore } from "./open-store.ts";
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
  await (await openStore(folder)).close();
});

test("a process killed while it writes leaves whole artifacts and rounds, and the store opens again", async () => {
  const folder = await newFolder();
  const code = `let n = 0; for (;;) {
    const { sha256 } = await store.artifacts.put([String(process.pid), "-", String(n), "x".repeat(200_000)]);
    await store.rounds.insert(${JSON.stringify(round("ID"))
      .replace('"ID"', "process.pid + '-' + n")
      .replace(`"stream_sha256":"${"a".repeat(64)}"`, '"stream_sha256": sha256')});
    n += 1; console.log(n); }`;
  let rounds = 0;
  for (let kill = 0; kill < 12; kill++) {
    const child = otherProcess(folder, code);
    await once(child.stdout!, "data");
    await new Promise((resolve) => setTimeout(resolve, 5 + kill * 7));
    child.kill("SIGKILL");
    await once(child, "close");
    const store = await openStore(folder);
    const { rows, total } = await store.rounds.list({
      sort: "created",
      dir: "asc",
      limit: 10_000,
      offset: 0,
    });
    expect(total).toBeGreaterThan(rounds);
    rounds = total;
    for (const { stream_sha256 } of rows) expect(await store.artifacts.has(stream_sha256)).toBe(true);
    const files = await readdir(join(folder, "artifacts"), { recursive: true, withFileTypes: true });
    const names = files.filter((file) => file.isFile()).map(({ name }) => name);
    // Nothing half written and nothing that no round refers to is left.
    expect(names.sort()).toEqual([...new Set(rows.map(({ stream_sha256 }) => stream_sha256))].sort());
    await store.close();
  }
}, 60_000);

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
  await store.rounds.remove("r");
  expect(await store.shares.list("r")).toEqual([]);
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
