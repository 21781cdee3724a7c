import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { Connection, StoreUnavailable } from "./connection.ts";

const TIMEOUT_MS = 100;
const servers: Server[] = [];
const sockets: Socket[] = [];
const connections: Connection[] = [];
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A server that does with each connection what it is told; its address. */
async function serve(act: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    act(socket);
  });
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `redis://127.0.0.1:${(server.address() as { port: number }).port}`;
}

/** Answers while the library makes itself known and looks at the server, and nothing afterwards. */
const silent = (socket: Socket) => {
  let isKnown = false;
  socket.on("data", (bytes) => {
    for (const command of bytes
      .toString()
      .split(/\*\d+\r\n/)
      .slice(1)) {
      if (isKnown) return;
      isKnown = /\r\ninfo\r\n/i.test(command);
      socket.write(isKnown ? "$11\r\nredis_ver:7\r\n" : "+OK\r\n");
    }
  });
};
const later = (wait_ms: number) => new Promise((resolve) => setTimeout(resolve, wait_ms));

test("a connection that was given up is not tried again", async () => {
  let tries = 0;
  const url = await serve((socket) => {
    tries += 1;
    socket.destroy();
  });
  const printed: unknown[] = [];
  const print = console.error;
  console.error = (...told: unknown[]) => void printed.push(told);
  try {
    await expect(Connection.open(url, TIMEOUT_MS)).rejects.toThrow(StoreUnavailable);
    const before = tries;
    await later(3 * TIMEOUT_MS);
    expect(tries).toBe(before);
  } finally {
    console.error = print;
  }
  // Who asked is told; the library has nothing to print besides.
  expect(printed).toEqual([]);
});

test("a call that is over leaves no timer", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;
  const connection = await Connection.open(await serve(silent), 60_000);
  const before = timers();
  const calls = Array.from({ length: 20 }, () => connection.call("PING"));
  expect(timers()).toBeGreaterThanOrEqual(before + 20);
  connection.close();
  await Promise.allSettled(calls);
  expect(timers()).toBeLessThan(before + 20);
});

test("a connection that was closed is not ready, is not made anew, and what waited has failed", async () => {
  let tries = 0;
  const url = await serve((socket) => {
    tries += 1;
    silent(socket);
  });
  const connection = await Connection.open(url, TIMEOUT_MS);
  connections.push(connection);
  expect(connection.isReady).toBe(true);
  const waiting = expect(connection.call("PING")).rejects.toThrow(StoreUnavailable);
  connection.close();
  await waiting;
  await later(3 * TIMEOUT_MS);
  expect([connection.isReady, tries]).toEqual([false, 1]);
});

test("a call that a silent server lets wait fails in time, and says why", async () => {
  const connection = await Connection.open(await serve(silent), TIMEOUT_MS);
  connections.push(connection);
  const asked = connection.run("count", "{k}", ["0"]);
  await expect(asked).rejects.toThrow(StoreUnavailable);
  const message = "no answer within 100 ms";
  await expect(asked).rejects.toMatchObject({ message, cause: { message } });
});

test("no more calls wait for a silent server than memory allows", async () => {
  const connection = await Connection.open(await serve(silent), TIMEOUT_MS);
  connections.push(connection);
  const calls = Array.from({ length: 10_001 }, () => connection.run("count", "{k}", ["0"]));
  const failures = (await Promise.allSettled(calls)).map((one) => (one as PromiseRejectedResult).reason);
  const refused = "10000 calls wait for an answer already";
  expect(failures.findIndex(({ message }) => message === refused)).toBe(10_000);
  // They have made room for others.
  await expect(connection.run("count", "{k}", ["0"])).rejects.not.toThrow(refused);
});
