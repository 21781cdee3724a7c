import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findNginx } from "../../scripts/find-nginx.js";
import { BEHIND_PROXY, freePort, LIES, shownInReadme } from "./behind-proxy.ts";
import { ask, TrialGate } from "./trial-gate.ts";

const seen: IncomingMessage[] = [];
const upstream = createServer((request, response) => {
  seen.push(request);
  response.end(`served ${request.url}`);
});
let gate: TrialGate;
let nginx: ChildProcess;
let folder: string;
let url: string;

beforeAll(async () => {
  const program = findNginx();
  // The test command installs it; a test that passes without it would show nothing.
  if (program === undefined) throw new Error("no nginx: run `node scripts/find-nginx.js`");
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  gate = await TrialGate.start(BEHIND_PROXY);
  folder = await mkdtemp(join(tmpdir(), "gate-nginx-"));
  await chmod(folder, 0o755);
  await mkdir(join(folder, "tmp"));
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/tmp/${name};`)
    .join(" ");
  const server = await shownInReadme(
    /```nginx\n([\s\S]*?)```/,
    new URL(gate.url).host,
    `127.0.0.1:${(upstream.address() as AddressInfo).port}`,
  );
  await writeFile(
    join(folder, "nginx.conf"),
    `daemon off; user ${userInfo().username}; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log warn;
events { worker_connections 64; }
http { access_log off; ${temporary}
${server.replace("listen 80;", `listen 127.0.0.1:${port};`)} }`,
  );
  nginx = spawn(program, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => ask(`${url}/`), { interval: 20, timeout: 10_000 });
});

afterAll(async () => {
  if (nginx?.exitCode === null) {
    nginx.kill("SIGTERM");
    await once(nginx, "exit");
  }
  await gate?.end();
  upstream.close();
  await rm(folder, { recursive: true, force: true });
});

const shop = { host: "shop.example" };

test("behind nginx: 200s pass with the limit's fields, a denial is 429 with Retry-After for the client (G9)", async () => {
  const first = await ask(`${url}/api/orders?x=1`, { headers: shop });
  expect(first).toMatchObject({ status: 200, body: "served /api/orders?x=1" });
  expect(first.headers.ratelimit).toMatch(/^"two a day";r=1;t=\d+$/);
  expect(
    (await ask(`${url}/api/%2e%2e/api/x`, { headers: shop, method: "POST", body: "hello" })).status,
  ).toBe(200);
  const before = seen.length;
  const denied = await ask(`${url}/api/orders`, { headers: shop });
  expect(denied.status).toBe(429);
  expect(Number(denied.headers["retry-after"])).toBeGreaterThan(43_000);
  expect(denied.headers.ratelimit).toMatch(/^"two a day";r=0;t=\d+$/);
  expect(denied.headers["ratelimit-policy"]).toBe('"two a day";q=2;w=86400');
  expect(seen.length).toBe(before);
});

test("behind nginx a client cannot choose for itself who it is, or what it asks for", async () => {
  for (const lie of LIES)
    expect([lie, (await ask(`${url}/api/x`, { headers: { ...shop, ...lie } })).status]).toEqual([lie, 429]);
});

test("a challenge keeps its status, and what no service serves is 404", async () => {
  const paid = await ask(`${url}/paid/x`);
  expect([paid.status, paid.headers["www-authenticate"]]).toEqual([402, 'Bearer realm="paid"']);
  expect((await ask(`${url}/nowhere`)).status).toBe(404);
  expect((await ask(`${url}/open/x`)).body).toBe("served /open/x");
});

test("a gate that is away lets nobody through", async () => {
  // The last test of this file: the gate behind nginx goes away.
  await gate.running.close();
  expect((await ask(`${url}/open/x`)).status).toBeGreaterThanOrEqual(500);
});
