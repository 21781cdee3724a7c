import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startGate } from "./start.ts";
import { ask, TrialGate, trialConfig } from "./trial-gate.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gate-start-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = async (name: string, value: unknown) => {
  const path = join(folder, name);
  await writeFile(path, typeof value === "string" ? value : JSON.stringify(value, null, 1));
  return path;
};

/** The problems of a gate that must not start; one that does is ended. */
async function problems(config: unknown, settings: unknown): Promise<(string | number | undefined)[][]> {
  const free =
    typeof settings === "string"
      ? settings
      : { listen: { port: 0 }, admin: { port: 0 }, data: "data", ...(settings as object) };
  const started = await startGate({
    config: await write("gate.json", config),
    settings: await write("settings.json", free),
  });
  if (started.ok) {
    await started.value.close();
    throw new Error("it started");
  }
  return started.problems.map(({ file, line, path, message }) => [
    file.split("/").at(-1)!,
    line,
    path,
    message,
  ]);
}

const config = (requests: number) => trialConfig({ rules: [{ id: "r", requests, per: "1d" }] });

test("a bad configuration starts nothing, and every problem is listed with line and path (G1, §1)", async () => {
  const bad = {
    services: [
      { name: "a", auth: "off", price: 0, rules: [{ id: "r", requests: 1.5, per: "1x" }], hosts: "x" },
      { name: "a", auth: "on", rules: {} },
    ],
  };
  const found = await problems(bad, {});
  expect(found.map(([file, , path]) => [file, path]).sort()).toEqual(
    [
      "services[0].hosts",
      "services[0].rules[0].per",
      "services[0].rules[0].requests",
      "services[1].name",
      "services[1].price",
      "services[1].rules",
    ].map((path) => ["gate.json", path]),
  );
  expect(found.find(([, , path]) => path === "services[0].rules[0].requests")![1]).toBe(10);
});

test("problems of settings and configuration are told together", async () => {
  const found = await problems(
    { services: [] },
    { listen: { port: 70_000 }, admin: { host: "0.0.0.0", port: 0 }, verbose: true },
  );
  expect(found.map(([file, , path]) => `${file} ${path}`).sort()).toEqual([
    "gate.json services",
    "settings.json admin.host",
    "settings.json listen.port",
    "settings.json verbose",
  ]);
});

test.each([
  ["two keys", { secret: "x".repeat(32), keys_url: "https://a.example" }, "credentials.bearer"],
  ["a secret for RSA", { secret: "x".repeat(32), algorithms: ["RS256"] }, "credentials.bearer.algorithms[0]"],
  [
    "HMAC with public keys",
    { keys_url: "https://a.example", algorithms: ["ES256", "HS256"] },
    "credentials.bearer.algorithms[1]",
  ],
  ["no algorithm at all", { secret: "x".repeat(32), algorithms: [] }, "credentials.bearer.algorithms"],
  ["unsigned tokens", { secret: "x".repeat(32), algorithms: ["none"] }, "credentials.bearer.algorithms[0]"],
  ["a secret that can be guessed", { secret: "x".repeat(31) }, "credentials.bearer.secret"],
])("credentials with %s start nothing", async (_what, bearer, path) => {
  const found = await problems(config(2), { credentials: { bearer: { algorithms: ["HS256"], ...bearer } } });
  expect(found.map(([, , at]) => at)).toEqual([path]);
});

test("files that are missing or are not what they are taken for start nothing", async () => {
  const bearer = { keys_file: "keys.json", algorithms: ["RS256"] };
  expect(await problems(config(2), { credentials: { bearer } })).toEqual([
    ["keys.json", undefined, "", expect.any(String)],
  ]);
  await write("keys.json", { keys: [] });
  expect(await problems(config(2), { credentials: { bearer } })).toEqual([
    ["keys.json", undefined, "", expect.any(String)],
  ]);
  expect(await problems("{", {})).toMatchObject([["gate.json", 1, "", expect.any(String)]]);
  expect(await problems('{"services": [], "services": []}', {})).toMatchObject([
    ["gate.json", 1, "services", expect.any(String)],
  ]);
  expect(await problems(config(2), "[]")).toMatchObject([["settings.json", 1, "", expect.any(String)]]);
  expect(
    await startGate({
      config: join(folder, "nowhere.json"),
      overrides: { port: "0", adminPort: "0", data: join(folder, "d") },
    }),
  ).toMatchObject({
    ok: false,
    problems: [{ message: "there is no such file" }],
  });
  expect(
    await startGate({ overrides: { port: "x", adminPort: "0", data: join(folder, "d") } }),
  ).toMatchObject({ ok: false, problems: [{ path: "listen.port" }] });
});

test("a port that is taken starts nothing, and leaves no version", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  expect(await problems(config(2), { listen: { port } })).toMatchObject([
    ["settings", undefined, "", expect.stringMatching(/EADDRINUSE/)],
  ]);
  expect(await readdir(join(folder, "data", "versions"))).toEqual([]);
  taken.close();
});

test("a data folder has one gate at a time", async () => {
  const gate = await TrialGate.start(config(2), {}, folder);
  expect(await problems(config(2), {})).toMatchObject([
    ["data", undefined, "", expect.stringMatching(/in use/)],
  ]);
  await gate.running.close();
});

