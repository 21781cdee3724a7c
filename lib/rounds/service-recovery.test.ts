import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DataDirectoryInUse } from "../store/data-lock.ts";
import { openStore, type Store } from "../store/open-store.ts";
import { readStoredView } from "../store/stored-view.ts";
import { RoundsService } from "./service.ts";
import { roundsService } from "./shared-service.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "recovery-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const moduleAt = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);

/** A server in a process of its own: opens the store, resumes, and then runs some code. It prints ids of rounds. */
function server(code: string): ChildProcess {
  const source = `
    import { openStore } from ${moduleAt("../store/open-store.ts")};
    import { RoundsService } from ${moduleAt("./service.ts")};
    const service = new RoundsService(await openStore(${JSON.stringify(folder)}));
    await service.resume();
    const scenario = await service.scenario();
    const submit = async (text = scenario.stream) => {
      const named = (name, text) => ({ name, text });
      const result = await service.submit({
        reading: "strict",
        faults: [],
        contract: named("contract.json", scenario.contract),
        policy: named("policy.json", scenario.policy),
        stream: { kind: "text", name: "stream.jsonl", text },
      });
      console.log(result.id);
      return result.id;
    };
    const until = async (id, is) => {
      while (!is(await service.round(id))) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const long = Array.from({ length: 60000 }, (_, at) =>
      JSON.stringify({ req_id: "r-" + at, tenant: "t-beta", arrival_ms: at, cost: 1, mode: "soft" }) + "\\n").join("");
    ${code}
    console.log("ready");
    setInterval(() => {}, 1000);`;
  return spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The lines a server prints until it says that it is ready. */
async function ready(child: ChildProcess): Promise<string[]> {
  let said = "";
  for await (const text of child.stdout!.setEncoding("utf8")) {
    said += text;
    if (said.endsWith("ready\n")) return said.trim().split("\n").slice(0, -1);
  }
  throw new Error(`the server ended before it was ready: ${said}`);
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = once(child, "exit");
  child.kill("SIGKILL");
  await closed;
}

/** Every file is what its name says, and every finished round has all of its files. */
async function expectWhole(store: Store): Promise<void> {
  const files = await readdir(join(folder, "artifacts"), { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name));
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(file.name);
  }
  const { rows } = await store.rounds.list({ sort: "created", dir: "asc", limit: 1000, offset: 0 });
  for (const { state, contract_sha256, policy_sha256, stream_sha256, report_sha256, view, card } of rows) {
    const inputs = [contract_sha256, policy_sha256, stream_sha256];
    for (const sha256 of inputs) expect(await store.artifacts.has(sha256)).toBe(true);
    expect(["waiting", "running", "done"]).toContain(state);
    const made = [report_sha256, view, card];
    expect(made.every((part) => (part !== null) === (state === "done"))).toBe(true);
    if (state === "done")
      for (const sha256 of [report_sha256!, ...Object.values(readStoredView(view)!)])
        expect(await store.artifacts.has(sha256)).toBe(true);
  }
}

async function allDone(service: RoundsService, ids: readonly string[]): Promise<void> {
  for (const id of ids)
    await vi.waitFor(async () => expect((await service.round(id))?.state).toBe("done"), {
      timeout: 50_000,
      interval: 20,
    });
}

test("a second process is refused while the first lives, in words for people, and let in once it is killed", async () => {
  const child = server("");
  await ready(child);
  const refused = openStore(folder);
  await expect(refused).rejects.toThrow(DataDirectoryInUse);
  await expect(refused).rejects.toThrow(folder);
  await expect(refused).rejects.toThrow(/THROTTLE_DATA/);
  await kill(child);
  const store = await openStore(folder);
  await store.close();
});

test("kill -9 while a round runs and another waits: the finished one stays, the others are run again", async () => {
  const child = server(`
    const first = await submit();
    await until(first, ({ state }) => state === "done");
    const second = await submit(long);
    await submit();
    await until(second, ({ progress }) => progress !== null && progress.phase !== "read");`);
  const ids = await ready(child);
  await kill(child);
  const store = await openStore(folder);
  const service = new RoundsService(store);
  const [first, second, third] = ids as [string, string, string];
  const before = (await service.round(first))!;
  expect(before.state).toBe("done");
  expect((await service.round(second))!.state).toBe("running");
  expect((await service.round(third))!.state).toBe("waiting");
  await expectWhole(store);
  expect(await readdir(folder)).not.toContain("staging");
  await service.resume();
  await allDone(service, ids);
  await expectWhole(store);
  expect(await service.round(first)).toEqual(before);
  expect((await service.round(second))!.summary).toMatchObject({ requests: 60_000, truth: { status: 0 } });
  expect((await service.round(third))!.summary!.checksum).toBe(before.summary!.checksum);
  await store.close();
});

test("killed at any moment, again and again: no round that was acknowledged is lost, none is half there", async () => {
  const ids: string[] = [];
  for (const delay_ms of [0, 120, 400]) {
    const child = server("for (let at = 0; at < 2; at++) await submit();");
    ids.push(...(await ready(child)));
    await new Promise((resolve) => setTimeout(resolve, delay_ms));
    await kill(child);
    const store = await openStore(folder);
    await expectWhole(store);
    for (const id of ids) expect(await store.rounds.get(id)).not.toBeNull();
    await store.close();
  }
  const store = await openStore(folder);
  const service = new RoundsService(store);
  await service.resume();
  await allDone(service, ids);
  await expectWhole(store);
  const checksums = await Promise.all(ids.map(async (id) => (await service.round(id))!.summary!.checksum));
  expect(new Set(checksums).size).toBe(1);
  await store.close();
});

test("the service of a process opens once, tries again after a refusal, and seeds a new installation once", async () => {
  vi.stubEnv("THROTTLE_DATA", folder);
  const child = server("");
  await ready(child);
  await expect(roundsService()).rejects.toThrow(DataDirectoryInUse);
  await kill(child);
  const [service, same] = await Promise.all([roundsService(), roundsService()]);
  expect(same).toBe(service);
  const query = { sort: "created", dir: "asc", limit: 10, offset: 0 } as const;
  const { rows } = await service.list(query);
  expect(rows).toHaveLength(2);
  await allDone(
    service,
    rows.map(({ id }) => id),
  );
  const seeded = (await service.list(query)).rows;
  expect(seeded.map(({ card }) => card?.board.false_green)).toEqual([false, true]);
  await service.removed.remove(seeded.map(({ id }) => id));
  await service.seed();
  expect((await service.list(query)).total).toBe(0);
});
