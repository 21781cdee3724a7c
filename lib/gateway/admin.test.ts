import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as atomic from "../store/atomic-file.ts";
import { asFileProblem } from "../store/file-problem.ts";
import { readAdminAccess } from "./admin-access.ts";
import { ask, TrialGate, trialConfig } from "./trial-gate.ts";

const config = (requests: number, more: object = {}) =>
  trialConfig({ rules: [{ id: "r", requests, per: "1d" }], ...more });

let gate: TrialGate;
beforeAll(async () => {
  gate = await TrialGate.start(config(2));
});
afterAll(() => gate.end());

const version = () => gate.server.version;
const publish = (value: unknown, from = version(), more: object = {}) =>
  gate.admin("POST", "/publish", { config: value, from, ...more });

test("where it is and what opens it is told to programs of the same user alone", async () => {
  const { data } = gate.running;
  expect(await readAdminAccess(data)).toEqual({ url: gate.adminUrl, token: gate.running.token });
  expect((await stat(join(data, "admin.json"))).mode & 0o777).toBe(0o600);
  expect((await stat(data)).mode & 0o777).toBe(0o700);
  expect(await readAdminAccess(join(data, "versions"))).toBeNull();
});

test.each([
  ["no token", 401, {}],
  ["a wrong token", 401, { authorization: "Bearer 0123456789abcdef0123456789abcdef" }],
  ["another scheme", 401, { authorization: "Basic eDp5" }],
  ["a name that was made to point here", 403, { host: "evil.example" }],
  ["a name that begins like one of ours", 403, { host: "127.0.0.1.evil.example" }],
  ["a page of another site", 403, { origin: "http://evil.example" }],
  ["a page of this machine", 403, { origin: "http://127.0.0.1:8081" }],
  ["a browser's own request", 403, { "sec-fetch-site": "cross-site" }],
])("%s: %d", async (_what, status, headers) => {
  const authorization = `Bearer ${gate.running.token}`;
  const sent = status === 403 ? { authorization, ...headers } : headers;
  const answer = await ask(`${gate.adminUrl}/versions`, { headers: sent as Record<string, string> });
  expect(answer.status).toBe(status);
  expect(answer.body).not.toContain("source");
});

test("stage tells what would change, and changes nothing (G8)", async () => {
  const before = await gate.server.state();
  const staged = await gate.admin("POST", "/stage", { config: config(3, { price: 1 }) });
  expect(staged.status).toBe(200);
  expect(JSON.parse(staged.body)).toMatchObject({
    version: 1,
    config: { services: [{ max_entries: 10_000 }] },
    changes: [
      { kind: "changed", service: "api", rule: null, field: "price", before: 0, after: 1 },
      { kind: "changed", service: "api", rule: "r", field: "requests", before: 2, after: 3 },
      { kind: "changed", service: "api", rule: "r", field: "burst", before: 2, after: 3 },
    ],
  });
  expect({ ...(await gate.server.state()), now_ms: 0 }).toEqual({ ...before, now_ms: 0 });
});

test("what is refused names every problem with its path, and leaves what is live (G1, G8)", async () => {
  const bad = {
    services: [
      {
        name: "api",
        auth: "maybe",
        price: -1,
        rules: [null, { id: "x", path: "(?=a)", requests: 0, per: "1w" }],
      },
    ],
  };
  const refused = await gate.metric("updates_total", 'result="refused"');
  for (const answer of [await gate.admin("POST", "/stage", { config: bad }), await publish(bad)]) {
    expect(answer.status).toBe(422);
    const paths = JSON.parse(answer.body).problems.map(({ path }: { path: string }) => path);
    for (const path of ["auth", "price", "rules[0]", "rules[1].path", "rules[1].requests", "rules[1].per"])
      expect(paths).toContain(`services[0].${path}`);
  }
  expect(version()).toBe(1);
  expect(await gate.metric("updates_total", 'result="refused"')).toBe(refused + 2);
});

test("publish goes over in one step; from a version that is no longer live it is refused (G8)", async () => {
  await gate.check("203.0.113.7");
  const live = version();
  const [one, other] = await Promise.all([
    publish(config(5), live, { note: "more" }),
    publish(config(9), live),
  ]);
  expect([one.status, other.status]).toEqual([200, 409]);
  expect(JSON.parse(one.body)).toMatchObject({
    version: live + 1,
    config: { services: [{ rules: [{ requests: 5 }] }] },
  });
  expect(JSON.parse(other.body).problems[0].message).toMatch(/no longer live/);
  // A raised burst earns its way up (G8): one of two was left, and one more is taken.
  expect((await gate.check("203.0.113.7")).headers.ratelimit).toMatch(/^"r";r=0/);
  expect(await gate.metric("snapshot_version")).toBe(live + 1);
  const versions = JSON.parse((await gate.admin("GET", "/versions")).body);
  expect(versions[0]).toMatchObject({ version: live + 1, source: "admin", note: "more" });
  expect(versions.at(-1)).toMatchObject({ version: 1, source: "file" });
});

