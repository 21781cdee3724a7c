import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { GateState, GateVersion } from "../../contract/gate-admin.ts";
import { readAdminAccess } from "./admin-access.ts";
import { GateProcess } from "./gate-process.ts";
import { ask, trialConfig } from "./trial-gate.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "killed-update-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const config = (requests: number) => trialConfig({ rules: [{ id: "r", requests, per: "1d" }] });

async function admin<T>(data: string, path: string, body?: object): Promise<T> {
  const { url, token } = (await readAdminAccess(data))!;
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return JSON.parse((await ask(`${url}${path}`, { headers, ...sent })).body);
}

test("a gate that is killed in the middle of updates goes on with one that was whole, and no older than was answered (G8)", async () => {
  const file = join(folder, "gate.json");
  await writeFile(file, JSON.stringify(config(1)));
  const data = join(folder, "data");
  for (const wait_ms of [0, 1, 3, 9]) {
    const gate = await GateProcess.start(["--config", file], data);
    const before = (await admin<GateState>(data, "/state")).version;
    let answered = before;
    const updates = (async () => {
      for (let from = before; ; from += 1)
        answered = (await admin<{ version: number }>(data, "/publish", { config: config(from + 1), from }))
          .version;
    })().catch(() => {});
    await setTimeout(wait_ms);
    gate.child.kill("SIGKILL");
    await once(gate.child, "exit");
    await updates;
    // What a kill leaves of a file that was being written is no version.
    await writeFile(join(data, "versions", ".writing-1"), "{");
    const again = await GateProcess.start(["--config", file], data);
    const { version, services } = await admin<GateState>(data, "/state");
    expect(version).toBeGreaterThanOrEqual(answered);
    expect(version).toBeLessThanOrEqual(answered + 1);
    expect(services[0]!.rules[0]!.requests).toBe(version);
    const versions = await admin<GateVersion[]>(data, "/versions");
    expect(versions.map((one) => one.version)).toEqual(
      Array.from({ length: version }, (_, at) => version - at),
    );
    const names = await readdir(join(data, "versions"));
    expect(names).toHaveLength(version);
    for (const name of names) JSON.parse(await readFile(join(data, "versions", name), "utf8"));
    expect(await again.stop()).toBe(0);
  }
});
