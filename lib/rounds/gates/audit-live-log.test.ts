import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RunningGate, startGate } from "../../gateway/start.ts";
import { ask } from "../../gateway/trial-gate.ts";
import { auditGateFiles } from "./gate-log-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "live-log-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const config = (requests: number) => ({
  services: [
    {
      ...{ name: "api", path: "^/api", auth: "off", price: 0, max_entries: 30 },
      rules: [
        { id: "a", requests, per: "1s" },
        { id: "b", path: "both", requests: 7, per: "3s" },
      ],
    },
    { name: "free", auth: { freebie: 3 }, price: 2, rules: [{ id: "f", requests: 2, per: "1m" }] },
  ],
  trusted_proxies: ["127.0.0.0/8"],
  hold_ms: 40,
});

async function start(files: number): Promise<RunningGate> {
  const settings = {
    ...{ listen: { port: 0 }, admin: { port: 0 }, data: "data", freebies: "memory" },
    log: { folder: "log", file_bytes: 20_000, files },
  };
  await writeFile(join(folder, "gate.json"), JSON.stringify(config(3)));
  await writeFile(join(folder, "settings.json"), JSON.stringify(settings));
  const options = { config: join(folder, "gate.json"), settings: join(folder, "settings.json") };
  const started = await startGate(options);
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  return started.value;
}

/** Requests of many kinds, several at once, with updates that go live and such that are refused in between. */
async function load({ places, token }: RunningGate): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const url = `http://127.0.0.1:${places.listen.port}`;
  const post = (path: string, body: object) =>
    ask(`http://127.0.0.1:${places.admin.port}${path}`, {
      ...{ method: "POST", body: JSON.stringify(body) },
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    });
  await Promise.all(
    Array.from({ length: 600 }, async (_, index) => {
      const headers = {
        "x-forwarded-uri": ["/api/both", "/api", "/x"][index % 3]!,
        "x-forwarded-for": `10.0.${(index * 7) % 41}.1`,
      };
      const { headers: told } = await ask(`${url}/check${index % 5 === 0 ? "?hold" : ""}`, {
        agent,
        headers,
      });
      const id = told["x-admission-id"];
      if (typeof id === "string" && index % 2 === 0)
        await ask(`${url}/admissions/${id}/${index % 4 === 0 ? "cancel" : "commit"}`, {
          agent,
          method: "POST",
        });
      if (index % 150 === 100)
        await post("/publish", { config: config(2 + (index % 4)), from: 1 + Math.floor(index / 150) });
      if (index % 150 === 120) await post("/publish", { config: { services: [] }, from: 1 });
    }),
  );
  agent.destroy();
}

test("the log of a live gate, rotated under load, is clean as a whole and from each of its files on (G11)", async () => {
  const gate = await start(1000);
  await load(gate);
  const { updates } = gate.server.control.gate;
  await gate.close();
  const log = join(folder, "log");
  const names = (await readdir(log)).sort().map((name) => join(log, name));
  expect(names.length).toBeGreaterThan(4);
  const options = { first: 5, isOpen: false };
  const whole = await auditGateFiles([log], options);
  expect(whole).toMatchObject({ status: 0, first: [], gaps: [], claims: [], decisions: 600 });
  expect(whole).toMatchObject({ states: names.length - 1, refused: updates.refused });
  expect(whole.versions).toHaveLength(updates.published + 1);
  // The last file may hold no decision any more, and then there is nothing to judge.
  for (let from = 1; from < names.length - 1; from += 1) {
    const found = await auditGateFiles(names.slice(from), options);
    expect(found).toMatchObject({ first: [], gaps: [], states: names.length - 1 - from });
    expect(found.claims).toHaveLength(1);
  }
});

test("once the oldest files are swept, what is left is audited from where it begins, and says so (G11)", async () => {
  const gate = await start(3);
  await load(gate);
  await gate.close();
  const log = join(folder, "log");
  expect(await readdir(log)).toHaveLength(3);
  const found = await auditGateFiles([log], { first: 5, isOpen: false });
  expect(found).toMatchObject({ status: 0, first: [], gaps: [], states: 2 });
  expect(found.claims).toHaveLength(1);
  expect(found.decisions).toBeLessThan(600);
});
