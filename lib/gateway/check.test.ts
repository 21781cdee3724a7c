import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, TrialGate, trialConfig } from "./trial-gate.ts";

const rules = (requests: number, per = "1d") => [{ id: "r", requests, per }];
const services = [
  { name: "two", path: "^/two", auth: "off", price: 0, rules: rules(2) },
  { name: "none", path: "^/none", auth: "off", price: 0, rules: [] },
  { name: "paid", path: "^/paid", auth: "on", price: 7, rules: rules(2) },
  { name: "asks", path: "^/asks", auth: "on", price: 7, challenge: 401, rules: rules(2) },
  { name: "free", path: "^/free", auth: { freebie: 1 }, price: 7, rules: rules(9) },
  { name: "host", host: "^shop\\.example$", auth: "off", price: 0, rules: rules(2) },
  {
    name: "full",
    path: "^/full",
    auth: "off",
    price: 0,
    max_entries: 1,
    on_pressure: "deny",
    rules: rules(2),
  },
];

let gate: TrialGate;
beforeAll(async () => {
  gate = await TrialGate.start({ services, trusted_proxies: ["127.0.0.0/8"] });
});
afterAll(() => gate.end());

/** What is left of half a day some moments later. */
const HALF_A_DAY = expect.stringMatching(/^43(?:200|1[0-9]{2})$/);

let clients = 0;
/** An address that was never seen. */
const fresh = () => `10.${++clients}.0.1`;

test("200 while tokens last, then 429 with what a client needs to come back (G9)", async () => {
  const client = fresh();
  expect(await gate.check(client, "/two")).toMatchObject({
    status: 200,
    body: "",
    headers: {
      "ratelimit-policy": '"r";q=2;w=86400',
      ratelimit: expect.stringMatching(/^"r";r=1;t=43(?:200|1..)$/),
    },
  });
  await gate.check(client, "/two");
  const { status, headers, body } = await gate.check(client, "/two");
  expect(status).toBe(429);
  expect(headers).toMatchObject({ "content-type": "application/problem+json", "retry-after": HALF_A_DAY });
  expect(headers.ratelimit).toBe(`"r";r=0;t=${headers["retry-after"]}`);
  expect(JSON.parse(body)).toMatchObject({
    type: "https://iana.org/assignments/http-problem-types#quota-exceeded",
    status: 429,
    "violated-policies": ["r"],
    reason: "rate",
    service: "two",
  });
});

test("?deny=403: what nginx can tell apart, with the true status beside it (G9)", async () => {
  const client = fresh();
  expect((await gate.check(client, "/two", "?deny=403")).status).toBe(200);
  await gate.check(client, "/two", "?deny=403");
  const denied = await gate.check(client, "/two", "?deny=403");
  expect(denied.status).toBe(403);
  expect(denied.headers).toMatchObject({ "x-ratelimit-status": "429", "retry-after": HALF_A_DAY });
  for (const [path, status] of [
    ["/paid", "402"],
    ["/asks", "401"],
    ["/nowhere", "404"],
  ] as const)
    expect(await gate.check(client, path, "?deny=403")).toMatchObject({
      status: 403,
      headers: { "x-ratelimit-status": status },
    });
});

test("a challenge is 402 with the price, or 401; either names what would do (G7)", async () => {
  const paid = await gate.check(fresh(), "/paid");
  expect(paid).toMatchObject({ status: 402, headers: { "www-authenticate": 'Bearer realm="paid"' } });
  expect(JSON.parse(paid.body)).toMatchObject({ price: 7, service: "paid" });
  expect(await gate.check(fresh(), "/asks")).toMatchObject({
    status: 401,
    headers: { "www-authenticate": 'Bearer realm="asks"', ratelimit: '"r";r=2' },
  });
});

test("one free request, then a challenge (G7)", async () => {
  const client = fresh();
  expect((await gate.check(client, "/free")).status).toBe(200);
  expect((await gate.check(client, "/free")).status).toBe(402);
});

