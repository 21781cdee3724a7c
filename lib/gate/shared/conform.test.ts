import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { gateCaseSchema } from "../../../contract/gate-case.ts";
import { SharedPlayground } from "./conform-shared.ts";
import { RedisServer } from "./redis-server.ts";

let server: RedisServer;
let playground: SharedPlayground;
beforeAll(async () => {
  // As a cluster it refuses scripts whose keys are not in one hash slot (G12).
  server = await RedisServer.start({ cluster: true });
  playground = await SharedPlayground.open(server.url);
});
afterAll(async () => {
  playground?.close();
  await server?.stop();
});

const folder = new URL("../../../contract/gate-cases/", import.meta.url);
test.each(readdirSync(folder))("the shared store finds what %s says", async (file) => {
  const one = gateCaseSchema.parse(JSON.parse(readFileSync(new URL(file, folder), "utf8")));
  const found = JSON.parse(JSON.stringify(await playground.playCase(one)));
  expect(found).toEqual({ expected: one.expected, ledger: one.ledger, evictions: one.evictions });
});