test("a roll back is a version of its own, with the configuration of then", async () => {
  const live = version();
  const answer = await gate.admin("POST", "/rollback", { to: 1, from: live });
  expect([answer.status, JSON.parse(answer.body).version]).toEqual([200, live + 1]);
  const detail = JSON.parse((await gate.admin("GET", `/versions/${live + 1}`)).body);
  expect(detail).toMatchObject({
    source: "rollback",
    note: "back to version 1",
    config: { services: [{ rules: [{ requests: 2 }] }] },
  });
  expect(JSON.parse((await gate.admin("GET", `/diff?from=1&to=${live + 1}`)).body)).toEqual([]);
  expect((await gate.admin("POST", "/rollback", { to: 99, from: version() })).status).toBe(404);
  expect((await gate.admin("GET", "/versions/99")).status).toBe(404);
  expect((await gate.admin("GET", "/diff?from=1")).status).toBe(422);
});

test("a version is on the disk before it is live", async () => {
  const { data } = gate.running;
  const file = join(data, "versions", `${String(version()).padStart(8, "0")}.json`);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ version: version(), source: "rollback" });
});

test("the state tells rules, buckets against their bound, and the ledger", async () => {
  await gate.check("203.0.113.99", "/", "?hold");
  const state = JSON.parse((await gate.admin("GET", "/state")).body);
  expect(state).toMatchObject({ version: version(), store: "memory", ready: true, log: null });
  const [service] = state.services;
  expect(service).toMatchObject({ name: "api", entries: 1, max_entries: 10_000, unchecked: 0 });
  const { reserved, committed, cancelled, expired, outstanding } = service.ledger;
  expect(outstanding).toBeLessThanOrEqual(1);
  expect(reserved).toBe(committed + cancelled + expired + outstanding);
  expect(service.rules[0]).toMatchObject({ id: "r", path: null, requests: 2, per: "1d", burst: 2 });
});

test.each([
  ["no JSON", "{", 422],
  ["a key twice", '{"config": {}, "config": {}}', 422],
  ["an unknown field", '{"config": {}, "from": 1, "force": true}', 422],
  ["no version", '{"config": {}}', 422],
  ["no object", "[]", 422],
])("a body that is %s is refused", async (_what, body, status) => {
  const headers = { authorization: `Bearer ${gate.running.token}`, "content-type": "application/json" };
  const answer = await ask(`${gate.adminUrl}/publish`, { method: "POST", headers, body });
  expect([answer.status, JSON.parse(answer.body).problems.length > 0]).toEqual([status, true]);
});

test("JSON in another dress, too much of it, and routes that are none", async () => {
  const authorization = `Bearer ${gate.running.token}`;
  const plain = { authorization, "content-type": "text/plain" };
  expect((await ask(`${gate.adminUrl}/stage`, { method: "POST", headers: plain, body: "{}" })).status).toBe(
    415,
  );
  const json = { authorization, "content-type": "application/json" };
  const much = JSON.stringify({ config: "x".repeat(17 * 1024 * 1024) });
  expect((await ask(`${gate.adminUrl}/stage`, { method: "POST", headers: json, body: much })).status).toBe(
    413,
  );
  for (const path of ["/", "/constructor", "/versions/x", "/publish"])
    expect((await gate.admin("GET", path)).status).toBe(404);
  expect(gate.reported).toEqual([]);
});

test.each(["ENOSPC", "EROFS", "EACCES"])(
  "a version that the disk does not take (%s) is told so, is not live, and is not there after a restart either",
  async (code) => {
    const before = version();
    const kept = await readdir(join(gate.running.data, "versions"));
    const refusing = vi.spyOn(atomic, "writeFileAtomic").mockImplementation(async (path, chunks) => {
      // As where it is in its place and the folder cannot be brought to the disk.
      for await (const chunk of chunks) await writeFile(path, chunk);
      throw asFileProblem(path, Object.assign(new Error(code), { code }));
    });
    const answer = await publish(config(7));
    refusing.mockRestore();
    expect(answer.status).toBe(507);
    expect(JSON.parse(answer.body)).toEqual({
      problems: [
        {
          file: "versions",
          path: "",
          message: expect.stringMatching(/^could not be stored, and the live version stays: /),
        },
      ],
    });
    expect(version()).toBe(before);
    expect(await readdir(join(gate.running.data, "versions"))).toEqual(kept);
    expect(gate.reported.splice(0)).toHaveLength(1);
    expect((await publish(config(7))).status).toBe(200);
  },
);