test("no rule: 200 without fields; no service: 404; no room: 429 without Retry-After (G6, G9)", async () => {
  const { status, headers } = await gate.check(fresh(), "/none");
  expect([status, headers.ratelimit, headers["ratelimit-policy"]]).toEqual([200, undefined, undefined]);
  expect((await gate.check(fresh(), "/nowhere")).status).toBe(404);
  await gate.check(fresh(), "/full");
  const full = await gate.check(fresh(), "/full");
  expect([full.status, full.headers["retry-after"], full.headers.ratelimit]).toEqual([
    429,
    undefined,
    '"r";r=2',
  ]);
  expect(JSON.parse(full.body)).toMatchObject({ reason: "capacity", "violated-policies": [] });
});

test("a denied gRPC request is no 200 to the proxy that asks, for that would let it through", async () => {
  const client = fresh();
  const grpc = { "content-type": "application/grpc+proto" };
  for (let round = 0; round < 2; round += 1) await gate.check(client, "/two", "", grpc);
  expect((await gate.check(client, "/two", "", grpc)).status).toBe(429);
});

test("gRPC clients of the gate itself get HTTP 200 and a status of gRPC (G9)", async () => {
  const headers = { "content-type": "application/grpc", "x-forwarded-for": fresh() };
  const get = (path: string) => gate.ask(path, { method: "POST", headers });
  for (let round = 0; round < 2; round += 1)
    expect((await get("/two")).headers["grpc-status"]).toBeUndefined();
  expect(await get("/two")).toMatchObject({
    status: 200,
    headers: { "content-type": "application/grpc", "grpc-status": "8", "retry-after": HALF_A_DAY },
  });
  expect(await get("/paid")).toMatchObject({ status: 200, headers: { "grpc-status": "16" } });
  const near = { "content-type": "application/grpc-web", "x-forwarded-for": fresh() };
  expect((await gate.ask("/paid", { method: "POST", headers: near })).status).toBe(402);
});

test("both families of headers are known; nginx's whole address too (G9)", async () => {
  const of = (headers: Record<string, string>) =>
    gate.ask("/check", { headers: { "x-forwarded-for": fresh(), ...headers } });
  const served = async (headers: Record<string, string>) => (await of(headers)).headers["ratelimit-policy"];
  expect(await served({ "x-forwarded-uri": "/two?x" })).toBe('"r";q=2;w=86400');
  expect(await served({ "x-original-uri": "/two?x", "x-original-method": "POST" })).toBe('"r";q=2;w=86400');
  expect(await served({ "x-original-url": "http://a.example/two" })).toBe('"r";q=2;w=86400');
  expect(await served({ "x-original-url": "https://shop.example/" })).toBe('"r";q=2;w=86400');
  expect(await served({ "x-original-uri": "/", "x-original-host": "shop.example" })).toBe('"r";q=2;w=86400');
  expect(await served({ "x-forwarded-uri": "/", "x-forwarded-host": "Shop.example:443" })).toBe(
    '"r";q=2;w=86400',
  );
  expect(await served({ "x-original-uri": "/", host: "shop.example" })).toBe('"r";q=2;w=86400');
});

test.each([
  ["a path of its own", { "x-original-uri": "/two", "x-forwarded-uri": "/none" }],
  [
    "a host of its own",
    { "x-original-uri": "/", "x-forwarded-uri": "/", "x-forwarded-host": "shop.example" },
  ],
  ["hops of its own", { "x-forwarded-uri": "/two", "x-original-for": "203.0.113.9" }],
  ["a second path", { "x-forwarded-uri": ["/none", "/two"] }],
])("a client that adds %s to its proxy's headers is not believed", async (_what, headers) => {
  const all = { "x-forwarded-for": fresh(), ...headers };
  expect((await gate.ask("/check", { headers: all })).status).toBe(400);
  expect(await gate.ask("/check?deny=403", { headers: all })).toMatchObject({
    status: 403,
    headers: { "x-ratelimit-status": "400" },
  });
});