test("what was published survives a restart; an edited file is the next version", async () => {
  let gate = await TrialGate.start(config(2), {}, folder);
  await gate.admin("POST", "/publish", { config: config(7), from: 1 });
  const { token } = gate.running;
  await gate.running.close();

  gate = await TrialGate.start(config(2), {}, folder);
  expect([gate.server.version, gate.running.token]).toEqual([2, token]);
  expect((await gate.check("10.0.0.1")).headers["ratelimit-policy"]).toBe('"r";q=7;w=86400');
  await gate.running.close();

  gate = await TrialGate.start(config(3), {}, folder);
  expect(gate.server.version).toBe(3);
  expect(
    JSON.parse((await gate.admin("GET", "/versions")).body).map(({ source }: { source: string }) => source),
  ).toEqual(["file", "admin", "file"]);
  await gate.running.close();

  const started = await startGate({ overrides: { port: "0", adminPort: "0", data: join(folder, "data") } });
  if (!started.ok) throw new Error("it did not go on without a file");
  expect(started.value.server.version).toBe(3);
  await started.value.close();
});

test("free requests that were had stay had after a restart, unless memory is wanted (G7)", async () => {
  const free = trialConfig({ auth: { freebie: 1 }, price: 3 });
  for (const [settings, statuses] of [
    [{}, [200, 402]],
    [{}, [402]],
    [{ freebies: "memory" }, [200, 402]],
    [{}, [402]],
  ] as const) {
    const gate = await TrialGate.start(free, settings, folder);
    for (const status of statuses) expect((await gate.check("10.0.0.1")).status).toBe(status);
    await gate.running.close();
  }
});

test("a history that cannot be read starts nothing: a version less would be another limit", async () => {
  await mkdir(join(folder, "data", "versions"), { recursive: true });
  await writeFile(join(folder, "data", "versions", "00000001.json"), "{");
  await writeFile(join(folder, "data", "versions", "00000002.json"), '{"version": 3}');
  const found = await problems(config(2), {});
  expect(new Set(found.map(([file]) => file))).toEqual(new Set(["00000001.json", "00000002.json"]));
});

test("a shutdown waits for requests under way, ends every held admission, and takes no more", async () => {
  const answers: (() => void)[] = [];
  const upstream = createServer((_request, response) => answers.push(() => response.end("done"))).listen(
    0,
    "127.0.0.1",
  );
  await new Promise((resolve) => upstream.once("listening", resolve));
  const { port } = upstream.address() as AddressInfo;
  const gate = await TrialGate.start(
    trialConfig({ upstream: `http://127.0.0.1:${port}`, rules: [{ id: "r", requests: 9, per: "1d" }] }),
    {},
    folder,
  );
  await gate.check("10.0.0.1", "/", "?hold");
  await gate.check("10.0.0.2", "/", "?hold");
  const under = gate.ask("/slow");
  await expect.poll(() => answers.length, { interval: 5 }).toBe(1);
  const closing = gate.running.close();
  await expect(ask(`${gate.url}/healthz`)).rejects.toThrow();
  answers[0]!();
  expect((await under).body).toBe("done");
  expect(await closing).toBe(2);
  expect(gate.told.ends.map(({ ended }) => ended)).toEqual(["committed", "committed", "committed"]);
  const held = gate.told.decisions.filter(({ hold }) => hold !== null).map(({ hold }) => hold);
  expect(new Set(gate.told.ends.map(({ hold }) => hold))).toEqual(new Set(held));
  upstream.close();
});

test("a shutdown does not wait for ever", async () => {
  const upstream = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => upstream.once("listening", resolve));
  const { port } = upstream.address() as AddressInfo;
  const gate = await TrialGate.start(
    trialConfig({ upstream: `http://127.0.0.1:${port}` }),
    { shutdown_ms: 50 },
    folder,
  );
  const under = gate.ask("/never").catch((error: Error) => error.message);
  await expect.poll(() => gate.told.decisions.length, { interval: 5 }).toBe(1);
  await gate.running.close();
  expect(await under).toMatch(/hang up|ECONNRESET/);
  expect(gate.told.ends).toMatchObject([{ ended: "committed" }]);
  upstream.close();
  upstream.closeAllConnections();
});

test("what is held and never ended expires as committed, without any request (G4)", async () => {
  const gate = await TrialGate.start(trialConfig({}, { hold_ms: 1 }), {}, folder);
  await gate.check("10.0.0.1", "/", "?hold");
  await expect
    .poll(async () => (await gate.server.state()).services[0]!.ledger!.expired, { interval: 10 })
    .toBe(1);
  expect(await gate.running.close()).toBe(0);
});

test("the decision log is written where one is wanted, and closed by the shutdown (G11)", async () => {
  const gate = await startGate({
    config: await write("gate.json", config(2)),
    overrides: { port: "0", adminPort: "0", data: join(folder, "data"), log: join(folder, "log") },
  });
  if (!gate.ok) throw new Error(JSON.stringify(gate.problems));
  const { port } = gate.value.places.listen;
  for (const status of [200, 200, 429]) expect((await ask(`http://127.0.0.1:${port}/x`)).status).toBe(status);
  await gate.value.close();
  const [file] = await readdir(join(folder, "log"));
  const lines = (await readFile(join(folder, "log", file!), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(({ line }) => line)).toEqual([
    "header",
    "publish",
    "decision",
    "decision",
    "decision",
    "tally",
    "close",
  ]);
  expect(lines.filter(({ verdict }) => verdict === "denied")).toHaveLength(1);
  expect(lines[5]).toMatchObject({ ledger: { reserved: 2, committed: 2, outstanding: 0 } });
});
