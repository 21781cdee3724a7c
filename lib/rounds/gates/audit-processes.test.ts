import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { GateStep } from "../../../contract/gate-case.ts";
import { RedisServer } from "../../gate/shared/redis-server.ts";
import { GateProcess } from "../../gateway/gate-process.ts";
import { ask } from "../../gateway/trial-gate.ts";
import { forkProcess } from "../process/forked-process.ts";
import { auditGate } from "./audit-gate.ts";
import { auditGateFiles } from "./gate-log-files.ts";
import type { SharedTrialJob } from "./shared-trial-process.ts";

let server: RedisServer;
let folder: string;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "shared-logs-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const CONFIG = {
  services: [
    {
      ...{ name: "api", auth: "off", price: 0, max_entries: 12 },
      rules: [
        { id: "r", requests: 1, per: "50ms", burst: 2 },
        { id: "s", requests: 40, per: "1d", path: "^/a" },
      ],
    },
  ],
  hold_ms: 30,
  trusted_proxies: ["127.0.0.0/8"],
};

/** Steps of one process: requests of clients that the other one serves too, some of them held and ended. */
const stepsOf = (name: string): GateStep[] =>
  Array.from({ length: 300 }, (_, index): GateStep => {
    const at = 1000 + index;
    if (index % 7 === 6) return { op: index % 2 === 0 ? "cancel" : "commit", at, of: `${name}${index - 6}` };
    const request = {
      op: "request",
      at,
      path: index % 2 === 0 ? "/a" : "/b",
      ip: `192.0.${index % 9}.1`,
    } as const;
    return index % 7 === 0 ? { ...request, hold: true, as: `${name}${index}` } : request;
  });

async function logOf(prefix: string, name: string, fault: string | null): Promise<string> {
  const job = { url: server.url, prefix, config: CONFIG, secret: "key", steps: stepsOf(name), fault };
  let log: string | null = null;
  const { ended } = forkProcess<SharedTrialJob, string>(
    "lib/rounds/gates/shared-trial-process.ts",
    job,
    (said) => {
      log = said;
    },
  );
  expect(await ended).toMatchObject({ code: 0 });
  return log!;
}

const audit = (...texts: string[]) =>
  auditGate(
    texts.map((text, index) => ({
      name: `log ${index}`,
      async *blocks() {
        yield Buffer.from(text);
      },
    })),
    { first: 3, isOpen: false },
  );

test("two processes on one server: honest logs agree, a fault of one is found, a log left out is not judged (G11, G12)", {
  timeout: 60_000,
}, async () => {
  const honest = await Promise.all([logOf("honest", "a", null), logOf("honest", "b", null)]);
  const found = await audit(...honest);
  expect(found).toMatchObject({ status: 0, differences: 0, gaps: [], stores: [{ logs: 2 }] });
  expect(found.decisions).toBeGreaterThan(400);
  // Whichever came second lacks at least the beginning.
  const alone = await Promise.all(honest.map((text) => audit(text)));
  expect(alone.map(({ status }) => status)).toContain(3);

  const mixed = await Promise.all([logOf("mixed", "a", null), logOf("mixed", "b", "refused-request-spends")]);
  const caught = await audit(...mixed);
  expect([caught.status, caught.first[0]?.clause]).toEqual([2, "G4"]);
});

test("two gates as they are served: their folders agree, and one alone is not judged", {
  timeout: 60_000,
}, async () => {
  const config = join(folder, "gate.json");
  await writeFile(config, JSON.stringify(CONFIG));
  await writeFile(join(folder, "key"), "a key of more than sixteen bytes");
  const start = async (name: string) => {
    const settings = join(folder, `${name}.json`);
    const log = { folder: join(folder, `log-${name}`), key_file: join(folder, "key") };
    const store = { url: server.url, prefix: "served", timeout_ms: 10_000 };
    await writeFile(settings, JSON.stringify({ store, log }));
    return GateProcess.start(["--config", config, "--settings", settings], join(folder, name));
  };
  const gates = [await start("a"), await start("b")];
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const asked = Array.from({ length: 400 }, (_, index) =>
    ask(`${gates[index % 2]!.url}/check${index % 10 === 0 ? "?hold" : ""}`, {
      agent,
      headers: {
        "x-forwarded-uri": index % 3 === 0 ? "/a" : "/b",
        "x-forwarded-for": `203.0.${index % 9}.7`,
      },
    }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  agent.destroy();
  expect(await Promise.all(gates.map((gate) => gate.stop()))).toEqual([0, 0]);
  const logs = ["a", "b"].map((name) => join(folder, `log-${name}`));
  expect(await readdir(logs[0]!)).toHaveLength(1);
  const options = { first: 3, isOpen: false };
  const found = await auditGateFiles(logs, options);
  expect(found).toMatchObject({ status: 0, decisions: 400, gaps: [], stores: [{ logs: 2 }] });
  for (const log of logs)
    expect(await auditGateFiles([log], options)).toMatchObject({ status: 3, differences: 0 });
});
