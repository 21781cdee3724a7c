import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { apiKeyDigest } from "../gateway/credentials/api-keys.ts";
import { TrialFolder } from "../rounds/trials/trial-folder.ts";
import { main } from "./main.ts";

let out: string[] = [];
let err: string[] = [];
beforeEach(() => {
  [out, err] = [[], []];
  vi.spyOn(console, "log").mockImplementation((line) => void out.push(String(line)));
  vi.spyOn(console, "error").mockImplementation((line) => void err.push(String(line)));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

test("a bad configuration does not start: 3, every problem on a line of its own, nothing on stdout", () =>
  TrialFolder.use(async ({ path }) => {
    const config = join(path, "gate.json");
    await writeFile(
      config,
      '{\n"services": [\n{ "name": "a", "auth": "off", "price": -1, "rules": [null] } ] }',
    );
    const free = ["--port", "0", "--admin-port", "0", "--data", join(path, "data")];
    expect(await main(["gate", "--config", config, ...free])).toBe(3);
    expect(err).toEqual([
      expect.stringMatching(/gate\.json, line 3, services\[0\]\.price: /),
      expect.stringMatching(/gate\.json, line 3, services\[0\]\.rules\[0\]: /),
      "gate: not started: 2 problems",
    ]);
    expect(out).toEqual([]);
  }));

test("no configuration does not start: 3; the environment names one as an option does", () =>
  TrialFolder.use(async ({ path }) => {
    const free = ["--port", "0", "--admin-port", "0", "--data", join(path, "data")];
    expect(await main(["gate", ...free])).toBe(3);
    expect(err[0]).toMatch(/--config or THROTTLE_GATE_CONFIG/);
    vi.stubEnv("THROTTLE_GATE_CONFIG", join(path, "nowhere.json"));
    expect(await main(["gate", ...free])).toBe(3);
    expect(err[2]).toMatch(/nowhere\.json: there is no such file/);
  }));

test("an API key is told once; its entry holds the digest alone", async () => {
  expect(await main(["gate-key", "alice"])).toBe(0);
  const { key, entry } = JSON.parse(out[0]!);
  expect(entry).toEqual({ id: "alice", sha256: apiKeyDigest(key) });
  expect(key.length).toBeGreaterThan(40);
  await main(["gate-key", "alice"]);
  expect(JSON.parse(out[1]!).key).not.toBe(key);
});
