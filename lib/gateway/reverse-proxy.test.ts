import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, createServer as createSocketServer } from "node:net";
import type { Duplex } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask, TrialGate } from "./trial-gate.ts";

/** An upstream that tells what it got, and does what the path says. */
class Upstream {
  readonly seen: IncomingMessage[] = [];
  readonly #server: Server;
  aborted = Promise.withResolvers<void>();

  constructor() {
    this.#server = createServer((incoming, response) => void this.#serve(incoming, response));
    this.#server.on("upgrade", (incoming, socket) => this.#upgrade(incoming, socket));
  }

  async listen(): Promise<string> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    this.seen.push(incoming);
    if (incoming.url!.startsWith("/slow")) return void response.on("close", () => this.aborted.resolve());
    if (incoming.url!.startsWith("/breaks")) return void incoming.socket.destroy();
    if (incoming.url!.startsWith("/half")) {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      return void setTimeout(() => response.destroy(), 20);
    }
    if (incoming.url!.startsWith("/echo")) {
      response.writeHead(201, { "x-upstream": "1", "keep-alive": "timeout=1", ratelimit: '"theirs";r=1' });
      return void incoming.pipe(response);
    }
    for await (const _ of incoming);
    response.end(JSON.stringify({ url: incoming.url, headers: incoming.headers, raw: incoming.rawHeaders }));
  }

  #upgrade(incoming: IncomingMessage, socket: Duplex): void {
    this.seen.push(incoming);
    if (incoming.url === "/refuses-ws")
      return void socket.end("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    socket.on("error", () => {});
    socket.pipe(socket);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const upstream = new Upstream();
let gate: TrialGate;
beforeAll(async () => {
  const base = await upstream.listen();
  const of = (name: string, upstreamUrl: string, more: object = {}) => ({
    name,
    path: `^/${name}`,
    upstream: upstreamUrl,
    auth: "off",
    price: 0,
    rules: [{ id: "r", requests: 1000, per: "1d" }],
    ...more,
  });
  const services = [
    of("gone", "http://127.0.0.1:1"),
    of("unknown", "http://no-such-host.invalid/"),
    of("one", base, { rules: [{ id: "r", requests: 1, per: "1d" }] }),
    of("below", `${base}/base/`),
    of("free", "http://127.0.0.1:1", { auth: { freebie: 1 }, price: 3 }),
    of("", base),
  ].map((service) => (service.name === "" ? { ...service, name: "all" } : service));
  const config = { services, trusted_proxies: ["192.0.2.0/24"] };
  const credentials = { trusted_header: "x-user" };
  gate = await TrialGate.start(config, { credentials, upstream_timeout_ms: 10000 });
});
afterAll(async () => {
  await gate.end();
  upstream.close();
});

const ledgerOf = async (name: string) => {
  const state = await gate.server.state();
  return state.services.find((service) => service.name === name)!.ledger!;
};

/** What an action adds to the ledger of a service. */
async function added(name: string, action: () => Promise<unknown>) {
  const before = await ledgerOf(name);
  await action();
  const after = await ledgerOf(name);
  const since = (key: keyof typeof after) => after[key] - before[key];
  return { reserved: since("reserved"), committed: since("committed"), cancelled: since("cancelled") };
}

const committed = { reserved: 1, committed: 1, cancelled: 0 };
const cancelled = { reserved: 1, committed: 0, cancelled: 1 };
const settled = () => expect.poll(async () => (await ledgerOf("all")).outstanding, { interval: 5 }).toBe(0);

test("what is forwarded is the path as it came (G2); bodies stream, fields of the limit go with the answer", async () => {
  const body = "x".repeat(300_000);
  const path = "/echo/a%2Fb//../c?x=%20&y#z";
  const answer = await gate.ask(path, { method: "POST", body });
  expect(answer).toMatchObject({ status: 201, body, headers: { "x-upstream": "1" } });
  expect(answer.headers.ratelimit).toMatch(/^"r";r=\d+;t=\d+$/);
  expect(answer.headers["keep-alive"]).not.toBe("timeout=1");
  expect(upstream.seen.at(-1)!.url).toBe(path);
  expect(JSON.parse((await gate.ask("/below//x/../y?z")).body).url).toBe("/base/below//x/../y?z");
});

test("an upstream may believe X-Forwarded-*: what a stranger says of hops, hosts and users is replaced", async () => {
  const lies = {
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-host": "bank.example",
    "x-forwarded-proto": "https",
    "x-real-ip": "203.0.113.9",
    forwarded: "for=203.0.113.9",
    "x-user": "root",
    host: "a.example",
  };
  const { headers } = JSON.parse((await gate.ask("/told", { headers: lies })).body);
  expect(headers).toMatchObject({
    host: "a.example",
    "x-forwarded-for": "127.0.0.1",
    "x-forwarded-host": "a.example",
    "x-forwarded-proto": "http",
  });
  for (const name of ["x-real-ip", "forwarded", "x-user"]) expect(headers[name]).toBeUndefined();
});

test("an absolute request target names the host that the upstream is told (RFC 9112 §3.2.2)", async () => {
  const { url, headers } = JSON.parse((await gate.ask("", { target: "http://shop.example/x?y" })).body);
  expect([url, headers.host, headers["x-forwarded-host"]]).toEqual(["/x?y", "shop.example", "shop.example"]);
});

test("requests that wait for an upstream keep no other from it, however many they are", async () => {
  const waiting = Array.from({ length: 300 }, () => gate.ask("/slow/many"));
  await expect.poll(() => upstream.seen.filter(({ url }) => url === "/slow/many").length).toBe(300);
  expect((await gate.ask("/told")).status).toBe(200);
  expect((await Promise.all(waiting)).every(({ status }) => status === 502)).toBe(true);
});

test("headers of one connection are not passed on, nor can a client drop what the gate adds (RFC 9110 §7.6.1)", async () => {
  const { headers } = JSON.parse(
    (
      await gate.ask("/told", {
        headers: {
          connection: "close, X-Private, X-Forwarded-For, X-Forwarded-Host",
          "x-private": "1",
          "keep-alive": "timeout=9",
          te: "trailers, deflate",
          "proxy-authorization": "Basic x",
          upgrade: "h2c",
        },
      })
    ).body,
  );
  for (const name of ["x-private", "keep-alive", "proxy-authorization", "upgrade"])
    expect(headers[name]).toBeUndefined();
  expect(headers).toMatchObject({ te: "trailers", "x-forwarded-for": "127.0.0.1" });
  expect(headers["x-forwarded-host"]).toMatch(/^127\.0\.0\.1:/);
});

test("an admission is committed when the upstream begins to answer (G7)", async () => {
  expect(await added("all", () => gate.ask("/told"))).toEqual(committed);
  expect(await gate.ask("/one")).toMatchObject({ status: 200 });
  expect(await gate.ask("/one")).toMatchObject({ status: 429 });
  expect(upstream.seen.filter(({ url }) => url === "/one")).toHaveLength(1);
});

test.each(["gone", "unknown"])(
  "an upstream that cannot be reached is a 502, and spends nothing (G7): %s",
  async (name) => {
    const spent = await added(name, async () => {
      const answer = await gate.ask(`/${name}`);
      expect(answer).toMatchObject({ status: 502, headers: { "content-type": "application/problem+json" } });
      expect(answer.headers.ratelimit).toMatch(/^"r"/);
    });
    expect(spent).toEqual(cancelled);
  },
);

test("a free request that reached nobody is given back (G7)", async () => {
  for (const round of [1, 2, 3]) expect([round, (await gate.ask("/free")).status]).toEqual([round, 502]);
});

test("an upstream that breaks off before it answers is a 502, and has been reached", async () => {
  expect(
    await added("all", () => expect(gate.ask("/breaks")).resolves.toMatchObject({ status: 502 })),
  ).toEqual(committed);
});

test("an upstream that does not begin to answer in time is a 502, and has been reached", async () => {
  expect(await added("all", () => expect(gate.ask("/slow")).resolves.toMatchObject({ status: 502 }))).toEqual(
    committed,
  );
});

test("an answer that breaks off is broken off for the client too: half is not shown as whole", async () => {
  await expect(gate.ask("/half")).rejects.toThrow(/aborted|hang up/);
});

test("a client that goes away takes its upstream request with it", async () => {
  upstream.aborted = Promise.withResolvers();
  const spent = await added("all", async () => {
    const sent = request(`${gate.url}/slow/abort`);
    sent.on("error", () => {});
    sent.end();
    await expect.poll(() => upstream.seen.at(-1)?.url, { interval: 5 }).toBe("/slow/abort");
    sent.destroy();
    await upstream.aborted.promise;
    await settled();
  });
  expect(spent).toEqual(committed);
});

test("a client that goes away in the middle of its body does not end the gate", async () => {
  const sent = request(`${gate.url}/echo`, { method: "POST", headers: { "content-length": "1000" } });
  sent.on("error", () => {});
  sent.write("x");
  await expect.poll(() => upstream.seen.at(-1)?.url, { interval: 5 }).toBe("/echo");
  sent.destroy();
  await settled();
  expect((await gate.ask("/told")).status).toBe(200);
});

test("who is denied does not send its body first", async () => {
  const expectant = (path: string) => {
    const sent = request(gate.url + path, {
      method: "POST",
      headers: { expect: "100-continue", "content-length": "2" },
    });
    const heard = Promise.withResolvers<[boolean, number]>();
    let isContinued = false;
    sent.on("continue", () => {
      isContinued = true;
      sent.end("hi");
    });
    sent.on("response", (answer) => {
      answer.resume();
      heard.resolve([isContinued, answer.statusCode!]);
      sent.destroy();
    });
    sent.on("error", () => {});
    sent.flushHeaders();
    return heard.promise;
  };
  expect(await expectant("/echo")).toEqual([true, 201]);
  expect(await expectant("/one")).toEqual([false, 429]);
});

/** A handshake by hand: what comes back until the socket ends, or until `until` was seen. */
function handshake(path: string, say = "", until = ""): Promise<string> {
  return new Promise((resolve) => {
    const { port } = new URL(gate.url);
    const socket = connect(Number(port), "127.0.0.1");
    let heard = "";
    socket.on("data", (chunk) => {
      heard += chunk.toString();
      if (heard.includes("101 ") && say !== "") {
        socket.write(say);
        say = "";
      }
      if (until !== "" && heard.includes(until)) socket.end();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(heard));
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: a.example\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n`,
    );
  });
}

test("web sockets pass, both ways, and count as one request", async () => {
  const spent = await added("all", async () => {
    const heard = await handshake("/ws", "ping", "ping");
    expect(heard).toMatch(/^HTTP\/1\.1 101 /);
    expect(heard).toMatch(/ping$/);
    expect(upstream.seen.at(-1)!.headers).toMatchObject({
      "x-forwarded-for": "127.0.0.1",
      upgrade: "websocket",
    });
  });
  expect(spent).toEqual(committed);
});

test("a handshake is denied, refused by the upstream, or answered 502, like any request", async () => {
  expect(await handshake("/one")).toMatch(/^HTTP\/1\.1 429 [\s\S]*Connection: close[\s\S]*quota-exceeded/);
  expect(await handshake("/refuses-ws")).toMatch(/^HTTP\/1\.1 403 [\s\S]*no$/);
  const spent = await added("gone", async () => expect(await handshake("/gone")).toMatch(/^HTTP\/1\.1 502 /));
  expect(spent).toEqual(cancelled);
});

test("a client that hangs up in the middle of a handshake does not end the gate", async () => {
  const silent = createSocketServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const service = {
    name: "s",
    upstream: `http://127.0.0.1:${port}`,
    auth: "off",
    price: 0,
    rules: [{ id: "r", requests: 9, per: "1d" }],
  };
  await TrialGate.use({ services: [service] }, { upstream_timeout_ms: 1000 }, async (other) => {
    const socket = connect(Number(new URL(other.url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    await expect.poll(() => other.told.decisions.length, { interval: 5 }).toBe(1);
    socket.destroy();
    await expect.poll(() => other.told.ends.length, { interval: 5 }).toBe(1);
    expect((await other.ask("/healthz")).status).toBe(200);
    expect(other.reported).toEqual([]);
  });
  silent.close();
});

test("nothing of all this was unexpected", async () => {
  await settled();
  expect(gate.reported).toEqual([]);
  expect((await ask(`${gate.url}/healthz`)).status).toBe(200);
});