test("a host that only the other family tells is not taken", async () => {
  const headers = { "x-original-uri": "/", "x-forwarded-host": "shop.example", "x-forwarded-for": fresh() };
  expect((await gate.ask("/check", { headers })).status).toBe(404);
});

test("who asks is not believed about whom it asks for, unless it is trusted (G3)", async () => {
  await TrialGate.use(trialConfig({}, { trusted_proxies: ["192.0.2.0/24"] }), {}, async (distant) => {
    for (const status of [200, 200, 429]) expect((await distant.check(fresh())).status).toBe(status);
    const { headers } = await distant
      .check(fresh(), "/x", "", { "x-original-for": fresh() })
      .then(() => distant.check("127.0.0.1"));
    expect(headers.ratelimit).toMatch(/;r=0/);
  });
});

test("a held admission ends once: 204, then 409 with how it ended, 404 where nobody knows it (G9)", async () => {
  const client = fresh();
  const held = await gate.check(client, "/two", "?hold");
  const { admission, hold_ms } = JSON.parse(held.body);
  expect(hold_ms).toBe(30_000);
  expect(held.headers).toMatchObject({ "x-admission-id": admission, location: `/admissions/${admission}` });
  expect((await gate.check(client, "/two")).headers.ratelimit).toMatch(/;r=0/);
  const end = (how: string, id = admission) => gate.ask(`/admissions/${id}/${how}`, { method: "POST" });
  expect((await end("cancel")).status).toBe(204);
  const again = await end("commit");
  expect([again.status, JSON.parse(again.body).state]).toEqual([409, "cancelled"]);
  expect((await gate.check(client, "/two")).status).toBe(200);
  expect((await end("commit", "00000000-0000-4000-8000-000000000000")).status).toBe(404);
  expect((await end("commit", "../x")).status).toBe(404);
  expect((await gate.ask(`/admissions/${admission}/commit`)).status).toBe(405);
});

test("what reserves nothing is not held; what is denied has no admission", async () => {
  expect(JSON.parse((await gate.check(fresh(), "/none", "?hold")).body)).toEqual({
    admission: null,
    hold_ms: null,
  });
  const { status, headers } = await gate.check(fresh(), "/paid", "?hold");
  expect([status, headers["x-admission-id"]]).toEqual([402, undefined]);
  expect((await gate.check(fresh(), "/two", "?hold=0")).headers["x-admission-id"]).toBeUndefined();
});

test("healthz and readyz; a path of the same beginning is none of the gate's own", async () => {
  expect(await gate.ask("/healthz")).toMatchObject({ status: 200, body: "ok\n" });
  expect(await gate.ask("/readyz?x")).toMatchObject({ status: 200, body: "ready\n" });
  expect((await gate.ask("/checkout")).status).toBe(404);
});

test("endpoints on a port of their own leave every path to the services", async () => {
  const config = trialConfig({ rules: [] });
  await TrialGate.use(config, { endpoints: { port: 0 } }, async (apart) => {
    expect((await apart.ask("/metrics")).body).toBe("");
    const own = `http://127.0.0.1:${apart.running.places.endpoints!.port}`;
    expect((await ask(`${own}/metrics`)).body).toContain("tenantthrottle_gate_snapshot_version 1");
    expect((await ask(`${own}/anything`)).status).toBe(404);
    expect((await ask(`${own}/check`, { headers: { "x-forwarded-uri": "/" } })).status).toBe(200);
  });
});

test("an absolute request target names its own host", async () => {
  const get = (target: string) =>
    gate.ask("", { target, headers: { host: "shop.example", "x-forwarded-for": fresh() } });
  expect((await get("http://shop.example/x")).status).toBe(200);
  expect((await get("http://user@SHOP.example:80")).status).toBe(200);
  expect((await get("http://a.example/x")).status).toBe(404);
  expect((await get("http://a.example/two")).headers.ratelimit).toMatch(/r=1/);
});
