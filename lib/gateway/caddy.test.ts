import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findCaddy } from "../../scripts/find-caddy.js";
import { BEHIND_PROXY, freePort, LIES, shownInReadme } from "./behind-proxy.ts";
import { ask, TrialGate } from "./trial-gate.ts";

/** The Caddyfile that the README shows, with places of this test. */
async function caddyfile(port: number, gate: string, service: string): Promise<string> {
  const site = await shownInReadme(/```\n(example\.com \{[\s\S]*?)```/, gate, service);
  return `{\n  admin off\n  auto_https off\n}\n${site.replace("example.com", `:${port}`)}`;
}

const placeOf = (server: Server): string => `127.0.0.1:${(server.address() as AddressInfo).port}`;

const served: string[] = [];
const upstream = createServer((request, response) => {
  served.push(request.url!);
  response.end(`served ${request.url}`);
});
/** What Caddy says to whoever it asks. */
const asked: IncomingHttpHeaders[] = [];
const listener = createServer((request, response) => {
  asked.push(request.headers);
  response.end();
});

let gate: TrialGate;
let folder: string;
const caddies: ChildProcess[] = [];

/** A Caddy that asks somebody, and its own address. */
async function caddyBefore(decider: string, name: string): Promise<string> {
  const program = findCaddy();
  // The test command installs it; a test that passes without it would show nothing.
  if (program === undefined) throw new Error("no Caddy: run `node scripts/find-caddy.js`");
  const port = await freePort();
  const file = join(folder, name);
  await writeFile(file, await caddyfile(port, decider, placeOf(upstream)));
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  caddies.push(spawn(program, ["run", "--config", file, "--adapter", "caddyfile"], { stdio: "ignore", env }));
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => ask(`${url}/`), { interval: 20, timeout: 20_000 });
  return url;
}

let url: string;
beforeAll(async () => {
  for (const server of [upstream, listener]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  gate = await TrialGate.start(BEHIND_PROXY, { check_headers: "forwarded" });
  folder = await mkdtemp(join(tmpdir(), "gate-caddy-"));
  url = await caddyBefore(new URL(gate.url).host, "Caddyfile");
}, 60_000);

afterAll(async () => {
  for (const caddy of caddies) {
    caddy.kill("SIGTERM");
    if (caddy.exitCode === null) await once(caddy, "exit");
  }
  await gate?.end();
  for (const server of [upstream, listener]) server.close();
  await rm(folder, { recursive: true, force: true });
});

const shop = { host: "shop.example" };

test("behind Caddy: 200s pass, a denial is 429 with Retry-After for the client (G9)", async () => {
  const first = await ask(`${url}/api/orders?x=1`, { headers: shop });
  expect(first).toMatchObject({ status: 200, body: "served /api/orders?x=1" });
  expect((await ask(`${url}/api/x`, { headers: shop, method: "POST", body: "hello" })).status).toBe(200);
  const before = served.length;
  const denied = await ask(`${url}/api/orders`, { headers: shop });
  expect(denied.status).toBe(429);
  expect(Number(denied.headers["retry-after"])).toBeGreaterThan(43_000);
  expect(denied.headers.ratelimit).toMatch(/^"two a day";r=0;t=\d+$/);
  expect(served.length).toBe(before);
});

test("behind Caddy a client cannot choose for itself who it is, or what it asks for", async () => {
  for (const lie of LIES)
    expect([lie, (await ask(`${url}/api/x`, { headers: { ...shop, ...lie } })).status]).toEqual([lie, 429]);
});

test("a challenge keeps its status, and what no service serves is 404", async () => {
  const paid = await ask(`${url}/paid/x`);
  expect([paid.status, paid.headers["www-authenticate"]]).toEqual([402, 'Bearer realm="paid"']);
  expect((await ask(`${url}/nowhere`)).status).toBe(404);
});

test("the headers that are read are those that Caddy sends", async () => {
  const plain = await caddyBefore(placeOf(listener), "plain");
  asked.length = 0;
  await ask(`${plain}/api/x?y=%20`, { method: "PUT", headers: shop });
  expect(asked[0]).toMatchObject({
    ...{ "x-forwarded-method": "PUT", "x-forwarded-uri": "/api/x?y=%20" },
    ...{ "x-forwarded-host": "shop.example", "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" },
  });
});

test("a gate that is away lets nobody through", async () => {
  // The last test of this file: the gate behind Caddy goes away.
  await gate.running.close();
  expect((await ask(`${url}/open/x`)).status).toBeGreaterThanOrEqual(500);
});
